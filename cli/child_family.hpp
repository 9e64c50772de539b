#pragma once
// The children of this process and their remains: a checked function may start processes that outlive it, in its
// own process group or in none that is known.

#include <set>
#include <sys/types.h>

namespace assay::cli {

class ChildFamily {
public:
  /// Of this process, which from now on is the parent of every descendant that loses its own. A fork has its own.
  static ChildFamily &here();

  void add(pid_t child) { running_.insert(child); }
  /// `child` has ended and been waited for. Ends everything that it and its descendants have left behind.
  void remove(pid_t child);

private:
  ChildFamily();
  void end_orphans() const;

  pid_t owner_;
  std::set<pid_t> foreign_; ///< Whoever started this program may have left it children: they are not ours.
  std::set<pid_t> running_;
};

} // namespace assay::cli
