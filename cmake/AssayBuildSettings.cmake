# Settings that every target shares: language level, warnings, output folders, ccache, LLVM, sanitizers.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

find_program(ASSAY_CCACHE ccache)
if(ASSAY_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${ASSAY_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${ASSAY_CCACHE}")
endif()

option(ASSAY_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(ASSAY_VERIFY_IR "Run the LLVM verifier on every function that the engine writes" ON)
enable_testing()
include(GNUInstallDirs)
find_package(LLVM REQUIRED CONFIG) # LLVM accepts only an exact major.minor, so the major is checked by hand.
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "Assay needs LLVM 22, found ${LLVM_PACKAGE_VERSION}; set LLVM_DIR")
endif()

# assay_target(NAME): the warnings and sanitizers that our own code is held to.
function(assay_target name)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Werror -Wno-unused-parameter)
  if(ASSAY_SANITIZE)
    target_compile_options(${name} PRIVATE -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
    target_link_options(${name} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# assay_llvm_target(NAME): a target that uses LLVM's headers, with the shared precompiled header.
function(assay_llvm_target name)
  assay_target(${name})
  target_include_directories(${name} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${name} PRIVATE ${LLVM_DEFINITIONS_LIST})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  if(TARGET assay_llvm_pch)
    target_precompile_headers(${name} REUSE_FROM assay_llvm_pch)
    # ccache compares the header's content; clang's own time stamps would defeat that.
    target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  endif()
endfunction()
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
list(FILTER LLVM_DEFINITIONS_LIST INCLUDE REGEX "^-D")
list(TRANSFORM LLVM_DEFINITIONS_LIST REPLACE "^-D" "")
