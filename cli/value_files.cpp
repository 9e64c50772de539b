#include "cli/value_files.hpp"

#include "cli/npy_file.hpp"
#include "core/jit/bad_request.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path))
    throw jit::BadRequest(fmt::format("{}: cannot be read", path.string()));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

constexpr std::string_view separators = " \t\r,;";

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t begin = line.find_first_not_of(separators);
    if (begin == std::string_view::npos)
      return fields;
    const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

std::optional<double> number_in(std::string_view field) {
  if (field.starts_with('+'))
    field.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  return error == std::errc() && end == field.data() + field.size() ? std::optional(value) : std::nullopt;
}

using Row = std::vector<double>;

/// Rows of numbers; `#` begins a comment, and a first line without numbers names the columns.
std::vector<Row> read_table(const fs::path &path) {
  std::istringstream text(bytes_of(path));
  std::vector<Row> rows;
  std::string line;
  for (std::size_t number = 1; std::getline(text, line); ++number) {
    const std::vector<std::string_view> fields = fields_of(std::string_view(line).substr(0, line.find('#')));
    const bool is_heading =
        rows.empty() && std::ranges::none_of(fields, [](auto field) { return number_in(field).has_value(); });
    if (is_heading)
      continue;
    Row row;
    for (const std::string_view field : fields) {
      const std::optional<double> value = number_in(field);
      if (!value)
        throw jit::BadRequest(fmt::format("{}:{}: '{}' is no number", path.string(), number, field));
      row.push_back(*value);
    }
    if (row.empty())
      continue;
    if (!rows.empty() && rows.front().size() != row.size())
      throw jit::BadRequest(fmt::format("{}:{}: {} numbers, but the rows before have {}", path.string(), number,
                                        row.size(), rows.front().size()));
    rows.push_back(std::move(row));
  }
  if (rows.empty())
    throw jit::BadRequest(fmt::format("{}: there is no row of numbers", path.string()));
  return rows;
}

/// One row or one column is a vector.
NpyArray table_as_array(const fs::path &path) {
  const std::vector<Row> rows = read_table(path);
  NpyArray array;
  for (const Row &row : rows)
    array.reals.insert(array.reals.end(), row.begin(), row.end());
  const std::size_t columns = rows.front().size();
  if (rows.size() > 1 && columns > 1)
    array.extents = {rows.size(), columns};
  else
    array.extents = {rows.size() * columns};
  return array;
}

NpyArray array_in(const fs::path &path) {
  if (path.extension() == ".csv")
    return table_as_array(path);
  if (path.extension() != ".npy")
    throw jit::BadRequest(fmt::format("{}: values are read from .npy and .csv files", path.string()));
  try {
    return read_npy(bytes_of(path));
  } catch (const std::runtime_error &error) {
    throw jit::BadRequest(fmt::format("{}: {}", path.string(), error.what()));
  }
}

fs::path found(const fs::path &path, const fs::path &folder) {
  std::error_code error;
  const fs::path beside = folder / path;
  return fs::exists(beside, error) || !fs::exists(path, error) ? beside : path;
}

/// Whole numbers for an integer type.
std::vector<std::int64_t> as_integers(const jit::ArgumentSpec &spec, const std::vector<double> &reals) {
  std::vector<std::int64_t> integers;
  for (const double value : reals) {
    integers.push_back(static_cast<std::int64_t>(value));
    if (static_cast<double>(integers.back()) != value)
      throw jit::BadRequest(
          fmt::format("{}: {} is no whole number, as {} needs", spec.file, value, name_of(spec.type)));
  }
  return integers;
}

void require_fitting(const jit::ArgumentSpec &spec) {
  for (const std::int64_t value : spec.integers)
    if (!jit::has_value(spec.type, value))
      throw jit::BadRequest(fmt::format("{}: {}", spec.file, jit::misfit(spec.type, value)));
}

} // namespace

jit::ArgumentSpec with_values(jit::ArgumentSpec spec, const fs::path &folder) {
  if (spec.file.empty())
    return spec;
  const fs::path path = found(spec.file, folder);
  NpyArray array = array_in(path);
  spec.file = path.string();
  if (!spec.has_type)
    spec.type = array.type;
  spec.extents = array.extents;
  if (jit::is_real(spec.type)) {
    spec.reals = std::move(array.reals);
    spec.reals.insert(spec.reals.end(), array.integers.begin(), array.integers.end());
  } else {
    spec.integers = jit::is_real(array.type) ? as_integers(spec, array.reals) : std::move(array.integers);
    require_fitting(spec);
  }
  return spec;
}

void take_points(std::vector<jit::ArgumentSpec> &specs, const fs::path &points) {
  const auto takes = [](const jit::ArgumentSpec &spec) {
    return jit::is_real(spec.type) && !spec.is_fixed() && spec.file.empty() && !spec.alias;
  };
  std::size_t wanted = 0;
  for (const jit::ArgumentSpec &spec : specs) {
    if (takes(spec) && !spec.formulas.empty())
      throw jit::BadRequest(fmt::format("--points: how many elements '{}' has must be a number", to_string(spec)));
    wanted += takes(spec) ? spec.elements() : 0;
  }
  const std::vector<Row> rows = read_table(points);
  if (rows.front().size() != wanted)
    throw jit::BadRequest(fmt::format("--points {}: a row has {} numbers, but the arguments without values have {} "
                                      "elements together",
                                      points.string(), rows.front().size(), wanted));
  std::ptrdiff_t begin = 0;
  for (jit::ArgumentSpec &spec : specs) {
    if (!takes(spec))
      continue;
    const std::ptrdiff_t end = begin + static_cast<std::ptrdiff_t>(spec.elements());
    for (const Row &row : rows)
      spec.further_reals.emplace_back(row.begin() + begin, row.begin() + end);
    spec.reals = spec.further_reals.front();
    spec.further_reals.erase(spec.further_reals.begin());
    begin = end;
  }
}

} // namespace assay::cli
