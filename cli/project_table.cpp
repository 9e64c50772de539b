#define TOML_HEADER_ONLY 1

#include "cli/project_table.hpp"

#include "cli/known_failures.hpp"
#include "core/jit/bad_request.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <toml++/toml.h>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

std::string type_of(const toml::node &node) {
  switch (node.type()) {
  case toml::node_type::table:
    return "a table";
  case toml::node_type::array:
    return "a list";
  case toml::node_type::string:
    return "a string";
  case toml::node_type::integer:
    return "a whole number";
  case toml::node_type::floating_point:
    return "a number";
  case toml::node_type::boolean:
    return "true or false";
  default:
    return "a date or time";
  }
}

/// How many letters differ, about.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

} // namespace

struct ProjectTable::Content {
  const toml::table &table;
};

struct ProjectTable::State {
  fs::path file;
  std::string title;
  const toml::table &table;
  std::set<std::string, std::less<>> asked = {};

  const toml::node *take(std::string_view key) {
    asked.emplace(key);
    return table.get(key);
  }
  std::string place(const toml::node &node) const {
    return fmt::format("{}:{}", file.string(), std::max(1U, static_cast<unsigned>(node.source().begin.line)));
  }
  [[noreturn]] void reject(const toml::node &node, const std::string &problem) const {
    throw jit::BadRequest(fmt::format("{}: {}", place(node), problem));
  }
  [[noreturn]] void reject_type(std::string_view key, const toml::node &node, std::string_view wanted) const {
    reject(node, fmt::format("{} has to be {}, and is {}", key, wanted, type_of(node)));
  }
};

ProjectTable::ProjectTable(const fs::path &file, std::string title, const Content &content)
    : state_(std::make_unique<State>(State{file, std::move(title), content.table})) {}
ProjectTable::~ProjectTable() = default;
ProjectTable::ProjectTable(ProjectTable &&) noexcept = default;

std::optional<std::string> ProjectTable::string(std::string_view key) {
  const toml::node *node = state_->take(key);
  if (!node)
    return std::nullopt;
  if (!node->is_string())
    state_->reject_type(key, *node, "a string");
  return node->value<std::string>();
}

std::string ProjectTable::required_string(std::string_view key, std::string_view meaning) {
  const std::optional<std::string> text = string(key);
  if (!text || text->empty())
    reject(fmt::format("{} needs {} = \"...\": {}", state_->title, key, meaning));
  return *text;
}

std::vector<std::string> ProjectTable::strings(std::string_view key) {
  std::vector<std::string> texts;
  const std::string one(key.ends_with('s') ? key.substr(0, key.size() - 1) : key);
  if (one != key)
    if (const std::optional<std::string> text = string(one))
      texts.push_back(*text);
  const toml::node *node = state_->take(key);
  if (!node)
    return texts;
  if (!texts.empty())
    state_->reject(*node, fmt::format("{} and {} say the same: leave one out", one, key));
  if (!node->is_array())
    state_->reject_type(key, *node, "a list of strings");
  for (const toml::node &element : *node->as_array()) {
    if (!element.is_string())
      state_->reject_type("an element of " + std::string(key), element, "a string");
    texts.push_back(*element.value<std::string>());
  }
  return texts;
}

std::optional<bool> ProjectTable::boolean(std::string_view key) {
  const toml::node *node = state_->take(key);
  if (node && !node->is_boolean())
    state_->reject_type(key, *node, "true or false");
  return node ? node->value<bool>() : std::nullopt;
}

std::optional<double> ProjectTable::number(std::string_view key) {
  const toml::node *node = state_->take(key);
  if (node && !node->is_number())
    state_->reject_type(key, *node, "a number");
  return node ? node->value<double>() : std::nullopt;
}

std::optional<std::uint64_t> ProjectTable::whole(std::string_view key, std::uint64_t least, std::uint64_t most) {
  const toml::node *node = state_->take(key);
  if (!node)
    return std::nullopt;
  if (!node->is_integer())
    state_->reject_type(key, *node, "a whole number");
  const std::int64_t value = *node->value<std::int64_t>();
  if (value < 0 || static_cast<std::uint64_t>(value) < least || static_cast<std::uint64_t>(value) > most)
    state_->reject(*node, fmt::format("{} = {} is not in {} to {}", key, value, least, most));
  return static_cast<std::uint64_t>(value);
}

std::optional<std::string> ProjectTable::day(std::string_view key) {
  const toml::node *node = state_->take(key);
  if (!node)
    return std::nullopt;
  if (const auto date = node->value<toml::date>())
    return fmt::format("{:04}-{:02}-{:02}", date->year, date->month, date->day);
  if (!node->is_string() || !is_day(*node->value<std::string>()))
    state_->reject(*node, fmt::format("{} has to be a day, YYYY-MM-DD", key));
  return node->value<std::string>();
}

std::vector<ProjectTable> ProjectTable::tables(std::string_view key) {
  std::vector<ProjectTable> tables;
  const toml::node *node = state_->take(key);
  if (!node)
    return tables;
  if (!node->is_array_of_tables())
    state_->reject(*node, fmt::format("{0} has to be tables: [[{0}]]", key));
  for (const toml::node &element : *node->as_array())
    tables.emplace_back(state_->file, fmt::format("[[{}]]", key), Content{*element.as_table()});
  return tables;
}

std::string ProjectTable::place() const {
  return state_->place(state_->table);
}

void ProjectTable::reject(std::string_view key, const std::string &problem) const {
  const toml::node *node = state_->table.get(key);
  if (!node && key.ends_with('s'))
    node = state_->table.get(key.substr(0, key.size() - 1));
  state_->reject(node ? *node : static_cast<const toml::node &>(state_->table), fmt::format("{}: {}", key, problem));
}

void ProjectTable::reject(const std::string &problem) const {
  state_->reject(state_->table, problem);
}

void ProjectTable::reject_unread() const {
  constexpr std::size_t far = 3;
  for (const auto &[key, node] : state_->table) {
    if (state_->asked.contains(key.str()))
      continue;
    const auto near = std::ranges::min_element(state_->asked, {},
                                               [&](const std::string &known) { return distance(known, key.str()); });
    const bool is_near = near != state_->asked.end() && distance(*near, key.str()) < far;
    throw jit::BadRequest(fmt::format("{}:{}: unknown key '{}' in {}; {}", state_->file.string(),
                                      key.source().begin.line, key.str(), state_->title,
                                      is_near ? fmt::format("did you mean '{}'?", *near)
                                              : fmt::format("there are {}", fmt::join(state_->asked, ", "))));
  }
}

struct ProjectDocument::State {
  fs::path file;
  toml::table table;
};

ProjectDocument::ProjectDocument(const fs::path &file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    throw jit::BadRequest(fmt::format("no such file: {}", file.string()));
  try {
    state_ = std::make_unique<State>(State{file, toml::parse_file(file.string())});
  } catch (const toml::parse_error &problem) {
    std::string description(problem.description());
    std::ranges::replace(description, '\n', ' ');
    throw jit::BadRequest(fmt::format("{}:{}: {}", file.string(), problem.source().begin.line, description));
  }
}

ProjectDocument::~ProjectDocument() = default;

ProjectTable ProjectDocument::root() const {
  return {state_->file, "the file", ProjectTable::Content{state_->table}};
}

} // namespace assay::cli
