#pragma once
// One record as a JSON document. Finite numbers are written so that they read back to the same bits; infinities and
// NaNs, which JSON has no form for, as the strings "inf", "-inf" and "nan".

#include "reports/json_lines.hpp"

#include <nlohmann/json.hpp>

namespace assay::reports {

using Json = nlohmann::ordered_json;

Json json_of_number(double value);
double number_from(const Json &json);

Json json_of(const Record &record);
/// Throws nlohmann::json::exception where a member is missing or of another type.
Record record_from(const Json &json);

} // namespace assay::reports
