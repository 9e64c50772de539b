#pragma once
// The faults of a launch: values with one sentence each; the same sentence is kept once.

#include "gpu/runtime/interface.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay::gpu {

struct Finding {
  enum class Kind : std::uint8_t {
    failure, ///< A thread traps, waits for ever, or touches memory that is not there.
    race,
    uninitialised_read,
    out_of_bounds,
    use_after_free,
    leak
  } kind = Kind::failure;
  std::string text;
  std::vector<const Site *> sites; ///< Of the accesses; empty where only the text names them.
  bool has_same_value = false;     ///< A race in which both threads write the same.
};

class Findings {
public:
  void add(Finding finding);
  void add(std::string sentence) { add(Finding{Finding::Kind::failure, std::move(sentence), {}}); }
  const std::vector<Finding> &all() const { return all_; }
  std::vector<Finding> take();
  /// Of all that were ever added.
  std::uint64_t count() const { return count_; }
  /// As if none had been added since there were so many.
  void forget_since(std::uint64_t count) { count_ = count; }

private:
  std::vector<Finding> all_;
  std::uint64_t count_ = 0;
};

/// Of the launches of this process.
Findings &findings();

/// `saxpy.cu:12`, or the function where there is no debug information.
std::string text_of(const Site *site);
/// `thread (3, 0, 0) of block (1, 0, 0)`.
std::string text_of(const Extent &thread, const Extent &block);
/// The name of a kernel as it stands in the source, without its parameters.
std::string source_name(const char *symbol);
/// That of a variable, without the function that it stands in.
std::string variable_name(const char *symbol);

} // namespace assay::gpu
