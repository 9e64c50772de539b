// Structures of several types, as a whole: padding, flexible members, containers of anything, trees.
#include "support/vector_program.hpp"
#include <cmath>
#include <cstdlib>
namespace {

struct Flexible {
  int count;
  double values[];
};
Flexible *make(const double *x, int n) {
  auto *made = static_cast<Flexible *>(std::malloc(sizeof(Flexible) + std::size_t(n) * sizeof(double)));
  made->count = n;
  std::memcpy(made->values, x, std::size_t(n) * sizeof(double));
  return made;
}
double flexible_copy(const double *x, int n) {
  Flexible *one = make(x, n);
  auto *other = static_cast<Flexible *>(std::malloc(sizeof(Flexible) + std::size_t(n) * sizeof(double)));
  std::memcpy(other, one, sizeof(Flexible) + std::size_t(n) * sizeof(double));
  double sum = 0;
  for (int i = 0; i < other->count; ++i)
    sum += other->values[i] * other->values[i] * one->values[0];
  std::free(one);
  std::free(other);
  return sum;
}

struct Item {
  int place;
  double weight;
};
struct Container {
  char *bytes;
  std::size_t count, size;
};
void append(Container &container, const void *item) {
  const std::size_t used = container.count++ * container.size;
  container.bytes = static_cast<char *>(std::realloc(container.bytes, used + container.size));
  std::memcpy(container.bytes + used, item, container.size);
}
double container_of_anything(const double *x, int n) {
  Container items{nullptr, 0, sizeof(Item)};
  for (int i = 0; i < n; ++i) {
    Item item{i, x[i] * x[0]};
    append(items, &item);
  }
  double sum = 0;
  for (std::size_t i = 0; i < items.count; ++i) {
    const auto *item = reinterpret_cast<const Item *>(items.bytes + i * items.size);
    sum += item->weight * x[item->place];
  }
  std::free(items.bytes);
  return sum;
}

using Triple = double __attribute__((ext_vector_type(3)));
struct Particle {
  Triple position;
  float mass;
  int kind;
};
double swapped_particles(const double *x, int) {
  Particle particles[2];
  for (int i = 0; i < 2; ++i) {
    particles[i].position = Triple{x[i], x[i + 1], x[0]};
    particles[i].mass = 2;
    particles[i].kind = i;
  }
  const Particle kept = particles[0];
  particles[0] = particles[1];
  particles[1] = kept;
  const Triple r = particles[0].position * particles[1].position * double(particles[0].mass);
  return r.x + r.y * r.z + particles[0].kind;
}

struct Tree {
  double value;
  Tree *left, *right;
};
Tree *insert(Tree *tree, double value) {
  if (tree == nullptr) {
    tree = static_cast<Tree *>(std::calloc(1, sizeof(Tree)));
    tree->value = value;
  } else if (value < tree->value) {
    tree->left = insert(tree->left, value);
  } else {
    tree->right = insert(tree->right, value);
  }
  return tree;
}
double evaluate(const Tree *tree) {
  if (tree == nullptr)
    return 1;
  return tree->value * tree->value + 0.5 * evaluate(tree->left) * evaluate(tree->right) + evaluate(tree->left);
}
void release(Tree *tree) {
  if (tree == nullptr)
    return;
  release(tree->left);
  release(tree->right);
  std::free(tree);
}
double search_tree(const double *x, int n) {
  Tree *tree = nullptr;
  for (int i = 0; i < n; ++i)
    tree = insert(tree, x[i]);
  const double result = evaluate(tree);
  release(tree);
  return result;
}

/// Copied whole in a loop that reads its array: an index says nothing of the float and the padding behind the array.
struct ArrayAndFloat {
  double array[2];
  float single;
  double last;
};
double copies_in_a_loop(const ArrayAndFloat *whole) {
  double product = 0.5;
  ArrayAndFloat copy = {};
  for (int i = 0; i < 2; ++i) {
    copy = *whole;
    product *= 0.25 * copy.array[i];
  }
  return copy.single * product;
}
#pragma pack(push, 1)
struct Packed {
  char tag;
  double value;
  short place;
  float weight;
  unsigned char letters[3];
  double other;
};
#pragma pack(pop)
double swapped_packed_structs(const double *x, int n) {
  Packed items[4];
  for (int i = 0; i < 4; ++i)
    items[i] = {
        char('A' + i),           x[i % n] * x[0], short(i * 3), 0.5F * float(i), {0, 0, static_cast<unsigned char>(i)},
        std::sin(x[(i + 1) % n])};
  const Packed kept = items[0];
  items[0] = items[3];
  items[3] = kept;
  double sum = 0;
  for (const Packed *item = items; item < items + 4; ++item)
    sum += item->value * item->place + item->other * item->letters[2] * item->tag + item->weight * item->value;
  return sum;
}

struct Flagged {
  float single;
  double value;
  bool is_on;
  char place;
  float values[3];
};
Flagged changed(Flagged flagged, float factor) {
  flagged.single *= factor;
  flagged.value += flagged.single * (flagged.is_on ? 1 : -1);
  flagged.is_on = !flagged.is_on;
  flagged.values[flagged.place % 3] = float(flagged.value);
  flagged.place++;
  return flagged;
}
/// The padding behind the flags is two bytes that the optimiser moves by themselves.
double struct_in_a_loop(const double *x, int n) {
  Flagged flagged = {1.5F, x[0], true, 0, {0, 0.5F, 0}};
  for (int i = 0; i < 5; ++i) {
    flagged = changed(flagged, 1.25F);
    flagged.value *= x[i % n];
  }
  Flagged other = {0, flagged.value, false, 0, {}}, *same = &other;
  return same->value * flagged.value + flagged.single + flagged.values[2] * 0;
}

__attribute__((noinline)) void gradient_of_copies(void *whole, void *shadow) {
  __enzyme_autodiff<void>((void *)copies_in_a_loop, enzyme_dup, whole, shadow);
}

} // namespace

PLUGIN_TEST(Structures, CopyWithFlexibleMember) {
  CHECK_FUNCTION(flexible_copy, 1.0, 2.0, 3.0);
}
PLUGIN_TEST(Structures, ContainerOfAnything) {
  CHECK_FUNCTION(container_of_anything, 1.0, 2.0, 3.0);
}
PLUGIN_TEST(Structures, VectorsOfThree) {
  CHECK_FUNCTION(swapped_particles, 1.0, 2.0, 3.0);
}
PLUGIN_TEST(Structures, SearchTree) {
  CHECK_FUNCTION(search_tree, 1.5, 2.0, 0.5, 3.0);
}
PLUGIN_TEST(Structures, ExchangedPackedStructs) {
  CHECK_FUNCTION(swapped_packed_structs, 1.0, 2.0, 3.0);
}
PLUGIN_TEST(Structures, PaddingThatIsMovedAlone) {
  CHECK_FUNCTION(struct_in_a_loop, 0.6, 1.2);
}
PLUGIN_TEST(Structures, ArrayAndFloatCopiedInALoop) {
  ArrayAndFloat whole = {{1, 2}, 3, 4}, shadow;
  std::memset(&shadow, 0x7f, sizeof shadow); // the padding is no zero
  shadow = {{0, 0}, 0, 0};
  gradient_of_copies(&whole, &shadow);
  EXPECT_CLOSE(shadow.array[0], 0.1875);
  EXPECT_CLOSE(shadow.array[1], 0.09375);
  EXPECT_CLOSE(shadow.single, 0.0625);
  EXPECT_CLOSE(shadow.last, 0.0);
}
