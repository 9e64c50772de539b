// The rules that sort, and those of sums over a vector, forward against reverse mode and closed forms;
// through_test_rule has them through test_rule.
#include "bundled.hpp"
#include <assay/rules/logsumexp.hpp>
#include <assay/rules/norm.hpp>
#include <assay/rules/softmax.hpp>
#include <assay/rules/sort.hpp>
#include <assay/rules/top.hpp>

using namespace assay;
using bundled::compare_modes;
using bundled::weighed;

namespace {

using Numbers = std::vector<double>;
const Numbers numbers{0.3, 1.1, -0.5};

TEST(Order, Sorted) {
  compare_modes("sorted", [](const Numbers &x) { return weighed(rules::sorted(x)); }, numbers);
}

TEST(Order, Top) {
  compare_modes("top", [](const Numbers &x) { return weighed(rules::top(x, 2)); }, numbers);
  const Numbers x{2, 7, 7, 1};
  Numbers dx(4);
  autodiff<Reverse>(
      [](const Numbers &v) {
        const auto y = rules::top(v, 2);
        return y[0] + 10 * y[1];
      },
      Duplicated{x, dx});
  EXPECT_EQ(dx, (Numbers{0, 1, 10, 0}));
  EXPECT_EQ(rules::top(x, 9), (Numbers{7, 7, 2, 1}));
}

TEST(Order, Logsumexp) {
  compare_modes("logsumexp", [](const Numbers &x) { return rules::logsumexp(x); }, numbers);
}
TEST(Order, Softmax) {
  compare_modes("softmax", [](const Numbers &x) { return weighed(rules::softmax(x)); }, numbers);
}
TEST(Order, Norm) {
  compare_modes("norm", [](const Numbers &x) { return rules::norm(x); }, numbers);
}

} // namespace
