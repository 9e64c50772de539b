#pragma once
// Variables of the device (`__device__`, `__constant__`) in differentiated code of the host: their content where a
// launch is made, and which of them hold derivatives of others.

#include "assay/detail/gpu/required_calls.hpp"
#include <cstddef>
#include <utility>
#include <vector>

namespace assay::rules::gpu {

/// As the plugin lists the variables of a file.
struct DeviceVariable {
  const void *symbol;
  std::size_t bytes, is_shadow_table;
};

/// Of all files of the program.
inline std::vector<DeviceVariable> &device_variables() {
  static std::vector<DeviceVariable> variables;
  return variables;
}

} // namespace assay::rules::gpu

#ifndef __CUDA_ARCH__
// NOLINTNEXTLINE(bugprone-reserved-identifier): the plugin defines it, for each file.
extern "C" __attribute__((weak)) const void *__assay_device_variables(std::size_t *count);

namespace assay::rules::gpu {

inline bool add_device_variables(const void *(*of_file)(std::size_t *)) {
  std::size_t count = 0;
  const auto *first = of_file ? static_cast<const DeviceVariable *>(of_file(&count)) : nullptr;
  device_variables().insert(device_variables().end(), first, first + count);
  return true;
}
[[maybe_unused]] static const bool device_variables_are_known = add_device_variables(&::__assay_device_variables);

} // namespace assay::rules::gpu
#endif

namespace assay::rules::gpu {

struct PlaceOfVariable {
  char *memory = nullptr;
  std::size_t bytes = 0;
};

inline char *place_of_symbol(const void *symbol) {
  void *memory = nullptr;
  return ::cudaGetSymbolAddress(&memory, symbol) == cudaSuccess ? static_cast<char *>(memory) : nullptr;
}

/// A variable and its shadows, one for each lane, as a table `__enzyme_shadow_global` names them.
struct ShadowTable {
  std::vector<void *> places;
  std::size_t bytes = 0; ///< Of the variable.
};

inline std::size_t bytes_of_variable(const void *place) {
  for (const DeviceVariable &variable : device_variables())
    if (variable.is_shadow_table == 0 && place_of_symbol(variable.symbol) == place)
      return variable.bytes;
  return 0;
}

inline std::vector<ShadowTable> read_shadow_tables() {
  std::vector<ShadowTable> tables;
  for (const DeviceVariable &variable : device_variables())
    if (variable.is_shadow_table != 0) {
      std::vector<void *> places(variable.bytes / sizeof(void *));
      ::cudaMemcpyFromSymbol(static_cast<void *>(places.data()), variable.symbol, places.size() * sizeof(void *), 0,
                             cudaMemcpyDeviceToHost);
      const std::size_t bytes = bytes_of_variable(places.front());
      tables.push_back({std::move(places), bytes});
    }
  ::cudaGetLastError(); // A variable that no code of the device uses is in none.
  return tables;
}
inline const std::vector<ShadowTable> &shadow_tables() {
  static const std::vector<ShadowTable> tables = read_shadow_tables();
  return tables;
}

inline bool is_shadow_of_variable(const void *place) {
  for (const ShadowTable &table : shadow_tables())
    for (std::size_t index = 1; index < table.places.size(); ++index)
      if (table.places[index] == place)
        return true;
  return false;
}

inline std::vector<PlaceOfVariable> find_variables_of_program() {
  std::vector<PlaceOfVariable> places;
  for (const DeviceVariable &variable : device_variables()) {
    char *place = variable.is_shadow_table != 0 ? nullptr : place_of_symbol(variable.symbol);
    if (place && !is_shadow_of_variable(place))
      places.push_back({place, variable.bytes});
  }
  ::cudaGetLastError(); // A variable that no code of the device uses is in none.
  return places;
}
inline const std::vector<PlaceOfVariable> &variables_of_program() {
  static const std::vector<PlaceOfVariable> places = find_variables_of_program();
  return places;
}

/// The content of the variables at a launch. Derivatives are no part of it: they go on from launch to launch.
class VariableSnapshot {
public:
  static VariableSnapshot take() {
    VariableSnapshot snapshot;
    std::size_t bytes = 0;
    for (const PlaceOfVariable &place : variables_of_program())
      bytes += place.bytes;
    if (bytes == 0)
      return snapshot;
    ::assay::rules::gpu::require(::cudaMalloc(reinterpret_cast<void **>(&snapshot.memory_), bytes),
                                 "there is no memory for a copy of the variables of the device");
    snapshot.move([](char *kept, char *variable, std::size_t part) {
      ::cudaMemcpy(static_cast<void *>(kept), static_cast<const void *>(variable), part, cudaMemcpyDeviceToDevice);
    });
    return snapshot;
  }
  void put_back() const {
    move([](char *kept, char *variable, std::size_t part) {
      ::cudaMemcpy(static_cast<void *>(variable), static_cast<const void *>(kept), part, cudaMemcpyDeviceToDevice);
    });
  }
  void release() const { ::cudaFree(memory_); }

private:
  void move(auto copy) const {
    char *kept = memory_;
    for (const PlaceOfVariable &place : variables_of_program()) {
      if (!memory_)
        return;
      copy(kept, place.memory, place.bytes);
      kept += place.bytes;
    }
  }
  char *memory_ = nullptr;
};

} // namespace assay::rules::gpu
