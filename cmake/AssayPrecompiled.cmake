# The precompiled headers that several directories share.
find_package(fmt REQUIRED)
assay_precompiled(assay_std_pch "${PROJECT_SOURCE_DIR}/cmake/std_pch.hpp")
target_link_libraries(assay_std_pch PRIVATE fmt::fmt)

# For unit tests, which are not optimised (assay_test_target).
if(ASSAY_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  assay_precompiled(assay_test_pch "${PROJECT_SOURCE_DIR}/cmake/test_pch.hpp")
  target_compile_options(assay_test_pch PRIVATE ${ASSAY_TEST_OPTIMISATION})
  target_include_directories(assay_test_pch PRIVATE "${PROJECT_SOURCE_DIR}/core/include")
  target_link_libraries(assay_test_pch PRIVATE fmt::fmt GTest::gtest rapidcheck)
endif()
