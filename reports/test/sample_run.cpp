#include "reports/test/sample_run.hpp"

#include <limits>

namespace assay::reports::test {

namespace {

Record plain_record() {
  Record record;
  record.file = "dot.c";
  record.function = "dot";
  record.argument_specs = {"double[2]", "int=2"};
  record.seed = 0xFFFFFFFFFFFFFFFF;
  record.mode = "reverse";
  record.result_activity = "Active";
  record.parameters = {"x", "n"};
  record.activities = {"Duplicated", "Const"};
  record.verdict = "pass";
  record.worst = {{"x[1]", 0.1, 0.3, 0.25, 1e-14, 1e-13, 2, 1e-9, 1e-12, 1e-3}};
  record.inputs = {{"x", {0.1, -0.0}}, {"n", {2}}};
  record.replay = "assay check dot.c --function dot --arg 'double[2]' --arg int=2 --seed 1";
  record.provenance = {std::string(32, 'a'), std::string(32, 'b'), std::string(32, 'c'), "0.1.0", "22.1.0", "-O2",
                       "a processor",        std::string(32, 'd')};
  record.lost_digits = "3 digits lost to cancellation at dot.c:4 in x[1]";
  record.digits_lost = 3;
  record.times = {{9, 2000, 2100, 2200}, {9, 5000, 5250, 5500}};
  record.steps = StepStudy{"x[1]", 0.1, {}, 2.0, {{0.5, 0.3, 0.2}, {0.125, 0.15, 0.101}, {0x1p-30, 0.1, 0.1}}};
  record.not_seen = {"the comparison at dot.c:7 fell out the same at every point"};
  return record;
}

} // namespace

Run sample_run() {
  Record passed = plain_record();
  Record failed = plain_record();
  failed.mode = "forward";
  failed.outcome = Outcome::failed;
  failed.verdict = "wrong derivative";
  failed.detail = "x[1] is wrong: <0.1> & \"0.3\"";
  failed.message = "wrong derivative of dot\n  x[1]  0.1  0.3";
  failed.witnesses = {{"reverse", 1, 0, 1.0}, {"forward", 3, 0, {}}, {"finite differences", 3, 1e-10, {}}};
  failed.odd_one = "reverse is the odd one: forward and finite differences agree";
  failed.first_wrong = FirstWrong{"the adjoint of argument 1 of the call of cube", "cubes.c:9 in cubes", 1, 3, 2, 4};
  failed.steps->expected = 0.3;
  failed.hints = {"a factor of 3"};
  failed.effort = "24 of 96 combinations: a call takes 1e+09 operations";
  failed.backend = "emulated device";
  failed.second_oracle = "wide arithmetic";
  failed.worst.front().second = 0.3;
  failed.worst.front().second_error = 1e-21;
  failed.worst.front().absolute_error = std::numeric_limits<double>::infinity();
  failed.worst.front().ad = std::numeric_limits<double>::quiet_NaN();
  Record undecided = plain_record();
  undecided.function = "kinked";
  undecided.outcome = Outcome::undecided;
  undecided.verdict = "oracle unreliable";
  Record caught = plain_record();
  caught.function = "planted";
  caught.verdict = "wrong derivative";
  caught.expected_failure = true;

  Run run;
  run.command = "assay check dot.c";
  run.seed = 7;
  run.environment = "a machine";
  run.seconds = 1.25;
  run.records = {passed, failed, undecided, caught};
  return run;
}

} // namespace assay::reports::test
