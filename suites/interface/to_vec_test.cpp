// Would catch: a part of a value that is overlooked, taken twice, or not shared in the rebuilt value as in the
// original.
#include <assay/make_zero.hpp>
#include <assay/to_vec.hpp>

#include <array>
#include <complex>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <valarray>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace assay;
using Numbers = std::vector<double>;
using Paths = std::vector<std::string>;

struct Layer {
  std::vector<double> weight;
  double bias;
  int width;
};

struct Network {
  std::string name;
  std::vector<Layer> layers;
  const double rate = 0.125;
  double scale[2];
};

Network small_network() {
  return {"net", {{{1, 2}, 3, 2}, {{4}, 5, 1}}, 0.125, {6, 7}};
}

TEST(ToVec, TakesTheNumbersOfPlainStructsInOrder) {
  const auto [numbers, rebuild] = to_vec(small_network());
  EXPECT_EQ(numbers, (Numbers{1, 2, 3, 4, 5, 6, 7}));
  const Network other = rebuild(Numbers{10, 20, 30, 40, 50, 60, 70});
  EXPECT_EQ(other.layers[0].weight, (Numbers{10, 20}));
  EXPECT_EQ(other.layers[1].bias, 50);
  EXPECT_EQ(other.scale[1], 70);
}

TEST(ToVec, LeavesConstantMembersIntegersAndTextAlone) {
  const Network other = to_vec(small_network()).from_vec(Numbers(7, 9));
  EXPECT_EQ(other.rate, 0.125);
  EXPECT_EQ(other.layers[0].width, 2);
  EXPECT_EQ(other.name, "net");
}

TEST(ToVec, NamesEveryNumberAsSourceWould) {
  EXPECT_EQ(number_paths(small_network(), "net"),
            (Paths{"net.layers[0].weight[0]", "net.layers[0].weight[1]", "net.layers[0].bias",
                   "net.layers[1].weight[0]", "net.layers[1].bias", "net.scale[0]", "net.scale[1]"}));
  EXPECT_EQ(number_paths(std::optional(1.5)), (Paths{"*x"}));
  EXPECT_EQ(number_paths(std::complex(1.0, 2.0), "z"), (Paths{"z.real()", "z.imag()"}));
  EXPECT_EQ(number_paths(std::make_unique<std::pair<double, double>>(1, 2), "p"), (Paths{"p->first", "p->second"}));
}

TEST(ToVec, TakesScalarsComplexNumbersAndArrays) {
  EXPECT_EQ(numbers_of(2.5), (Numbers{2.5}));
  EXPECT_EQ(numbers_of(std::complex(1.0, 2.0)), (Numbers{1, 2}));
  EXPECT_EQ(numbers_of(std::array{std::array{1.0, 2.0}, std::array{3.0, 4.0}}), (Numbers{1, 2, 3, 4}));
  const double grid[2][2] = {{1, 2}, {3, 4}};
  EXPECT_EQ(numbers_of(grid), (Numbers{1, 2, 3, 4}));
  EXPECT_TRUE(numbers_of(7).empty());
  static_assert(std::is_same_v<number_type<std::vector<float>>, float>);
  static_assert(std::is_same_v<number_type<std::pair<float, double>>, double>);
}

TEST(ToVec, TakesTheContainersOfTheLibrary) {
  EXPECT_EQ(numbers_of(std::list<double>{1, 2}), (Numbers{1, 2}));
  EXPECT_EQ(numbers_of(std::deque<double>{1, 2}), (Numbers{1, 2}));
  EXPECT_EQ(numbers_of(std::forward_list<double>{1, 2}), (Numbers{1, 2}));
  EXPECT_EQ(numbers_of(std::valarray<double>{1, 2}), (Numbers{1, 2}));
  EXPECT_EQ(numbers_of(std::set<double>{1, 2}), Numbers());
  EXPECT_EQ(numbers_of(std::map<int, double>{{1, 5}, {2, 6}}), (Numbers{5, 6}));
  EXPECT_EQ(numbers_of(std::map<double, double>{{1, 5}}), (Numbers{5})) << "a key is constant";
  EXPECT_EQ(numbers_of(std::unordered_map<int, double>{{1, 5}}), (Numbers{5}));
  EXPECT_EQ(numbers_of(std::vector<bool>{true}), Numbers());
}

TEST(ToVec, TakesTuplesOptionalsAndVariants) {
  EXPECT_EQ(numbers_of(std::tuple{1.0, 2, std::pair{3.0, 'c'}}), (Numbers{1, 3}));
  EXPECT_EQ(numbers_of(std::optional<double>()), Numbers());
  using Either = std::variant<int, double, std::vector<double>>;
  EXPECT_EQ(numbers_of(Either(4.0)), (Numbers{4}));
  EXPECT_EQ(std::get<2>(from_vec(Numbers{8, 9}, Either(Numbers{1, 2}))), (Numbers{8, 9}));
  EXPECT_EQ(numbers_of(Either(3)), Numbers());
}

class Hidden {
public:
  explicit Hidden(double start) : state{start, start + 1} {}
  friend auto assay_fields(Hidden &hidden) { return std::tie(hidden.state); }

private:
  std::vector<double> state;
};

TEST(ToVec, TakesPrivateMembersThatAClassNames) {
  EXPECT_EQ(numbers_of(Hidden(3)), (Numbers{3, 4}));
  EXPECT_EQ(numbers_of(from_vec(Numbers{7, 8}, Hidden(3))), (Numbers{7, 8}));
}

struct Base {
  double y;
};
struct Derived : Base {};
struct Flags {
  unsigned ready : 1;
  double x;
};
struct Buffer {
  double *data;
  int size;
};
struct Handle {
  int *indices;
  void *user;
  double x;
};

TEST(ToVec, TakesTheMembersOfABaseByTheirName) {
  struct Local {
    Derived derived;
  };
  EXPECT_EQ(number_paths(Local{{{1}}}, "l"), (Paths{"l.derived.y"}));
}

TEST(ToVec, KnowsWhatItCannotSee) {
  static_assert(!detail::Traversable<Buffer>, "a raw pointer to numbers does not say to how many");
  static_assert(!detail::Traversable<Flags>, "nothing can refer to a bit-field");
  static_assert(!detail::Traversable<std::vector<std::array<Buffer, 2>>>);
  static_assert(detail::Traversable<Handle>, "pointers to what is not differentiated are left alone");
  EXPECT_EQ(numbers_of(Handle{nullptr, nullptr, 3}), (Numbers{3}));
}

TEST(ToVec, RefusesTheWrongCountOfNumbers) {
  EXPECT_THROW(from_vec(Numbers{1}, Numbers{1, 2}), std::invalid_argument);
  EXPECT_THROW(from_vec(Numbers{1, 2, 3}, Numbers{1, 2}), std::invalid_argument);
}

// ---- Shared memory ----

struct Shares {
  std::shared_ptr<std::vector<double>> first, second;
};

TEST(Sharing, TheSameBufferTwiceIsOneVariableAndStaysShared) {
  const auto buffer = std::make_shared<Numbers>(Numbers{1, 2});
  const auto [numbers, rebuild] = to_vec(Shares{buffer, buffer});
  EXPECT_EQ(numbers, (Numbers{1, 2}));
  const Shares other = rebuild(Numbers{3, 4});
  EXPECT_EQ(other.first, other.second);
  EXPECT_NE(other.first, buffer);
  EXPECT_EQ(*other.second, (Numbers{3, 4}));
  EXPECT_EQ(*buffer, (Numbers{1, 2}));
}

TEST(Sharing, EqualBuffersStayTwo) {
  const Shares other = from_vec(Numbers{1, 2, 3, 4},
                                Shares{std::make_shared<Numbers>(Numbers(2)), std::make_shared<Numbers>(Numbers(2))});
  EXPECT_NE(other.first, other.second);
  EXPECT_EQ(*other.second, (Numbers{3, 4}));
}

struct Windows {
  std::span<double> left, right;
};

TEST(Sharing, OverlappingSpansOverlapInTheCopy) {
  Numbers memory{1, 2, 3, 4, 5};
  const Windows windows{std::span(memory).first(3), std::span(memory).subspan(1)};
  EXPECT_EQ(numbers_of(windows), (Numbers{1, 2, 3, 4, 5}));
  const auto other = from_vec(Numbers{10, 20, 30, 40, 50}, windows);
  EXPECT_EQ(&other->left[1], &other->right[0]);
  EXPECT_EQ(other->right[3], 50);
  EXPECT_EQ(memory, (Numbers{1, 2, 3, 4, 5}));
}

struct Book {
  std::vector<double> pages;
  std::reference_wrapper<double> marked;
  std::span<double> chapter;
};

TEST(Sharing, AReferenceIntoAnotherMemberRefersToTheCopysMember) {
  double nothing = 0;
  Book book{{1, 2, 3}, nothing, {}};
  book.marked = book.pages[1];
  book.chapter = std::span(book.pages).last(2);
  EXPECT_EQ(numbers_of(book), (Numbers{1, 2, 3}));
  const auto zero = make_zero(book);
  EXPECT_EQ(&zero->marked.get(), &zero->pages[1]);
  EXPECT_EQ(zero->chapter.data(), &zero->pages[1]);
  EXPECT_EQ(zero->pages, (Numbers{0, 0, 0}));
  EXPECT_EQ(book.pages, (Numbers{1, 2, 3}));
}

struct Node {
  double value;
  Node *next;
};

TEST(Cycles, EndAndAreRebuilt) {
  Node a{1, nullptr}, b{2, &a}, c{3, &b};
  a.next = &c;
  EXPECT_EQ(numbers_of(a), (Numbers{1, 3, 2}));
  EXPECT_EQ(number_paths(a, "a"), (Paths{"a.value", "a.next->value", "a.next->next->value"}));
  const auto ring = from_vec(Numbers{10, 30, 20}, a);
  EXPECT_EQ(ring->next->value, 30);
  EXPECT_EQ(ring->next->next->next, &*ring);
  EXPECT_EQ(a.value, 1);
}

TEST(Cycles, LongChainsDoNotExhaustTheStack) {
  std::vector<Node> nodes(200'000, Node{1, nullptr});
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
    nodes[i].next = &nodes[i + 1];
  EXPECT_EQ(count_numbers(nodes.front()), nodes.size());
}

struct Tree {
  double value;
  std::vector<Tree> children;
  std::unique_ptr<Tree> spare;
};

TEST(MoveOnly, TreesAreCopiedWithWhatTheyOwn) {
  Tree tree{1, {}, nullptr};
  tree.children.push_back({2, {}, std::make_unique<Tree>(Tree{3, {}, nullptr})});
  const auto [numbers, rebuild] = to_vec(tree);
  EXPECT_EQ(numbers, (Numbers{1, 2, 3}));
  const Tree other = rebuild(Numbers{4, 5, 6});
  EXPECT_EQ(other.children[0].spare->value, 6);
  EXPECT_EQ(tree.children[0].spare->value, 3);
}

struct Child;
struct Parent {
  double value = 1;
  std::vector<std::shared_ptr<Child>> children;
};
struct Child {
  double value = 2;
  std::weak_ptr<Parent> parent;
};

TEST(Sharing, WeakPointersPointBackIntoTheCopy) {
  const auto parent = std::make_shared<Parent>();
  parent->children = {std::make_shared<Child>(), std::make_shared<Child>()};
  for (const auto &child : parent->children)
    child->parent = parent;
  const auto [numbers, rebuild] = to_vec(parent);
  EXPECT_EQ(numbers, (Numbers{1, 2, 2}));
  const auto other = rebuild(Numbers{5, 6, 7});
  EXPECT_EQ(other->children[1]->value, 7);
  EXPECT_EQ(other->children[1]->parent.lock()->value, 5);
  EXPECT_EQ(parent->value, 1);
}

TEST(Sharing, ArgumentsThatShareABufferShareItAsOneTuple) {
  Numbers memory{1, 2};
  const std::span<double> view(memory);
  const float other = 3;
  EXPECT_EQ(numbers_of(std::tie(view, memory, other)), (Numbers{1, 2, 3}));
  EXPECT_EQ(number_paths(std::tie(view, other)), (Paths{"x[0][0]", "x[0][1]", "x[1]"}));
}

} // namespace
