# Which tests are left to the run at all levels (ASSAY_ALL_LEVELS, `./assay test --all-levels`), which has every test at its full size.
#
# By default each unit test runs, the suites at -O0 and -O2, each class of the tests that plant faults, each command, and each page with
# commands. What is left out repeats one of these:
#   - at a second optimisation level, architecture, kind of number or way to install, where the first one stays
#   - for all of a collection of which a part stays: kernels of whole programs, right and wrong rules of one class, all of CUB
# and a campaign (sweeps, random programs, mutants) is smaller. Tests of the command that loop over levels or have a size ask
# cli/test/run_size.hpp; others ask here, by their name.
# Beside these only the long run has the suites at -O1 and -O3 (suites/CMakeLists.txt), ptxas for newer devices (core/test/device), all
# faults of rules (suites/cpp_rules), programs of Rust (suites/rust), nights (cli/test) and the derivatives of assay-bench (bench): what
# they need is not built by default either.
set(ASSAY_LONG_TESTS
    # All algorithms of CUB, and each as code of the host and by rules. Emulate.runs_algorithms_of_cub_for_a_whole_device, those of
    # Thrust and the kernels of KernelHeaders stay.
    Emulate.differentiates_algorithms_of_cub_for_a_whole_device
    KernelHeaders.all_of_cub_is_there_by_its_one_header
    Device.cub_calls
    # Further kernels of whole programs, and further kernels whose gradients need the device's heap or not.
    Gpu.Programs.*
    Gpu.Heap.*
    # Sums in a block of many sizes; the kernel dense_layer and the sums of a warp stay.
    gpu_block_sums_test.emulated
    # For devices; the program runs emulated (Launches).
    Device.kernel_objects.*
    # A second architecture and kind of number.
    Device.half_functions.BFLOAT.*
    Device.half_functions.*_PAIR.*
    # A second level; -O2 stays.
    Gpu.Kernels.*.O0
    Gpu.Wrong.*.O0
    Fortran.*.f90.O0
    Fortran.*.f.O0
    Device.*.O0
    # A second way to install; the install tree stays.
    Consumer.FindsAssayInThebuildTree
    Consumer.UnpacksTheDebianPackages
    # All of what a real project has; its parts are tests of their own.
    ReplayedProgram.IsMadeOfARealProject
    ExampleProject.passes_its_checks
    # Times, of which none are compared here.
    Bench.ChecksWhatItMeasures
    # Thousands of numbers.
    With/WrongRule.*/one_float_of_many
    # Further points at which right derivatives were called wrong; the first of each program stays.
    Points/DifficultPoint.IsNeverWrong/WhatIsAddedHasNoDigits
    Points/DifficultPoint.IsNeverWrong/TiesBesideSmallAdjoints
    Points/DifficultPoint.IsNeverWrong/EdgesThat*
    Points/DifficultPoint.IsNeverWrong/EdgesOf*
    Points/DifficultPoint.IsNeverWrong/TheFunctionUnderflows
    Points/DifficultPoint.IsNeverWrong/DifferencesThatDoNotConverge)

# Of those that the patterns above name.
set(ASSAY_TESTS_THAT_STAY
    Gpu.Programs.molecular_dynamics.pair_forces
    Gpu.Programs.neural_network.dense_forward
    Gpu.Programs.shallow_water.advance
    Gpu.Heap.matrix_product # with a tape in memory
    Gpu.Heap.saxpy) # without

# assay_is_long(NAME RESULT): whether a test is left to the run at all levels.
function(assay_is_long name result)
  set(${result} OFF PARENT_SCOPE)
  if(ASSAY_ALL_LEVELS OR name IN_LIST ASSAY_TESTS_THAT_STAY)
    return()
  endif()
  foreach(pattern IN LISTS ASSAY_LONG_TESTS)
    string(REPLACE "." "\\." pattern "${pattern}")
    string(REPLACE "*" ".*" pattern "${pattern}")
    if(name MATCHES "^${pattern}$")
      set(${result} ON PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# assay_discover_tests(TARGET [LONG PATTERNS...]): gtest_discover_tests without the tests that are left to the run at all levels, here
# or by PATTERNS.
function(assay_discover_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" LONG)
  set(filter "")
  if(NOT ASSAY_ALL_LEVELS)
    list(JOIN ASSAY_LONG_TESTS ":" names)
    list(JOIN given_LONG ":" further)
    set(filter TEST_FILTER "-${names}:${further}")
  endif()
  gtest_discover_tests(${target} ${filter})
endfunction()
