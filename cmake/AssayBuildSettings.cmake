# Settings that every target shares: language level, warnings, output folders, ccache, LLVM, sanitizers.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

find_program(ASSAY_CCACHE ccache)
if(ASSAY_CCACHE)
  # Without these two ccache passes by everything that uses a precompiled header.
  set(ASSAY_CCACHE_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${ASSAY_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${ASSAY_CCACHE_LAUNCHER}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${ASSAY_CCACHE_LAUNCHER}")
endif()

option(ASSAY_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(ASSAY_VERIFY_IR "Run the LLVM verifier on every function that the engine writes" ON)
option(ASSAY_UNITY "Compile the sources of a library several together" ON)
option(ASSAY_TESTS "Configure the tests, the suites and the benchmarks, too" ON)
option(ASSAY_LIBFUZZER "Build the parsers' entries for libFuzzer, and all code with its coverage" OFF)
if(ASSAY_TESTS)
  enable_testing()
endif()
include(GNUInstallDirs)

# The plugin and what it is loaded into must share one sanitizer runtime. clang and opt have none of their own, so it is the
# shared one, and it is loaded into them first. Their own leaks are not our business.
set(ASSAY_SANITIZE_FLAGS)
set(ASSAY_PLUGIN_LAUNCHER "") # Goes before a compiler that loads the plugin.
if(ASSAY_SANITIZE)
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libclang_rt.asan-x86_64.so
                  OUTPUT_VARIABLE ASSAY_SANITIZER_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(sanitizer_directory "${ASSAY_SANITIZER_RUNTIME}" DIRECTORY)
  # LLVM's own libraries hide the type information that the checks of vptr and of function types need.
  set(ASSAY_SANITIZE_FLAGS -fsanitize=address,undefined -fno-sanitize=vptr,function -shared-libsan)
  set(ASSAY_PLUGIN_LAUNCHER "${CMAKE_COMMAND}" -E env "LD_PRELOAD=${ASSAY_SANITIZER_RUNTIME}" "ASAN_OPTIONS=detect_leaks=0")
  add_link_options("-Wl,-rpath,${sanitizer_directory}")
endif()

find_package(LLVM REQUIRED CONFIG) # LLVM accepts only an exact major.minor, so the major is checked by hand.
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "Assay needs LLVM 22, found ${LLVM_PACKAGE_VERSION}; set LLVM_DIR")
endif()

if(ASSAY_LIBFUZZER)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()

# assay_target(NAME): the warnings and sanitizers that our own code is held to.
function(assay_target name)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Werror -Wno-unused-parameter)
  if(ASSAY_SANITIZE)
    target_compile_options(${name} PRIVATE ${ASSAY_SANITIZE_FLAGS} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
    target_link_options(${name} PUBLIC ${ASSAY_SANITIZE_FLAGS})
  endif()
endfunction()

# assay_test_target(NAME): a unit test of the libraries' interfaces, most of which are templates: it runs for seconds however it
# is compiled, and takes twice as long to compile when it is optimised. The libraries under test are built as ever.
set(ASSAY_TEST_OPTIMISATION $<$<CONFIG:Release,RelWithDebInfo>:-O0>)
function(assay_test_target name)
  assay_target(${name})
  target_compile_options(${name} PRIVATE ${ASSAY_TEST_OPTIMISATION})
endfunction()

# assay_command_target(NAME): the code around a check (arguments, files, children, reports) waits for others; its optimisation would
# take a fifth of the time to compile it.
function(assay_command_target name)
  assay_target(${name})
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
endfunction()

# assay_precompiled(NAME HEADER): an object library that compiles HEADER for the targets that are given to assay_use_precompiled.
# clang takes a precompiled header only with the optimisation level and the kind of position independence that it was made with.
function(assay_precompiled name header)
  set(unit "${CMAKE_BINARY_DIR}/generated/${name}.cpp")
  if(NOT EXISTS "${unit}")
    file(WRITE "${unit}" "")
  endif()
  add_library(${name} OBJECT "${unit}")
  assay_target(${name})
  target_compile_features(${name} PRIVATE cxx_std_20)
  # What the header alone instantiates is instantiated once. ccache compares the header's content; clang's own time stamps would
  # defeat that.
  target_compile_options(${name} PRIVATE -fpch-instantiate-templates -Xclang -fno-pch-timestamp)
  target_precompile_headers(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${header}>")
endfunction()

# assay_use_precompiled(TARGET NAME): the C++ sources of TARGET see the header first.
function(assay_use_precompiled target name)
  target_precompile_headers(${target} REUSE_FROM ${name})
  target_compile_options(${target} PRIVATE -Xclang -fno-pch-timestamp)
  get_target_property(kind ${target} TYPE)
  get_target_property(is_for_libraries ${name} POSITION_INDEPENDENT_CODE)
  if(kind STREQUAL EXECUTABLE AND is_for_libraries)
    target_compile_options(${target} PRIVATE -fPIC) # as the header; CMake would say -fPIE
  endif()
endfunction()

# assay_together(TARGET [COUNT]): sources of TARGET are compiled COUNT at a time: what they all instantiate, and that is most of
# what there is to compile, is instantiated once. So what is local to a file must not have the name of what is local to another.
function(assay_together target)
  set(count 6)
  if(ARGC GREATER 1)
    set(count ${ARGV1})
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ASSAY_UNITY} UNITY_BUILD_BATCH_SIZE ${count})
endfunction()

function(assay_llvm_headers name)
  target_include_directories(${name} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${name} PRIVATE ${LLVM_DEFINITIONS_LIST})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
endfunction()

# assay_llvm_target(NAME [PRECOMPILED]): a target that uses LLVM's headers, with the engine's precompiled header or another.
function(assay_llvm_target name)
  assay_target(${name})
  assay_llvm_headers(${name})
  if(ARGC GREATER 1)
    assay_use_precompiled(${name} ${ARGV1})
  elseif(TARGET assay_llvm_pch)
    assay_use_precompiled(${name} assay_llvm_pch)
  endif()
endfunction()
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
list(FILTER LLVM_DEFINITIONS_LIST INCLUDE REGEX "^-D")
list(TRANSFORM LLVM_DEFINITIONS_LIST REPLACE "^-D" "")
