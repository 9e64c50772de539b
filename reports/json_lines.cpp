#include "reports/json_lines.hpp"

#include "reports/json_record.hpp"
#include <fmt/format.h>
#include <stdexcept>

namespace assay::reports {

namespace {

Json json_of(const Figure &figure) {
  Json series = Json::array();
  for (const Series &one : figure.series) {
    Json points = Json::array();
    for (const Point &point : one.points)
      points.push_back(Json::array({json_of_number(point.x), json_of_number(point.y)}));
    series.push_back({{"name", one.name}, {"points", points}});
  }
  return {{"kind", "figure"},
          {"schema_version", schema_version},
          {"title", figure.title},
          {"caption", figure.caption},
          {"x_label", figure.x_label},
          {"y_label", figure.y_label},
          {"x_scale", figure.x_scale == Scale::linear ? "linear" : "logarithmic"},
          {"series", series}};
}

Figure figure_from(const Json &json) {
  Figure figure{json.at("title"), json.at("caption"), json.at("x_label"), json.at("y_label"), {}};
  if (json.at("x_scale") == "linear")
    figure.x_scale = Scale::linear;
  for (const Json &one : json.at("series")) {
    Series series{one.at("name"), {}};
    for (const Json &point : one.at("points"))
      series.points.push_back({number_from(point.at(0)), number_from(point.at(1))});
    figure.series.push_back(std::move(series));
  }
  return figure;
}

/// Text of users' programs need not be UTF-8.
std::string dump(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json parse_line(std::string_view line) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("kind"))
    throw std::runtime_error("not a line of an Assay report");
  return json;
}

void read_head(const Json &json, Run &run) {
  run.command = json.value("command", "");
  run.seed = json.value("seed", std::uint64_t{0});
  run.environment = json.value("environment", "");
  run.seconds = json.value("seconds", 0.0);
  run.notes = json.value("notes", std::vector<std::string>());
}

/// A line is of some kind, and it may lack members of that kind, or have others.
auto checked(std::string_view kind, const auto &read) {
  try {
    return read();
  } catch (const nlohmann::json::exception &error) {
    throw std::runtime_error(fmt::format("not a {} of schema version {}: {}", kind, schema_version, error.what()));
  }
}

void read_line(const Json &json, Run &run) {
  const Json &kind = json.at("kind");
  if (kind == "record")
    checked("record", [&] { run.records.push_back(record_from(json)); });
  else if (kind == "figure")
    checked("figure", [&] { run.figures.push_back(figure_from(json)); });
  else if (kind == "run")
    checked("head of a run", [&] { read_head(json, run); });
}

} // namespace

std::string to_json_line(const Record &record) {
  return dump(json_of(record));
}

Record record_from_json_line(std::string_view line) {
  const Json json = parse_line(line);
  return checked("record", [&] { return record_from(json); });
}

bool is_head_of_night(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  return json.is_object() && json.value("kind", Json()) == "night";
}

std::string run_line(const Run &run) {
  return dump({{"kind", "run"},
               {"schema_version", schema_version},
               {"command", run.command},
               {"seed", run.seed},
               {"environment", run.environment},
               {"seconds", run.seconds},
               {"notes", run.notes}});
}

std::string totals_line(const Run &run) {
  const Totals totals = totals_of(run.records);
  return dump({{"kind", "totals"},
               {"schema_version", schema_version},
               {"checked", totals.checked},
               {"passed", totals.passed},
               {"failed", totals.failed},
               {"undecided", totals.undecided}});
}

std::string to_json_lines(const Run &run) {
  std::string text = run_line(run) + "\n";
  for (const Figure &figure : run.figures)
    text += dump(json_of(figure)) + "\n";
  for (const Record &record : run.records)
    text += to_json_line(record) + "\n";
  return text + totals_line(run) + "\n";
}

Run run_from_json_lines(std::string_view text) {
  Run run;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
      break; // An interrupted writer leaves half a line.
    const Json json = parse_line(text.substr(0, end));
    text.remove_prefix(end + 1);
    read_line(json, run);
  }
  return run;
}

} // namespace assay::reports
