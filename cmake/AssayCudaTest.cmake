# assay_add_cuda_test(NAME SOURCES... [ARGUMENTS WORDS...] [DEPENDS FILES...]): a CUDA program, its derivatives included, whose
# exit code 0 means that it passed; a GoogleTest program needs no main. The test NAME.emulated is the program on the CPU, and
# needs neither a toolkit nor a device. What it launches is watched for races; test_kernel (<assay/gpu.hpp>) watches for itself.
# Where there is a toolkit (ASSAY_CUDA_TOOLKIT, or what find_package(CUDAToolkit) looks for), NAME.device is built for the devices
# of ASSAY_CUDA_ARCHITECTURES as well, and is a test where this machine has a device. FILES are what the sources include.
include_guard(GLOBAL)

# The driver compiles the PTX in the program for later devices; each architecture is compiled, headers of tests included.
set(ASSAY_CUDA_ARCHITECTURES sm_75 CACHE STRING "Devices that CUDA tests are compiled for")
find_path(ASSAY_CUDA_TOOLKIT nvvm/libdevice/libdevice.10.bc HINTS "${CUDAToolkit_ROOT}" ENV CUDA_PATH ENV CUDA_HOME
          PATHS /usr/local/cuda NO_DEFAULT_PATH DOC "A CUDA toolkit, as `./assay setup --cuda` leaves one in build/cuda")

# The program for a device: an object file for each source, linked to the harness where there is one.
function(_assay_add_device_program program sources depends)
  list(TRANSFORM ASSAY_CUDA_ARCHITECTURES PREPEND "--cuda-gpu-arch=" OUTPUT_VARIABLE architectures)
  set(objects "")
  foreach(source IN LISTS sources)
    list(LENGTH objects number)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${program}.${number}.o")
    add_custom_command(OUTPUT "${object}"
                       COMMAND "${CMAKE_CXX_COMPILER}" -x cuda --cuda-path=${ASSAY_CUDA_TOOLKIT} ${architectures} -Wno-unknown-cuda-version -std=c++20 -O2
                               "-I$<JOIN:$<TARGET_PROPERTY:Assay::autodiff,INTERFACE_INCLUDE_DIRECTORIES>,;-I>" "-fpass-plugin=${Assay_PLUGIN}"
                               -c "${source}" -o "${object}"
                       DEPENDS "${source}" ${depends} "${Assay_PLUGIN}" COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    list(APPEND objects "${object}")
  endforeach()
  add_executable(${program} ${objects})
  set_target_properties(${program} PROPERTIES LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  find_library(ASSAY_CUDART cudart_static HINTS "${ASSAY_CUDA_TOOLKIT}/lib" "${ASSAY_CUDA_TOOLKIT}/lib64" REQUIRED NO_DEFAULT_PATH)
  # Assay's own build makes Assay::testing after the suites, so it is asked for when the build files are generated.
  target_link_libraries(${program} PRIVATE $<TARGET_NAME_IF_EXISTS:Assay::testing> $<TARGET_NAME_IF_EXISTS:GTest::gtest_main>
                        "${ASSAY_CUDART}" ${CMAKE_DL_LIBS} rt pthread)
endfunction()

function(assay_add_cuda_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "" "ARGUMENTS;DEPENDS")
  set(sources ${test_UNPARSED_ARGUMENTS})
  if(NOT sources)
    message(FATAL_ERROR "assay_add_cuda_test(${name}): name at least one source file")
  endif()
  list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" REGEX "^[^/]")
  list(TRANSFORM test_DEPENDS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" REGEX "^[^/]")

  set(emulated "${CMAKE_CURRENT_BINARY_DIR}/${name}.emulated")
  add_custom_command(OUTPUT "${emulated}" COMMAND "${Assay_COMMAND}" emulate ${sources} --watch --output "${emulated}"
                     DEPENDS ${sources} ${test_DEPENDS} "${Assay_COMMAND}" "${Assay_PLUGIN}" VERBATIM)
  add_test(NAME ${name}.emulated COMMAND "${emulated}" ${test_ARGUMENTS})
  add_custom_target(${name} ALL DEPENDS "${emulated}")

  if(ASSAY_CUDA_TOOLKIT)
    _assay_add_device_program(${name}.device "${sources}" "${test_DEPENDS}")
    if(EXISTS /dev/nvidia0)
      add_test(NAME ${name}.device COMMAND ${name}.device ${test_ARGUMENTS})
    endif()
  endif()
endfunction()
