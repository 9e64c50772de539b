# What `cmake --install` installs and what find_package(Assay) finds, in the install tree and in this build tree.
# Included last, when all targets are known.
include(CMakePackageConfigHelpers)

set(config_directory "${CMAKE_INSTALL_LIBDIR}/cmake/Assay")
set(build_config_directory "${CMAKE_BINARY_DIR}/${config_directory}")
set(plugin_name "assay-plugin${CMAKE_SHARED_MODULE_SUFFIX}")

# ---- The headers (the plugin and the command install themselves) ----
install(DIRECTORY "${PROJECT_SOURCE_DIR}/core/include/assay" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/core/include/enzyme/enzyme" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/enzyme")
install(TARGETS assay_headers assay_autodiff EXPORT AssayAutodiff)

# ---- Libraries ----
# The engine and its run-time use are for programs built with LLVM's own CMake package; they are not exported.
foreach(target IN ITEMS assay_engine assay_widen assay_jit)
  if(TARGET ${target})
    install(TARGETS ${target} ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  endif()
endforeach()

# Assay::testing: the harness with the libraries that it stands on.
set(ASSAY_TESTING_PACKAGES GTest rapidcheck fmt nlohmann_json)
if(TARGET assay_testutils)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  add_library(assay_testing INTERFACE)
  add_library(Assay::testing ALIAS assay_testing)
  set_target_properties(assay_testing PROPERTIES EXPORT_NAME testing)
  target_link_libraries(assay_testing INTERFACE assay_headers assay_testutils GTest::gtest rapidcheck)
  set(testing_libraries assay_testing)
  foreach(target IN ITEMS assay_testutils assay_generators assay_reports assay_fdm assay_wide_runtime)
    if(TARGET ${target})
      list(APPEND testing_libraries ${target})
    endif()
  endforeach()
  install(TARGETS ${testing_libraries} EXPORT AssayTesting ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()

# ---- The package ----
set(ASSAY_PLUGIN_FILE "${CMAKE_INSTALL_LIBDIR}/${plugin_name}")
set(ASSAY_COMMAND_FILE "${CMAKE_INSTALL_BINDIR}/assay")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/AssayConfig.cmake.in" "${CMAKE_BINARY_DIR}/AssayConfig.install.cmake"
                              INSTALL_DESTINATION "${config_directory}" PATH_VARS ASSAY_PLUGIN_FILE ASSAY_COMMAND_FILE)
set(ASSAY_PLUGIN_FILE "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${plugin_name}")
set(ASSAY_COMMAND_FILE "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/assay")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/AssayConfig.cmake.in" "${build_config_directory}/AssayConfig.cmake"
                              INSTALL_PREFIX "${CMAKE_BINARY_DIR}" INSTALL_DESTINATION "${config_directory}" PATH_VARS ASSAY_PLUGIN_FILE ASSAY_COMMAND_FILE)
write_basic_package_version_file("${build_config_directory}/AssayConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
foreach(functions IN ITEMS AssayTest.cmake AssayCudaTest.cmake)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${functions}" "${build_config_directory}/${functions}" COPYONLY)
endforeach()

install(FILES "${CMAKE_BINARY_DIR}/AssayConfig.install.cmake" DESTINATION "${config_directory}" RENAME AssayConfig.cmake)
install(FILES "${build_config_directory}/AssayConfigVersion.cmake" "${PROJECT_SOURCE_DIR}/cmake/AssayTest.cmake" "${PROJECT_SOURCE_DIR}/cmake/AssayCudaTest.cmake"
        DESTINATION "${config_directory}")
install(EXPORT AssayAutodiff NAMESPACE Assay:: DESTINATION "${config_directory}" FILE AssayAutodiffTargets.cmake)
export(EXPORT AssayAutodiff NAMESPACE Assay:: FILE "${build_config_directory}/AssayAutodiffTargets.cmake")
if(TARGET assay_testutils)
  install(EXPORT AssayTesting NAMESPACE Assay:: DESTINATION "${config_directory}" FILE AssayTestingTargets.cmake)
  export(EXPORT AssayTesting NAMESPACE Assay:: FILE "${build_config_directory}/AssayTestingTargets.cmake")
endif()
