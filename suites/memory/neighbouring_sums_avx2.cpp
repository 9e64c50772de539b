// With vectors of 256 bits, where numbers that one iteration hands to the next are made into vectors as well.
#include "support/vector_program.hpp"

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#include "memory/neighbouring_sums.hpp"
#pragma clang attribute pop

PLUGIN_TEST(NeighbouringSumsOfWideVectors, OfThreePointsGoToTheirPlaces) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    assay::suites::check<assay::suites::three_points>(__FILE__, __LINE__);
}
PLUGIN_TEST(NeighbouringSumsOfWideVectors, OfProductsGoToTheirPlaces) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    assay::suites::check<assay::suites::products_of_neighbours>(__FILE__, __LINE__);
}
PLUGIN_TEST(NeighbouringSumsOfWideVectors, OfDownwardLoopsGoToTheirPlaces) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    assay::suites::check<assay::suites::downward>(__FILE__, __LINE__);
}
PLUGIN_TEST(NeighbouringSumsOfWideVectors, OfConvolutionsGoToTheirPlaces) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    assay::suites::check<assay::suites::convolution>(__FILE__, __LINE__);
}
PLUGIN_TEST(NeighbouringSumsOfWideVectors, OfTwoRowsGoToTheirPlaces) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    assay::suites::check<assay::suites::two_rows>(__FILE__, __LINE__);
}
PLUGIN_TEST(NeighbouringSumsOfWideVectors, OfRecurrencesAreAddedInTurn) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    assay::suites::check_recurrences(__FILE__, __LINE__);
}
PLUGIN_TEST(NeighbouringSumsOfWideVectors, OfBuffersInTurnsGoToTheirPlaces) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    assay::suites::check_buffers(__FILE__, __LINE__);
}
PLUGIN_TEST(NeighbouringSumsOfWideVectors, OfFloatsGoToTheirPlaces) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    assay::suites::check_floats(__FILE__, __LINE__);
}
