#include "cli/provenance.hpp"

#include "core/jit/extract.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <llvm/Config/llvm-config.h>
#include <llvm/TargetParser/Host.h>
#include <sstream>
#include <vector>

namespace assay::cli {

namespace {

void add_all(Digest &digest, const testutils::Arguments &arguments) {
  for (const testutils::Values &values : arguments)
    digest.add(values);
}

using Unary = double (*)(double);

struct LibraryFunction {
  const char *name;
  Unary function;
};

double power(double x) {
  return std::pow(std::fabs(x), x);
}
double quotient_angle(double x) {
  return std::atan2(x, 1 + x * x);
}
float in_float(float (*function)(float), double x) {
  return function(static_cast<float>(x));
}

constexpr std::array<LibraryFunction, 22> functions_of_library{{
    {"acos", [](double x) { return std::acos(x / 16); }},
    {"asin", [](double x) { return std::asin(x / 16); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"atan2", quotient_angle},
    {"cbrt", [](double x) { return std::cbrt(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"exp2", [](double x) { return std::exp2(x); }},
    {"expm1", [](double x) { return std::expm1(x); }},
    {"hypot", [](double x) { return std::hypot(x, 3.0); }},
    {"lgamma", [](double x) { return std::lgamma(std::fabs(x)); }},
    {"log", [](double x) { return std::log(std::fabs(x)); }},
    {"log1p", [](double x) { return std::log1p(std::fabs(x)); }},
    {"pow", power},
    {"sin", [](double x) { return std::sin(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"expf", [](double x) { return double(in_float(std::exp, x)); }},
    {"sinf", [](double x) { return double(in_float(std::sin, x)); }},
}};

/// The k-th of 256 points from -16 to 16, none of them round in binary.
double point(int k) {
  constexpr double step = 0.12345678901234567;
  return (k - 128) * step + 0.0371;
}

std::string digest_at_points(Unary function) {
  std::vector<double> values;
  for (int k = 0; k < 256; ++k)
    values.push_back(function(point(k)));
  return Digest().add(values).text();
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return llvm::sys::getHostCPUName().str();
}

std::string digest_of_library() {
  Digest all;
  for (const auto &[name, digest] : libm_digests())
    all.add(name).add(digest);
  return all.text();
}

/// Lines of IR that say where the source lies and nothing of the code.
bool names_a_place(std::string_view line) {
  return line.starts_with("; ModuleID") || line.starts_with("source_filename");
}

} // namespace

std::string digest_of_inputs(const testutils::Signature &signature, const testutils::CheckOptions &options) {
  Digest digest;
  digest.add(std::to_string(options.seed));
  for (const testutils::Arguments &point : options.points)
    add_all(digest, point);
  for (unsigned sample = 0; options.points.empty() && sample < options.samples; ++sample)
    add_all(digest, testutils::random_inputs(signature, options, sample));
  return digest.text();
}

void DigestOfCalls::add(const testutils::DerivativeRequest &request, const testutils::DerivativeOutcome &outcome) {
  add_all(digest_, request.inputs);
  for (const testutils::Arguments &lane : request.shadows)
    add_all(digest_, lane);
  add_all(digest_, request.result_seeds);
  if (outcome.result)
    digest_.add(*outcome.result);
  add_all(digest_, outcome.contents);
  add_all(digest_, outcome.result_tangents);
  for (const testutils::Arguments &lane : outcome.shadows)
    add_all(digest_, lane);
}

std::string digest_of_ir(const jit::ModuleFile &file, const jit::FunctionSignature &function) {
  std::istringstream lines(jit::extract_function(file, function, jit::SourceLines::dropped));
  Digest digest;
  for (std::string line; std::getline(lines, line);)
    if (!names_a_place(line))
      digest.add(line);
  return digest.text();
}

const std::map<std::string, std::string> &libm_digests() {
  static const std::map<std::string, std::string> digests = [] {
    std::map<std::string, std::string> all;
    for (const LibraryFunction &entry : functions_of_library)
      all[entry.name] = digest_at_points(entry.function);
    return all;
  }();
  return digests;
}

reports::Provenance provenance_here(jit::OptimizationLevel level) {
  static const std::string cpu = processor(), libm = digest_of_library();
  reports::Provenance provenance;
  provenance.assay = ASSAY_VERSION;
  provenance.llvm = LLVM_VERSION_STRING;
  provenance.flags = fmt::format("-O{}", static_cast<unsigned>(level));
  provenance.cpu = cpu;
  provenance.libm = libm;
  return provenance;
}

} // namespace assay::cli
