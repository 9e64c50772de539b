#pragma once
// The content of the device's memory where a launch is made: its reverse launch finds it so.

#include "assay/detail/gpu/allocations.hpp"
#include "assay/detail/gpu/object_parts.hpp"
#include "assay/detail/gpu/required_calls.hpp"
#include "assay/detail/rules/function.hpp"
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::rules::gpu {

/// Copies of the memory that the parameters of a launch lead to, which stand in for it.
class Snapshot {
public:
  template <class T>
  T keep(const T &value) {
    if constexpr (std::is_pointer_v<T>)
      return copied(value);
    else
      return keep_object(value);
  }
  void release() const {
    for (const Copy &copy : copies_)
      ::cudaFree(copy.memory);
  }

private:
  struct Copy {
    std::uintptr_t base;
    std::size_t bytes;
    char *memory;
  };
  template <class T>
  T keep_object(T object) {
    gpu::visit_parts(object, [&]<class Part>(Part &part) {
      if constexpr (std::is_pointer_v<Part> && !std::is_function_v<std::remove_pointer_t<Part>>)
        part = copied(part);
      else if constexpr (std::is_same_v<Part, HiddenWord>)
        part.bits = reinterpret_cast<std::uintptr_t>(copied(static_cast<const char *>(part.address())));
    });
    return object;
  }
  template <class T>
  T *copied(T *pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    for (const Copy &copy : copies_)
      if (address - copy.base < copy.bytes)
        return reinterpret_cast<T *>(copy.memory + (address - copy.base));
    Copy copy{};
    if (pointer == nullptr || !find_allocation(pointer, copy.base, copy.bytes))
      return pointer;
    copy.memory = static_cast<char *>(copy_on_device(reinterpret_cast<const void *>(copy.base), copy.bytes));
    copies_.push_back(copy);
    return reinterpret_cast<T *>(copy.memory + (address - copy.base));
  }
  std::vector<Copy> copies_;
};

/// Copies of all memory that a launch can reach, also through pointers in memory, and of these pointers in its shadow.
/// They are put back where they were for the reverse launch, since pointers lead there.
class ReachedMemory {
public:
  /// `shadow`: where the derivatives of the memory at `pointer` are; the same for memory without.
  void keep(const void *pointer, const void *shadow, bool may_lead_on) {
    Part part;
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (pointer == nullptr || is_kept(address) || !find_allocation(pointer, part.base, part.bytes))
      return;
    part.kept = copy_on_device(reinterpret_cast<const void *>(part.base), part.bytes);
    parts_.push_back(part);
    if (!may_lead_on)
      return;
    std::vector<std::uintptr_t> words(part.bytes / sizeof(std::uintptr_t));
    read(words, part.base);
    const std::uintptr_t shadow_base = reinterpret_cast<std::uintptr_t>(shadow) - (address - part.base);
    for (std::size_t index = 0; index < words.size(); ++index)
      if (leads_to_memory(words[index], address))
        follow(words[index], shadow_base + index * sizeof(std::uintptr_t), shadow != nullptr && shadow != pointer);
  }
  /// The present content goes where the copies were: a second call undoes the first.
  void exchange() {
    for (Part &part : parts_) {
      void *present = copy_on_device(reinterpret_cast<const void *>(part.base), part.bytes);
      ::cudaMemcpy(reinterpret_cast<void *>(part.base), static_cast<const void *>(part.kept), part.bytes,
                   cudaMemcpyDefault);
      ::cudaFree(part.kept);
      part.kept = present;
    }
    for (Word &word : shadow_words_) {
      std::uintptr_t present = 0;
      ::cudaMemcpy(static_cast<void *>(&present), reinterpret_cast<const void *>(word.place), sizeof present,
                   cudaMemcpyDefault);
      ::cudaMemcpy(reinterpret_cast<void *>(word.place), static_cast<const void *>(&word.kept), sizeof present,
                   cudaMemcpyDefault);
      word.kept = present;
    }
  }
  /// The memory, not the pointers in its shadow.
  void put_back() const {
    for (const Part &part : parts_)
      ::cudaMemcpy(reinterpret_cast<void *>(part.base), static_cast<const void *>(part.kept), part.bytes,
                   cudaMemcpyDefault);
  }
  void release() const {
    for (const Part &part : parts_)
      ::cudaFree(part.kept);
  }

private:
  struct Part {
    std::uintptr_t base = 0;
    std::size_t bytes = 0;
    void *kept = nullptr;
  };
  /// A pointer in a shadow.
  struct Word {
    std::uintptr_t place, kept;
  };

  bool is_kept(std::uintptr_t address) const {
    for (const Part &part : parts_)
      if (address - part.base < part.bytes)
        return true;
    return false;
  }
  static void read(std::vector<std::uintptr_t> &words, std::uintptr_t place) {
    ::cudaMemcpy(static_cast<void *>(words.data()), reinterpret_cast<const void *>(place),
                 words.size() * sizeof(std::uintptr_t), cudaMemcpyDefault);
  }
  /// Numbers are no addresses near that of other memory.
  static bool leads_to_memory(std::uintptr_t word, std::uintptr_t other) {
    constexpr unsigned bits_of_neighbourhood = 44;
    std::uintptr_t base = 0;
    std::size_t bytes = 0;
    return word != 0 && word >> bits_of_neighbourhood == other >> bits_of_neighbourhood &&
           find_allocation(reinterpret_cast<const void *>(word), base, bytes);
  }
  void follow(std::uintptr_t word, std::uintptr_t place_in_shadow, bool has_shadow) {
    std::uintptr_t shadow = word;
    if (has_shadow) {
      ::cudaMemcpy(static_cast<void *>(&shadow), reinterpret_cast<const void *>(place_in_shadow), sizeof shadow,
                   cudaMemcpyDefault);
      shadow_words_.push_back({place_in_shadow, shadow});
    }
    keep(reinterpret_cast<const void *>(word), reinterpret_cast<const void *>(shadow), true);
  }

  std::vector<Part> parts_;
  std::vector<Word> shadow_words_;
};

} // namespace assay::rules::gpu
