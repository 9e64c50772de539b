# What `cmake --install` installs and what find_package(Assay) finds, in the install tree and in this build tree.
# Included last, when all targets are known.
#
# There are two components, and a Debian package of each: `assay` (the command with its manual pages, completions and
# examples) and `dev` (headers, plugin, libraries, what find_package reads), which the command stands on.
include(CMakePackageConfigHelpers)

set(config_directory "${CMAKE_INSTALL_LIBDIR}/cmake/Assay")
set(build_config_directory "${CMAKE_BINARY_DIR}/${config_directory}")
set(plugin_name "assay-plugin${CMAKE_SHARED_MODULE_SUFFIX}")

# ---- The headers (the plugin and the command install themselves) ----
install(DIRECTORY "${PROJECT_SOURCE_DIR}/core/include/assay" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp"
        PATTERN "*.cuh" PATTERN "cuda/barrier" PATTERN "cuda/pipeline")
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

# ---- What the command says of itself: written by it when it is installed ----
install(CODE "
  set(assay \"${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/assay\")
  set(data \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
  execute_process(COMMAND \"\${assay}\" manual \"\${data}/man/man1\" COMMAND_ERROR_IS_FATAL ANY)
  foreach(file IN ITEMS bash:bash-completion/completions/assay zsh:zsh/site-functions/_assay fish:fish/vendor_completions.d/assay.fish)
    string(REPLACE \":\" \";\" words \"\${file}\")
    list(GET words 0 shell)
    list(GET words 1 place)
    execute_process(COMMAND \"\${assay}\" completion \${shell} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    file(WRITE \"\${data}/\${place}\" \"\${text}\")
  endforeach()" COMPONENT assay)

# ---- Debian packages: `cpack --preset deb`, or `cpack -G DEB` in the build tree ----
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Assay <assay@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL assay dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_ASSAY_PACKAGE_NAME assay)
set(CPACK_DEBIAN_ASSAY_DESCRIPTION "gradient checks of C, C++ and CUDA programs
 Differentiates functions at the level of LLVM IR and compares their derivatives,
 in every combination of activities, with finite differences and wide arithmetic.")
set(CPACK_DEBIAN_ASSAY_PACKAGE_DEPENDS "libassay-dev (= ${PROJECT_VERSION}), clang-22, lld-22, libboost-context-dev")
set(CPACK_DEBIAN_ASSAY_PACKAGE_SUGGESTS "gdb | lldb-22, libclang-rt-22-dev, llvm-22, git, cmake")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libassay-dev)
set(CPACK_DEBIAN_DEV_DESCRIPTION "automatic differentiation plugin for clang, and its test harness
 The plugin for clang 22, the headers, and the libraries of gradient tests with
 GoogleTest and RapidCheck; find_package(Assay) finds them.")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "clang-22, libgtest-dev, librapidcheck-dev, libfmt-dev, nlohmann-json3-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "libeigen3-dev, libfftw3-dev")
include(CPack)
