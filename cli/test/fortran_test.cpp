// Programs of Fortran: how procedures are named and described, and what is refused. Skipped where there is no flang.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"
#include "cli/test/wrong_cube.hpp"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::cli::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Fortran : public testing::Test {
protected:
  void SetUp() override {
    if (!llvm::sys::findProgramByName("flang-22"))
      GTEST_SKIP() << "no flang-22";
    place.write("sums.f90", R"(
module sums
  implicit none
  type mixed
    integer :: n
    real(8) :: x
  end type
contains
  real(8) function dot(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n)
    dot = dot_product(x, y)
  end function
  subroutine squares(x, y)
    real(8), intent(in) :: x(:, :)
    real(8), intent(out) :: y(:)
    y = sum(x**2, dim=1)
  end subroutine
  real(8) function twice(f, x)
    interface
      real(8) function f(t)
        real(8), intent(in) :: t
      end function
    end interface
    real(8), intent(in) :: x
    twice = f(f(x))
  end function
  real(8) function cosine(t)
    real(8), intent(in) :: t
    cosine = cos(t)
  end function
  subroutine grow(x)
    real(8), allocatable :: x(:)
    x = 2 * x
  end subroutine
  subroutine take(m, y)
    type(mixed) :: m
    real(8) :: y
    y = m%x
  end subroutine
  function doubled(x, n) result(y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: y(n)
    y = 2 * x
  end function
end module
subroutine scale(kind, on, x)
  character(len=*) :: kind
  logical :: on
  real(4) :: x
  if (on .and. kind == 'yes') x = 3 * x
end subroutine
complex(8) function square(z)
  complex(8) :: z
  square = z * z
end function
)");
  }

  void expect_passed(const std::string &words) const {
    for (const std::string &level : optimisation_levels()) {
      const Outcome outcome = place.assay("check sums.f90 --plain --samples 1 " + words + " --opt-level " + level);
      EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
      EXPECT_THAT(outcome.last_line(), HasSubstr(" 0 failed, 0 undecided"));
    }
  }

  void expect_refusal(const std::string &words, const std::string &part) const {
    const Outcome outcome = place.assay("check " + words);
    EXPECT_EQ(outcome.code, 2) << outcome.output;
    EXPECT_THAT(outcome.errors, HasSubstr(part));
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
  }

  Workplace place;
};

TEST_F(Fortran, names_are_those_of_the_source_in_any_case) {
  for (const char *name : {"dot", "sums::dot", "DOT"})
    expect_passed(std::string("--function ") + name + " --arg int=3 --arg 'double[n]' --arg 'double[n]'");
  expect_passed("--function COSINE");
}

TEST_F(Fortran, arrays_of_assumed_shape_have_the_extents_of_their_specs) {
  expect_passed("--function squares --arg 'double[3x2]' --arg 'double[2]'");
  expect_refusal("sums.f90 --function squares --arg 'double[6]' --arg 'double[2]'",
                 "has 2 extents, for example double[3x3]");
}

TEST_F(Fortran, procedures_are_named_by_specs) {
  expect_passed("--function twice --arg f=cosine --arg double");
  expect_refusal("sums.f90 --function twice --arg f=sine --arg double", "there is no procedure 'sine'");
}

TEST_F(Fortran, logicals_characters_complex_results_and_arrays_are_passed_as_flang_does) {
  expect_passed("--function scale --arg 'int8_t[3]=121,101,115' --arg bool=1 --arg float");
  expect_passed("--function square --arg 'double[2]' --arg 'double[2]'");
  expect_passed("--function doubled --arg 'double[4]' --arg 'double[4]' --arg int=4");
}

TEST_F(Fortran, parameters_that_no_spec_describes_are_refused_with_advice) {
  expect_refusal("sums.f90 --function grow --arg 'double[3]'", "is an allocatable array; write a procedure");
  expect_refusal("sums.f90 --function take --arg 'double[3]' --arg double",
                 "of a derived type that does not only have numbers of one kind");
}

TEST_F(Fortran, files_use_the_modules_of_those_before_them) {
  place.write("constants.f90",
              "module constants\n  real(8) :: g = 9.81d0\ncontains\n  real(8) function drag(v)\n"
              "    real(8), intent(in) :: v\n    drag = 0.5d0 * v * abs(v)\n  end function\nend module\n");
  place.write("fall.f90", "subroutine fall(h, v)\n  use constants\n  real(8), intent(in) :: h\n"
                          "  real(8), intent(inout) :: v\n  v = v + h * (g - drag(v))\nend subroutine\n");
  for (const char *files : {"constants.f90 fall.f90", "fall.f90 --with constants.f90"})
    EXPECT_EQ(place.assay(std::string("check ") + files + " --plain --samples 1 --function fall").code, 0) << files;
}

TEST_F(Fortran, marks_are_comments) {
  place.write("marked.f90", "! ASSAY_CHECK(cube, \"double:positive\")\n"
                            "real(8) function cube(x)\n  real(8) :: x\n  cube = x**3\nend function\n");
  EXPECT_EQ(place.assay("check marked.f90 --plain --samples 1").code, 0);
  place.write("damaged.f90", "! ASSAY_CHECK(cube, double)\nsubroutine cube(x)\n  real(8) :: x\nend subroutine\n");
  expect_refusal("damaged.f90", "damaged.f90:1: ASSAY_CHECK: 'double' is not in quotation marks");
}

TEST_F(Fortran, wide_arithmetic_goes_past_what_is_printed) {
  place.write("p.f90", "real(8) function printed(x)\n  real(8), intent(in) :: x\n  print *, 'x', x\n"
                       "  printed = sin(x) * x\nend function\n");
  const Outcome outcome = place.assay("check p.f90 --plain --function printed --arg 'double:(0.5,2)' --seconds 2");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("by wide arithmetic"));
}

TEST_F(Fortran, errors_of_the_compiler_have_a_place) {
  place.write("wrong.f90", "subroutine wrong(x)\n  implicit none\n  real(8) :: x\n  x = y\nend subroutine\n");
  const Outcome outcome = place.assay("check wrong.f90 --function wrong");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors,
              StartsWith("assay: wrong.f90 does not compile: ./wrong.f90:4:7: error: No explicit type"));
}

TEST_F(Fortran, addresses_of_internal_procedures_that_are_kept_stop_with_a_sentence) {
  place.write("kept.f90", R"(
module keeper
  abstract interface
    real(8) function fn(t)
      real(8), intent(in) :: t
    end function
  end interface
  procedure(fn), pointer :: kept
contains
  real(8) function call_kept(x)
    real(8), intent(in) :: x
    call_kept = kept(x)
  end function
  real(8) function host(x, k)
    real(8), intent(in) :: x, k
    kept => inner
    host = call_kept(x)
  contains
    real(8) function inner(t)
      real(8), intent(in) :: t
      inner = k * t
    end function
  end function
end module
)");
  const Outcome outcome = place.assay("check kept.f90 --plain --samples 1 --function host --opt-level 0");
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.output + outcome.errors, HasSubstr("make it a module procedure"));
}

/// Would catch: a file of the failure alone whose function is taken for a procedure again, or that is linked twice with
/// the rule.
TEST_F(Fortran, failures_are_shown_again_by_the_files_of_a_reproducer) {
  place.write("cube.f90", R"(
module cubes
  interface
    real(c_double) function cube(t) bind(c)
      use iso_c_binding
      real(c_double), value :: t
    end function
  end interface
contains
  real(8) function total(x)
    real(8), intent(in) :: x(:)
    total = sum(x**2) + cube(x(1))
  end function
end module
)");
  place.write("cube.c", std::string(wrong_cube));
  const Outcome outcome = place.assay("check cube.f90 --with cube.c --function total --arg 'double[4]' --plain --mode "
                                      "forward --reproducer out");
  ASSERT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  const std::string label = "alone       ";
  const std::size_t begin = outcome.output.find(label);
  ASSERT_NE(begin, std::string::npos) << outcome.output;
  const std::string command = outcome.output.substr(begin + label.size(), outcome.output.find('\n', begin) - begin);
  const Outcome again = place.shell(command.substr(0, command.find('\n')));
  EXPECT_EQ(again.code, 1) << command << again.errors;
  EXPECT_THAT(again.output, HasSubstr("wrong derivative"));
}

} // namespace
} // namespace assay::cli::test
