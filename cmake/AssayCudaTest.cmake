# assay_add_cuda_test(NAME SOURCES... [ARGUMENTS WORDS...]): a CUDA program, its derivatives included, whose exit code 0 means
# that it passed. The test NAME.emulated is the program on the CPU, watched for races; it needs neither a toolkit nor a device. Where there
# is a toolkit (ASSAY_CUDA_TOOLKIT, or what find_package(CUDAToolkit) looks for), NAME.device is built for the devices of
# ASSAY_CUDA_ARCHITECTURES as well, and is a test where this machine has a device.
include_guard(GLOBAL)

set(ASSAY_CUDA_ARCHITECTURES sm_75 sm_80 sm_90 CACHE STRING "Devices that CUDA tests are compiled for")
find_path(ASSAY_CUDA_TOOLKIT nvvm/libdevice/libdevice.10.bc HINTS "${CUDAToolkit_ROOT}" ENV CUDA_PATH ENV CUDA_HOME
          PATHS /usr/local/cuda NO_DEFAULT_PATH DOC "A CUDA toolkit, as `./assay setup --cuda` leaves one in build/cuda")

function(assay_add_cuda_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "" "ARGUMENTS")
  set(sources ${test_UNPARSED_ARGUMENTS})
  if(NOT sources)
    message(FATAL_ERROR "assay_add_cuda_test(${name}): name at least one source file")
  endif()
  list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" REGEX "^[^/]")

  set(emulated "${CMAKE_CURRENT_BINARY_DIR}/${name}.emulated")
  add_custom_command(OUTPUT "${emulated}" COMMAND "${Assay_COMMAND}" emulate ${sources} --watch --output "${emulated}"
                     DEPENDS ${sources} "${Assay_COMMAND}" "${Assay_PLUGIN}" VERBATIM)
  add_test(NAME ${name}.emulated COMMAND "${emulated}" ${test_ARGUMENTS})
  set(programs "${emulated}")

  if(ASSAY_CUDA_TOOLKIT)
    set(device "${CMAKE_CURRENT_BINARY_DIR}/${name}.device")
    list(TRANSFORM ASSAY_CUDA_ARCHITECTURES PREPEND "--cuda-gpu-arch=" OUTPUT_VARIABLE architectures)
    add_custom_command(OUTPUT "${device}"
                       COMMAND "${CMAKE_CXX_COMPILER}" -x cuda --cuda-path=${ASSAY_CUDA_TOOLKIT} ${architectures} -Wno-unknown-cuda-version -std=c++20 -O2
                               "-I$<JOIN:$<TARGET_PROPERTY:Assay::autodiff,INTERFACE_INCLUDE_DIRECTORIES>,;-I>" "-fpass-plugin=${Assay_PLUGIN}" ${sources} -o
                               "${device}" -L${ASSAY_CUDA_TOOLKIT}/lib -L${ASSAY_CUDA_TOOLKIT}/lib64 -lcudart_static -ldl -lrt -lpthread
                       DEPENDS ${sources} "${Assay_PLUGIN}" COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND programs "${device}")
    if(EXISTS /dev/nvidia0)
      add_test(NAME ${name}.device COMMAND "${device}" ${test_ARGUMENTS})
    endif()
  endif()
  add_custom_target(${name} ALL DEPENDS ${programs})
endfunction()
