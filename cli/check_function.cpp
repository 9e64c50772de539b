// The child sends one JSON line for each event: what it is about to run (as the record that a crash would leave), each
// record, and a refused request. After a crash a new child goes on with the combinations that are left.

#include "cli/check_function.hpp"

#include "cli/call_note.hpp"
#include "cli/child_process.hpp"
#include "cli/convert_record.hpp"
#include "cli/jit_subject.hpp"
#include "cli/shapes.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/program.hpp"
#include "reports/grouping.hpp"
#include "reports/json_lines.hpp"
#include "testutils/branch_search.hpp"
#include "testutils/effort.hpp"
#include <algorithm>
#include <assay/testing/check.hpp>
#include <assay/testing/message.hpp>
#include <deque>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

namespace assay::cli {

namespace {

constexpr std::string_view compiling = "compiling", widening = "widening", widened = "widened", tracing = "tracing",
                           traced = "traced", searching = "searching", searched = "searched", trying = "trying",
                           tried = "tried", about_to_run = "run ", decided = "record ", refused = "refused ",
                           counted = "counted ", at_shape = "shape ";

enum class Compilation { all_at_once, one_by_one };

/// What earlier children have taught.
struct Plan {
  std::vector<std::set<std::string>> left_out; ///< For each shape, combinations that need not be checked at it.
  Compilation compilation = Compilation::all_at_once;
  std::string no_trace;   ///< Not empty: why nothing is run with probes.
  std::string no_precise; ///< Not empty: why the widened function is not used.
  std::string no_search;  ///< Not empty: why no inputs are searched for.
  std::string no_trial;   ///< Not empty: why the function is not run where it may not have been made for the inputs.
};

/// In the child: one function, compiled once, at all its shapes.
class Child {
public:
  Child(const std::vector<CheckRequest> &shapes, const Plan &plan, const jit::ModuleFile &file, jit::Program &program,
        CallNote &note, const SendLine &send)
      : shapes_(shapes), plan_(plan), note_(note), send_(send) {
    for (std::size_t shape = 0; shape < shapes.size(); ++shape)
      add_subject(file, program, shape);
  }

  void run() {
    const std::vector<testutils::Combination> combinations = prepare();
    search_branches();
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      if (shapes_.size() > 1)
        send_(fmt::format("{}{}", at_shape, shape));
      check(shape, combinations);
    }
  }

private:
  void add_subject(const jit::ModuleFile &file, jit::Program &program, std::size_t shape) {
    JitSubject &subject = subjects_.emplace_back(shapes_[shape], program);
    subject.file = &file;
    subject.left_out = plan_.left_out[shape];
    subject.no_precise = plan_.no_precise;
    subject.no_trace = plan_.no_trace;
    subject.no_trial = plan_.no_trial;
    subject.before_trial = [this] { send_(trying); };
    subject.after_trial = [this] { send_(tried); };
    subject.before_trace = [this] { send_(tracing); };
    subject.after_trace = [this] { send_(traced); };
    subject.before_precise = [this] { send_(widening); };
    subject.after_precise = [this] { send_(widened); };
    subject.before_run = [this, shape](const testutils::Combination *combination, const testutils::Arguments &inputs) {
      note_.set_inputs(inputs);
      const testutils::Signature &signature = subjects_[shape].signature();
      const std::string description =
          combination ? testutils::describe(signature, *combination) : "the function itself";
      if (description == running_)
        return;
      running_ = description;
      send_(fmt::format("{}{}", about_to_run,
                        reports::to_json_line(unfinished_record(shapes_[shape], signature, combination))));
    };
  }

  /// Points of each shape at which comparisons fall out otherwise than at random ones. What none of them shows, no
  /// shape does.
  void search_branches() {
    if (plan_.no_search.empty() && effort_ && effort_->depth != testutils::Depth::every_check) {
      for (JitSubject &subject : subjects_)
        subject.unseen_branches = {"no inputs were searched for comparisons: a call takes too long"};
      return;
    }
    if (!plan_.no_search.empty()) {
      for (JitSubject &subject : subjects_)
        subject.unseen_branches = {"no inputs were searched for comparisons: " + plan_.no_search};
      return;
    }
    send_(searching);
    testutils::SidesSeen seen;
    std::unique_ptr<testutils::BranchTracer> tracer;
    const auto is_whole = [](const CheckRequest &shape) { return !shape.is_brief; };
    const auto whole = static_cast<std::size_t>(std::ranges::count_if(shapes_, is_whole));
    branch_points_.resize(shapes_.size());
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      if (shapes_[shape].is_brief)
        continue;
      tracer = branch_tracer(subjects_[shape]);
      if (!tracer)
        break;
      testutils::BranchBudget budget;
      budget.calls /= whole;
      budget.work /= whole;
      testutils::BranchSearchResult found =
          testutils::search_branches(*tracer, subjects_[shape].signature(), check_options(shapes_[shape]), budget);
      branch_points_[shape] = std::move(found.points);
      testutils::join(seen, found.seen);
    }
    if (tracer)
      for (JitSubject &subject : subjects_)
        subject.unseen_branches = testutils::unseen_sides(tracer->sites(), seen);
    send_(searched);
  }

  /// Without its rules where their derivatives cannot be compiled so; null where not even that can be.
  std::unique_ptr<testutils::BranchTracer> branch_tracer(JitSubject &subject) {
    for (const std::vector<testutils::Combination> &traced :
         {testutils::combinations_to_trace(subject, all_), std::vector<testutils::Combination>()})
      try {
        return subject.branch_tracer(traced);
      } catch (const testutils::SubjectError &) { // The check itself says so.
      }
    return nullptr;
  }

  /// Empty where the check of the only shape finds them.
  std::vector<testutils::Combination> prepare() {
    const testutils::CheckOptions options = check_options(shapes_.front());
    std::vector<std::pair<testutils::Subject *, testutils::Arguments>> points;
    for (JitSubject &subject : subjects_)
      points.emplace_back(&subject, testutils::random_inputs(subject.signature(), options, 0));
    std::vector<testutils::Combination> combinations = testutils::combinations_of(points, options);
    all_ = combinations;
    testutils::CheckOptions unlimited = options;
    unlimited.budget = 0;
    const std::size_t possible =
        options.budget == 0 ? combinations.size() : testutils::combinations_of(points, unlimited).size();
    send_(fmt::format("{}{}", counted, possible));
    bool is_part = limit_effort(points, combinations);
    if (const std::optional<testutils::Mode> mode = shapes_.front().settings.only_mode) {
      std::erase_if(combinations, [&](const testutils::Combination &combination) { return combination.mode != *mode; });
      is_part = true;
    }
    if (plan_.compilation == Compilation::all_at_once) {
      send_(compiling);
      for (JitSubject &subject : subjects_)
        subject.prepare(combinations);
    }
    running_.clear();
    return shapes_.size() == 1 && !is_part ? std::vector<testutils::Combination>() : combinations;
  }

  /// Chooses what there is time for; whether that is not all.
  bool limit_effort(const std::vector<std::pair<testutils::Subject *, testutils::Arguments>> &points,
                    std::vector<testutils::Combination> &combinations) {
    const CheckSettings &settings = shapes_.front().settings;
    if (settings.seconds == 0 || combinations.empty())
      return false;
    std::vector<testutils::CostOfShape> costs;
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      if (shapes_[shape].is_brief)
        continue;
      const auto &[subject, inputs] = points[shape];
      const std::optional<testutils::CallCost> cost = subject->cost_of_call(inputs);
      if (!cost)
        return false;
      costs.push_back(testutils::cost_of_shape(*cost, subject->signature()));
    }
    testutils::WantedEffort wanted;
    wanted.seconds = settings.seconds;
    wanted.combinations = combinations.size();
    wanted.budget = settings.budget_chosen == Chosen::by_user ? combinations.size() : 0;
    wanted.samples = settings.samples;
    wanted.keeps_samples = settings.samples_chosen == Chosen::by_user;
    effort_ = testutils::choose_effort(costs, wanted);
    constexpr std::uint64_t most_wide_operations = 100'000'000; // More than the estimate, which is what limits them.
    for (JitSubject &subject : subjects_) {
      subject.set_wide_budget(most_wide_operations);
      if (!effort_->uses_wide_arithmetic && subject.no_precise.empty())
        subject.no_precise = "the function: in wide arithmetic a call would take too long";
    }
    if (effort_->combinations >= combinations.size())
      return false;
    combinations = testutils::draw_combinations(combinations, effort_->combinations, check_options(shapes_.front()));
    return true;
  }

  testutils::CheckOptions options_of(std::size_t shape) const {
    testutils::CheckOptions options = check_options(shapes_[shape]);
    if (shapes_[shape].is_brief) {
      options.depth = testutils::Depth::derivative;
      options.samples = 1;
      options.brief_samples = options.edge_samples = options.magnitude_samples = options.scanned_samples = 0;
      return options;
    }
    if (!effort_)
      return options;
    if (effort_->depth != testutils::Depth::every_check || effort_->edge_samples < options.edge_samples)
      options.magnitude_samples = 0;
    options.depth = effort_->depth;
    options.samples = effort_->samples;
    options.brief_samples = effort_->brief_samples;
    options.edge_samples = effort_->edge_samples;
    options.scanned_samples = std::min(options.scanned_samples, effort_->scanned_samples);
    options.explanations = effort_->explanations;
    options.shrink_steps = effort_->shrink_steps;
    options.localisations = effort_->localisations;
    options.earlier_calls = effort_->earlier_calls;
    return options;
  }

  void check(std::size_t shape, const std::vector<testutils::Combination> &combinations) {
    if (combinations.empty() && (shapes_.size() > 1 || shapes_.front().settings.only_mode))
      return;
    JitSubject &subject = subjects_[shape];
    running_.clear();
    testutils::CheckOptions options = options_of(shape);
    options.combinations = combinations;
    if (shapes_[shape].is_brief) {
      options.combinations = testutils::combinations_to_trace(subject, combinations);
      if (options.combinations.empty() || is_slow())
        return;
    }
    if (shape < branch_points_.size())
      options.branch_points = branch_points_[shape];
    options.on_point = [this](unsigned sample) { note_.set_sample(sample); };
    options.on_record = [&](const testutils::Record &record) {
      // One point says nothing of the others.
      if (shapes_[shape].is_brief && testutils::outcome_of(record.verdict) != testutils::Outcome::failed)
        return;
      reports::Record converted = convert_record(shapes_[shape], subject.signature(), record);
      if (const std::string *reason = subject.refusal(record.combination))
        mark_refused(converted, *reason);
      if (!plan_.no_trial.empty())
        converted.not_seen.push_back(fmt::format("numbers at the edges of the domain, where of {}", plan_.no_trial));
      if (effort_)
        converted.effort = effort_->left_out;
      if (converted.outcome == reports::Outcome::failed) // Once is enough.
        for (JitSubject &other : subjects_)
          other.left_out.insert(reports::combination_text(converted));
      send_(fmt::format("{}{}", decided, reports::to_json_line(converted)));
    };
    subject.find_tables(options);
    static_cast<void>(testutils::check_gradients(subject, options));
  }

  /// There is no time for brief shapes.
  bool is_slow() const { return effort_ && effort_->depth != testutils::Depth::every_check; }

  const std::vector<CheckRequest> &shapes_;
  const Plan &plan_;
  CallNote &note_;
  const SendLine &send_;
  std::deque<JitSubject> subjects_;
  std::optional<testutils::Effort> effort_;                        ///< Absent: all that was asked for.
  std::vector<testutils::Combination> all_;                        ///< Combinations.
  std::vector<std::vector<testutils::BranchPoint>> branch_points_; ///< Of each shape.
  std::string running_;
};

void check_here(const std::vector<CheckRequest> &shapes, const jit::ModuleFile &file, const Plan &plan, CallNote &note,
                const SendLine &send) {
  const auto is_large = [](const CheckRequest &shape) { return repetition_of(shape) != jit::Repetition::little; };
  const jit::Repetition repetition =
      std::ranges::any_of(shapes, is_large) ? jit::Repetition::unknown : jit::Repetition::little;
  std::optional<jit::Program> program;
  try {
    program.emplace(file, shapes.front().function, repetition);
  } catch (const jit::BadRequest &error) {
    return send(fmt::format("{}{}", refused, error.what()));
  }
  Child(shapes, plan, file, *program, note, send).run();
}

/// What the parent has heard so far.
struct Progress {
  std::vector<reports::Record> records;
  std::optional<reports::Record> running;
  std::optional<std::string> refusal;
  Plan plan;
  bool is_compiling = false, is_widening = false, is_tracing = false, is_searching = false, is_trying = false;
  std::size_t shape = 0; ///< At which the child is.

  /// At this shape, and at the others if it failed.
  void leave_out(const reports::Record &record) {
    const std::string combination = reports::combination_text(record);
    for (std::size_t index = 0; index < plan.left_out.size(); ++index)
      if (index == shape || record.outcome == reports::Outcome::failed)
        plan.left_out[index].insert(combination);
  }
};

void hear(std::string_view line, Progress &progress, const CheckListener &listener) {
  if (line.starts_with(refused)) {
    progress.refusal = std::string(line.substr(refused.size()));
  } else if (line.starts_with(counted)) {
    listener.counted(std::stoul(std::string(line.substr(counted.size()))));
  } else if (line == compiling) {
    progress.is_compiling = true;
    listener.started("compiling");
  } else if (line == widening || line == widened) {
    progress.is_widening = line == widening;
  } else if (line == tracing || line == traced) {
    progress.is_tracing = line == tracing;
  } else if (line == searching || line == searched) {
    progress.is_searching = line == searching;
    progress.is_compiling = false;
  } else if (line == trying || line == tried) {
    progress.is_trying = line == trying;
  } else if (line.starts_with(about_to_run)) {
    progress.is_compiling = false;
    progress.running = reports::record_from_json_line(line.substr(about_to_run.size()));
    listener.started(reports::combination_text(*progress.running));
  } else if (line.starts_with(decided)) {
    progress.records.push_back(reports::record_from_json_line(line.substr(decided.size())));
    progress.leave_out(progress.records.back());
    listener.decided(progress.records.back());
  } else if (line.starts_with(at_shape)) {
    progress.shape = std::stoul(std::string(line.substr(at_shape.size())));
  }
}

/// The rules that a derivative in this mode uses.
std::string rules_in_words(const CheckRequest &request, const jit::ModuleFile &file, const std::string &mode) {
  std::vector<std::string> rules;
  for (const jit::RegisteredRule &rule : jit::registered_rules(file.module(), request.function.linkage_name))
    if (rule.is_reached && mode == (rule.mode == jit::Mode::forward ? "forward" : "reverse"))
      rules.push_back(jit::describe(rule));
  return rules.size() == 1 ? rules.front() + "; no other rule is used"
                           : fmt::format("{}{}", rules.empty() ? "" : "one of ", fmt::join(rules, "; "));
}

/// The call that did not return.
void add_call(reports::Record &record, const testutils::Signature &signature, const CallNote &note) {
  const testutils::Arguments inputs = note.inputs();
  record.sample = note.sample();
  for (std::size_t index = 0; index < inputs.size(); ++index)
    record.inputs.push_back({signature.parameters[index].name, inputs[index]});
  record.message = fmt::format(
      "{} in {}\n  {}\n{}{}{}  seed {}, sample {}\n  replay: {}", record.verdict, reports::combination_text(record),
      record.detail, record.rule.empty() ? "" : fmt::format("  rule {}\n", record.rule),
      inputs.empty() ? "" : "  inputs of the call\n", testutils::inputs_in_words(signature, inputs), record.seed,
      record.sample, record.replay);
}

/// Of the largest shape.
CallNote note_for(const std::vector<CheckRequest> &shapes) {
  std::size_t numbers = 0;
  for (const CheckRequest &shape : shapes) {
    std::size_t of_shape = 0;
    for (const jit::ArgumentSpec &spec : shape.arguments)
      of_shape += spec.elements();
    numbers = std::max(numbers, of_shape);
  }
  return CallNote(shapes.front().arguments.size(), numbers);
}

/// True when there may be combinations left to check.
bool record_crash(const ChildEnd &end, const std::vector<CheckRequest> &shapes, const jit::ModuleFile &file,
                  const CallNote &note, Progress &progress, const CheckListener &listener) {
  if (progress.is_compiling &&
      end.kind != ChildEnd::Kind::hung) { // Compiled one by one, it belongs to its combination.
    progress.plan.compilation = Compilation::one_by_one;
    progress.is_compiling = false;
    return true;
  }
  if (progress.is_searching) {
    progress.plan.no_search = fmt::format("the function {}", describe(end));
    progress.is_searching = false;
    return true;
  }
  if (progress.is_tracing) {
    progress.plan.no_trace = fmt::format("with probes it {}", describe(end));
    progress.is_tracing = false;
    return true;
  }
  if (progress.is_trying) { // Nobody calls it so.
    progress.plan.no_trial = fmt::format("the function itself: {}", describe(end));
    progress.is_trying = false;
    return true;
  }
  if (progress.is_widening) { // That is no fault of the derivative's.
    progress.plan.no_precise = fmt::format("the function: its widened form {}", describe(end));
    progress.is_widening = false;
    return true;
  }
  const CheckRequest &request = shapes[progress.shape];
  reports::Record record = progress.running.value_or(unfinished_record(request, signature_of(request), nullptr));
  if (gave_no_answer(end))
    record.verdict = testutils::name_of(testutils::Verdict::no_answer);
  const bool compiles_derivatives = std::exchange(progress.is_compiling, false); // One by one they take longer still.
  if (end.kind == ChildEnd::Kind::hung && (compiles_derivatives || !progress.running)) {
    record = unfinished_record(request, signature_of(request), nullptr);
    record.mode = compiles_derivatives ? "compiling its derivatives" : "compiling it";
    record.verdict = testutils::name_of(testutils::Verdict::no_answer);
  }
  record.detail = describe(end) + (end.kind == ChildEnd::Kind::hung ? " (--patience)" : "");
  record.rule = rules_in_words(request, file, record.mode);
  add_call(record, signature_of(request), note);
  const bool goes_on =
      !record.activities.empty() && !progress.plan.left_out[progress.shape].contains(reports::combination_text(record));
  progress.leave_out(record);
  progress.running.reset();
  progress.records.push_back(record);
  listener.decided(record);
  return goes_on;
}

/// How much a record of one shape says about all.
int weight(const reports::Record &record) {
  if (record.outcome == reports::Outcome::failed)
    return 3;
  if (record.verdict == testutils::name_of(testutils::Verdict::nothing_compared))
    return 0;
  return record.outcome == reports::Outcome::undecided ? 2 : 1;
}

/// One record for each combination: its first failing, else undecided, else last shape. Shapes at which there was
/// nothing to compare say nothing, if there are others.
std::vector<reports::Record> joined(std::vector<reports::Record> records) {
  std::vector<reports::Record> all;
  for (reports::Record &record : records) {
    const std::string text = reports::combination_text(record);
    const auto known =
        std::ranges::find(all, text, [](const reports::Record &other) { return reports::combination_text(other); });
    if (known == all.end())
      all.push_back(std::move(record));
    else if (weight(record) > weight(*known) || (weight(record) == weight(*known) && weight(record) == 1))
      *known = std::move(record);
  }
  return all;
}

} // namespace

testutils::CheckOptions check_options(const CheckRequest &request) {
  testutils::CheckOptions options;
  options.seed = request.settings.seed;
  options.samples = request.settings.samples;
  options.brief_samples = 4 * request.settings.samples;
  options.scanned_samples = 64 * request.settings.samples;
  options.edge_samples = 2 * request.settings.samples;
  options.magnitude_samples = 8 * request.settings.samples / 3; // As many as there are kinds of them.
  options.modes = request.settings.modes;
  options.variations = request.settings.variations;
  options.budget = request.settings.budget;
  options.most_digits_lost = request.settings.most_digits_lost;
  options.oracle = request.settings.oracle;
  options.tolerance.relative = request.settings.rtol;
  options.tolerance.absolute = request.settings.atol;
  return options;
}

std::vector<reports::Record> check_function(const CheckRequest &request, const jit::ModuleFile &file,
                                            const CheckListener &listener) {
  const std::vector<CheckRequest> shapes = shapes_of(request);
  Progress progress;
  progress.plan.left_out.resize(shapes.size());
  const std::chrono::seconds patience(request.settings.patience_seconds);
  CallNote note = note_for(shapes);
  for (bool unfinished = true; unfinished;) {
    note.clear();
    const ChildEnd end =
        run_in_child([&](const SendLine &send) { check_here(shapes, file, progress.plan, note, send); },
                     [&](std::string_view line) { hear(line, progress, listener); }, patience, request.settings.limits);
    if (progress.refusal)
      throw jit::BadRequest(*progress.refusal);
    unfinished = end.kind != ChildEnd::Kind::returned && record_crash(end, shapes, file, note, progress, listener);
  }
  return joined(std::move(progress.records));
}

} // namespace assay::cli
