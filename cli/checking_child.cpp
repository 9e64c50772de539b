#include "cli/checking_child.hpp"

#include "cli/check_function.hpp"
#include "cli/convert_record.hpp"
#include "cli/jit_subject.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/fortran_runtime.hpp"
#include "reports/grouping.hpp"
#include "reports/json_lines.hpp"
#include "testutils/branch_search.hpp"
#include "testutils/effort.hpp"
#include "testutils/point.hpp"
#include <algorithm>
#include <assay/testing/check.hpp>
#include <assay/testing/message.hpp>
#include <deque>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace assay::cli {

namespace {

class CheckingChild {
public:
  CheckingChild(const std::vector<CheckRequest> &shapes, const CheckPlan &plan, const jit::ModuleFile &file,
                jit::Program &program, CallNote &note, const SendLine &send)
      : shapes_(shapes), program_(program), plan_(plan), note_(note), send_(send) {
    for (std::size_t shape = 0; shape < shapes.size(); ++shape)
      add_subject(file, program, shape);
    introduce_shapes();
  }

  void run() {
    const std::vector<testutils::Combination> combinations = prepare();
    search_branches();
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      if (shapes_.size() > 1)
        send_(fmt::format("{}{}", check_event::at_shape, shape));
      check(shape, combinations);
    }
  }

private:
  /// At a shape; without a combination: of the function itself.
  using Call = std::pair<std::size_t, std::optional<testutils::Combination>>;

  void add_subject(const jit::ModuleFile &file, jit::Program &program, std::size_t shape) {
    JitSubject &subject = subjects_.emplace_back(shapes_[shape], program);
    subject.file = &file;
    subject.left_out = plan_.left_out[shape];
    for (const testutils::Mode mode : {testutils::Mode::forward, testutils::Mode::reverse})
      if (plan_.modes_given_up.contains(std::string(testutils::name_of(mode))))
        subject.modes_given_up.insert(mode);
    subject.no_precise = plan_.no_precise;
    subject.no_trace = plan_.no_trace;
    subject.no_trial = plan_.no_trial;
    subject.before_trial = [this] { send_(check_event::trying); };
    subject.after_trial = [this] { send_(check_event::tried); };
    subject.before_trace = [this] { send_(check_event::tracing); };
    subject.after_trace = [this] { send_(check_event::traced); };
    subject.before_precise = [this] { send_(check_event::widening); };
    subject.after_precise = [this] { send_(check_event::widened); };
    subject.before_run = [this, shape](const testutils::Combination *combination, const testutils::Arguments &inputs) {
      note_.set_inputs(inputs);
      announce(shape, combination);
    };
    subject.before_other_run = [this](const char *way) { note_.set_way(way); };
  }

  /// Calls of the function and of a derivative take turns: what is known already is sent as its number.
  void announce(std::size_t shape, const testutils::Combination *combination) {
    const auto is_this = [&](const Call &call) {
      return call.first == shape && (combination ? call.second == *combination : !call.second);
    };
    if (running_ && is_this(announced_[*running_]))
      return;
    const auto known = std::ranges::find_if(announced_, is_this);
    running_ = static_cast<std::size_t>(known - announced_.begin());
    if (known != announced_.end())
      return send_(fmt::format("{}{}", check_event::about_to_run_again, *running_));
    announced_.emplace_back(shape, combination ? std::optional(*combination) : std::nullopt);
    send_(fmt::format(
        "{}{}", check_event::about_to_run,
        reports::to_json_line(unfinished_record(shapes_[shape], subjects_[shape].signature(), combination))));
  }

  /// How many integers of two shapes differ.
  std::size_t differences(std::size_t shape, std::size_t other) const {
    std::size_t count = 0;
    for (std::size_t index = 0; index < shapes_[shape].arguments.size(); ++index)
      count += differ_in(shape, other, index) ? 1 : 0;
    return count;
  }
  bool differ_in(std::size_t shape, std::size_t other, std::size_t index) const {
    return shapes_[shape].arguments[index].integers != shapes_[other].arguments[index].integers;
  }

  /// For each integer of a shape the one that has another there, and most of the others.
  std::set<std::size_t> relatives(std::size_t shape) const {
    std::set<std::size_t> found;
    for (std::size_t index = 0; index < shapes_[shape].arguments.size(); ++index) {
      std::optional<std::size_t> closest;
      for (std::size_t other = 0; other < shapes_.size(); ++other)
        if (differ_in(shape, other, index) && (!closest || differences(shape, other) < differences(shape, *closest)))
          closest = other;
      if (closest)
        found.insert(*closest);
    }
    return found;
  }

  /// The smallest and the largest shape to each other one, and to each other; those that differ little to each.
  void introduce_shapes() {
    std::vector<std::size_t> whole;
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape)
      if (!shapes_[shape].is_brief)
        whole.push_back(shape);
    const auto numbers_of = [&](std::size_t shape) {
      std::size_t numbers = 0;
      for (const testutils::Parameter &parameter : subjects_[shape].signature().parameters)
        numbers += parameter.size();
      return numbers;
    };
    const auto [smallest, largest] = std::ranges::minmax_element(whole, {}, numbers_of);
    for (const std::size_t shape : whole)
      for (const auto other : {smallest, largest})
        if (numbers_of(*other) != numbers_of(shape))
          subjects_[shape].other_shapes.push_back({&subjects_[*other], JitSubject::OtherNumbers::drawn});
    for (const std::size_t shape : whole)
      for (const std::size_t other : relatives(shape))
        subjects_[shape].other_shapes.push_back({&subjects_[other], JitSubject::OtherNumbers::the_same});
  }

  /// Points of each shape at which comparisons fall out otherwise than at random ones. Sides that none of them takes,
  /// no shape does.
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
    send_(check_event::searching);
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
    send_(check_event::searched);
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
      points.emplace_back(&subject, inputs_within_domain(subject, options));
    std::vector<testutils::Combination> combinations = testutils::combinations_of(points, options);
    all_ = combinations;
    if (combinations.empty())
      say_why_kernel_fails(points.front().second);
    bool is_part = leave_out_what_does_not_fit(combinations);
    testutils::CheckOptions unlimited = options;
    unlimited.budget = 0;
    const std::size_t possible =
        options.budget == 0 ? combinations.size() : testutils::combinations_of(points, unlimited).size();
    send_(fmt::format("{}{}", check_event::counted, possible));
    is_part = limit_effort(points, combinations) || is_part;
    if (const std::optional<testutils::Mode> mode = shapes_.front().settings.only_mode) {
      std::erase_if(combinations, [&](const testutils::Combination &combination) { return combination.mode != *mode; });
      is_part = true;
    }
    if (plan_.compilation == Compilation::all_at_once) {
      send_(check_event::compiling);
      for (JitSubject &subject : subjects_)
        subject.prepare(combinations);
    }
    running_.reset();
    return shapes_.size() == 1 && !is_part ? std::vector<testutils::Combination>() : combinations;
  }

  /// The first of a few points at which the function does not throw.
  static testutils::Arguments inputs_within_domain(JitSubject &subject, const testutils::CheckOptions &options) {
    constexpr unsigned most_points = 16;
    testutils::Arguments inputs;
    for (unsigned sample = 0; sample < most_points; ++sample) {
      inputs = testutils::random_inputs(subject.signature(), options, sample);
      try {
        static_cast<void>(subject.evaluate(inputs));
        break;
      } catch (const testutils::FunctionThrew &) {
        continue;
      } catch (const testutils::SubjectError &) { // The check itself says so.
        break;
      }
    }
    return inputs;
  }

  /// Shadows of shared arrays stand beside them, as many as the derivative is wide.
  bool leave_out_what_does_not_fit(std::vector<testutils::Combination> &combinations) {
    const jit::FunctionSignature &function = shapes_.front().function;
    if (!function.launch)
      return false;
    std::set<unsigned> widths;
    const std::size_t all = combinations.size();
    std::erase_if(combinations, [&](const testutils::Combination &combination) {
      const bool fits = program_.shared_bytes(combination.width) <= jit::most_shared_bytes();
      if (!fits)
        widths.insert(combination.width);
      return !fits;
    });
    if (widths.empty())
      return false;
    const std::string bytes = fmt::format("a block needs {} bytes of shared memory, where a device has at most {}",
                                          program_.shared_bytes(*widths.begin()), jit::most_shared_bytes());
    if (combinations.empty())
      send_(fmt::format("{}no derivative of {} fits: with the shadows {}; launch it with less", check_event::refused,
                        function.name, bytes));
    unfitting_ = fmt::format("{} of {} combinations, those of width {}: with width {} {}", all - combinations.size(),
                             all, fmt::join(widths, ", "), *widths.begin(), bytes);
    return true;
  }

  /// A kernel that fails changes nothing: it seems to have no derivative.
  void say_why_kernel_fails(const testutils::Arguments &inputs) {
    const std::string &name = shapes_.front().function.name;
    try {
      const std::optional<testutils::ThreadReport> threads = subjects_.front().watch_threads(inputs);
      if (threads && !threads->findings.empty())
        send_(fmt::format("{}{} cannot be checked: {}", check_event::refused, name, threads->findings.front()));
    } catch (const testutils::SubjectError &error) {
      send_(fmt::format("{}{} cannot be checked: {}", check_event::refused, name, error.what()));
    }
  }

  /// Chooses the combinations that there is time for; whether some are left out.
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
    testutils::OfferedCombinations offered{combinations, {}};
    const bool is_as_given = settings.budget_chosen == Chosen::by_user;
    if (!is_as_given && !shapes_.front().function.launch)
      offered = testutils::offered_combinations(points, check_options(shapes_.front()));
    wanted.combinations = offered.usual.size();
    wanted.budget = is_as_given ? combinations.size() : 0;
    wanted.samples = settings.samples;
    wanted.keeps_samples = settings.samples_chosen == Chosen::by_user;
    effort_ = testutils::choose_effort(costs, wanted);
    limit_wide_arithmetic(effort_->wide_shapes);
    const std::size_t possible = combinations.size();
    combinations = testutils::fit_combinations(std::move(offered), *effort_, check_options(shapes_.front()));
    return combinations.size() < possible;
  }

  /// To the shapes for which there is time; those that are looked at briefly have it where all others do.
  void limit_wide_arithmetic(const std::vector<bool> &wide_shapes) {
    constexpr std::uint64_t most_operations = 100'000'000; // More than the estimate, which limits them.
    const bool are_all_wide = std::ranges::find(wide_shapes, false) == wide_shapes.end();
    auto is_wide = wide_shapes.begin();
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      JitSubject &subject = subjects_[shape];
      subject.set_wide_budget(most_operations);
      const bool has_time = shapes_[shape].is_brief ? are_all_wide : *is_wide++;
      if (!has_time && subject.no_precise.empty())
        subject.no_precise = "the function: in wide arithmetic a call would take too long";
    }
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

  static std::string reason_in_full(const JitSubject &subject, const std::string &reason) {
    const bool is_called_only = !subject.file->machine_code().empty() &&
                                reason.find("has no body") != std::string::npos &&
                                reason.find(jit::fortran_runtime_prefix) == std::string::npos;
    return is_called_only
               ? reason + "; machine code of --with is called, but not differentiated: give source or bitcode"
               : reason;
  }

  void check(std::size_t shape, const std::vector<testutils::Combination> &combinations) {
    if (combinations.empty() && (shapes_.size() > 1 || shapes_.front().settings.only_mode || !unfitting_.empty()))
      return;
    JitSubject &subject = subjects_[shape];
    running_.reset();
    testutils::CheckOptions options = options_of(shape);
    options.combinations = combinations;
    if (shapes_[shape].is_brief) {
      options.combinations = testutils::combinations_to_trace(subject, combinations);
      if (options.combinations.empty() || is_slow())
        return;
    }
    if (shape < branch_points_.size())
      options.branch_points = branch_points_[shape];
    const std::string inputs = digest_of_inputs(subject.signature(), options);
    options.on_point = [this](unsigned sample) { note_.set_sample(sample); };
    options.on_record = [&](const testutils::Record &record) {
      // One point says nothing of the others.
      if (shapes_[shape].is_brief && testutils::outcome_of(record.verdict) != testutils::Outcome::failed)
        return;
      reports::Record converted = convert_record(shapes_[shape], subject.signature(), record);
      if (const std::string *reason = subject.refusal(record.combination))
        mark_refused(converted, reason_in_full(subject, *reason));
      converted.provenance.inputs = inputs;
      converted.provenance.gradients = subject.digest_of_calls(record.combination);
      if (!plan_.no_trial.empty())
        converted.not_seen.push_back(fmt::format("numbers at the edges of the domain, where of {}", plan_.no_trial));
      if (!unfitting_.empty())
        converted.notes.push_back(unfitting_);
      if (effort_)
        converted.effort = effort_->left_out;
      if (converted.outcome == reports::Outcome::failed) // Once is enough.
        for (JitSubject &other : subjects_)
          other.left_out.insert(reports::combination_text(converted));
      send_(fmt::format("{}{}", check_event::decided, reports::to_json_line(converted)));
    };
    subject.find_tables(options);
    static_cast<void>(testutils::check_gradients(subject, options));
  }

  /// There is no time for brief shapes.
  bool is_slow() const { return effort_ && effort_->depth != testutils::Depth::every_check; }

  const std::vector<CheckRequest> &shapes_;
  const jit::Program &program_;
  const CheckPlan &plan_;
  CallNote &note_;
  const SendLine &send_;
  std::deque<JitSubject> subjects_;
  std::optional<testutils::Effort> effort_;                        ///< Absent: all that was asked for.
  std::vector<testutils::Combination> all_;                        ///< Combinations.
  std::vector<std::vector<testutils::BranchPoint>> branch_points_; ///< Of each shape.
  std::string unfitting_; ///< Not empty: what is left out as no device has the memory for it.
  std::vector<Call> announced_;
  std::optional<std::size_t> running_; ///< Of the announced calls.
};

} // namespace

void check_in_child(const std::vector<CheckRequest> &shapes, const jit::ModuleFile &file, const CheckPlan &plan,
                    CallNote &note, const SendLine &send) {
  const auto is_large = [](const CheckRequest &shape) { return repetition_of(shape) != jit::Repetition::little; };
  const jit::Repetition repetition =
      std::ranges::any_of(shapes, is_large) ? jit::Repetition::unknown : jit::Repetition::little;
  std::optional<jit::Program> program;
  try {
    program.emplace(file, shapes.front().function, repetition);
  } catch (const jit::BadRequest &error) {
    return send(fmt::format("{}{}", check_event::refused, error.what()));
  }
  CheckingChild(shapes, plan, file, *program, note, send).run();
}

} // namespace assay::cli
