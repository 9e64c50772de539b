// With the vectors that every processor of this kind has.
#include "memory/neighbouring_sums.hpp"

PLUGIN_TEST(NeighbouringSums, OfThreePointsGoToTheirPlaces) {
  assay::suites::check<assay::suites::three_points>(__FILE__, __LINE__);
}
PLUGIN_TEST(NeighbouringSums, OfProductsGoToTheirPlaces) {
  assay::suites::check<assay::suites::products_of_neighbours>(__FILE__, __LINE__);
}
PLUGIN_TEST(NeighbouringSums, OfDownwardLoopsGoToTheirPlaces) {
  assay::suites::check<assay::suites::downward>(__FILE__, __LINE__);
}
PLUGIN_TEST(NeighbouringSums, OfConvolutionsGoToTheirPlaces) {
  assay::suites::check<assay::suites::convolution>(__FILE__, __LINE__);
}
PLUGIN_TEST(NeighbouringSums, OfTwoRowsGoToTheirPlaces) {
  assay::suites::check<assay::suites::two_rows>(__FILE__, __LINE__);
}
PLUGIN_TEST(NeighbouringSums, OfRecurrencesAreAddedInTurn) {
  assay::suites::check_recurrences(__FILE__, __LINE__);
}
PLUGIN_TEST(NeighbouringSums, OfBuffersInTurnsGoToTheirPlaces) {
  assay::suites::check_buffers(__FILE__, __LINE__);
}
PLUGIN_TEST(NeighbouringSums, OfFloatsGoToTheirPlaces) {
  assay::suites::check_floats(__FILE__, __LINE__);
}
