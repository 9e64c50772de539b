# assay_add_test(NAME SOURCES...): a GoogleTest executable that is compiled with the plugin and linked to the harness; each of
# its tests is a test of ctest. Serves Assay's own tree and, through find_package(Assay), other projects.
include_guard(GLOBAL)
include(GoogleTest)

function(assay_add_test name)
  if(NOT ARGN)
    message(FATAL_ERROR "assay_add_test(${name}): name at least one source file")
  endif()
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE Assay::autodiff Assay::testing GTest::gtest_main)
  # A compiler cache does not know that the plugin is part of the compiler.
  set_target_properties(${name} PROPERTIES C_COMPILER_LAUNCHER "${ASSAY_PLUGIN_LAUNCHER}" CXX_COMPILER_LAUNCHER "${ASSAY_PLUGIN_LAUNCHER}")
  # A new plugin writes new derivatives.
  set_property(SOURCE ${ARGN} APPEND PROPERTY OBJECT_DEPENDS "${Assay_PLUGIN}")
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST)
endfunction()
