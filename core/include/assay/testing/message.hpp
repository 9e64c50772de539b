#pragma once
// Renders records as text for people: a failure with everything that is needed to understand and to repeat it.

#include <assay/testing/record.hpp>

namespace assay::testutils {

/// Many lines: verdict, function, mode, activities, worst elements, hints, input in hex floats, replay command.
std::string failure_message(const Signature &signature, const Record &record);

/// A line for each argument, with its name and its first numbers as they are written in hexadecimal and in decimal.
std::string inputs_in_words(const Signature &signature, const Arguments &inputs);

/// One line: `pass  reverse: f(Duplicated x) -> Active`, on a failure with the worst element.
std::string summary_line(const Signature &signature, const Record &record);

/// `N combinations checked, P passed, F failed, U undecided`.
std::string totals_line(const Report &report);

} // namespace assay::testutils
