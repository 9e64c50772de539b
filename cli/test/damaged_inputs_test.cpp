// Would catch: a parser that crashes, never ends, or takes what it cannot write, for damaged input.

#include "cli/parsers/parser_inputs.hpp"

#include <assay/generators/stream.hpp>
#include <gtest/gtest.h>

namespace {

using assay::cli::ParserTarget;

class Damage {
public:
  explicit Damage(std::string_view target) : target_(target) {}

  /// The example with up to four changes: a bit, a byte, a part that is missing or is there twice, another length.
  std::string of(const std::string &example, std::uint32_t number) const {
    assay::gen::Stream stream({.seed = 1, .suite = "damaged inputs", .name = target_, .purpose = "", .index = number});
    std::string bytes = example;
    for (std::uint64_t change = 0, changes = 1 + stream.next() % 4; change < changes && !bytes.empty(); ++change) {
      const std::size_t place = stream.next() % bytes.size(), length = stream.next() % 16;
      switch (stream.next() % 5) {
      case 0:
        bytes[place] = static_cast<char>(bytes[place] ^ (1 << stream.next() % 8));
        break;
      case 1:
        bytes[place] = static_cast<char>(stream.next());
        break;
      case 2:
        bytes.erase(place, length);
        break;
      case 3:
        bytes.insert(place, bytes.substr(stream.next() % bytes.size(), length));
        break;
      default:
        bytes.resize(place);
        break;
      }
    }
    return bytes;
  }

private:
  std::string target_;
};

class DamagedInputs : public testing::TestWithParam<const ParserTarget *> {};

TEST_P(DamagedInputs, AreTakenOrRefused) {
  const ParserTarget &target = *GetParam();
  const Damage damage(target.name);
  const std::uint32_t each = target.name == "bitcode" ? 120 : 2000;
  for (const std::string &example : target.examples()) {
    EXPECT_TRUE(target.read(example)) << example;
    for (std::uint32_t number = 0; number < each; ++number) {
      const std::string input = damage.of(example, number);
      SCOPED_TRACE(testing::Message() << number << ": " << input.substr(0, 400));
      ASSERT_NO_THROW(target.read(input));
    }
  }
}

std::vector<const ParserTarget *> all_targets() {
  std::vector<const ParserTarget *> targets;
  for (const ParserTarget &target : assay::cli::parser_targets())
    targets.push_back(&target);
  return targets;
}

INSTANTIATE_TEST_SUITE_P(Parsers, DamagedInputs, testing::ValuesIn(all_targets()),
                         [](const auto &parameters) { return std::string(parameters.param->name); });

} // namespace
