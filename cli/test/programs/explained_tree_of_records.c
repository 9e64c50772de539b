/* Barnes-Hut like tree: potential of points in a tree of records, with a cache of parameters. */
#include <math.h>
#include <stdlib.h>

typedef struct Node {
  double x, mass;
  double *weight; /* shared parameters */
  struct Node *left, *right;
  int leaf;
} Node;

static double contribution(const Node *node, double at) {
  double d = node->x - at;
  return node->mass * *node->weight / sqrt(d * d + 0.01);
}

double potential(const Node *node, double at, double opening) {
  if (!node)
    return 0;
  double d = fabs(node->x - at);
  if (node->leaf || d > opening)
    return contribution(node, at);
  return potential(node->left, at, opening) + potential(node->right, at, opening);
}

double energy(const double *x, const double *mass, double *weights, int n, double opening) {
  Node *nodes = malloc((2 * n) * sizeof(Node));
  int count = 0;
  Node *root = NULL;
  for (int i = 0; i < n; ++i) {
    Node *node = &nodes[count++];
    node->x = x[i];
    node->mass = mass[i];
    node->weight = &weights[i % 3];
    node->left = node->right = NULL;
    node->leaf = 1;
    Node **place = &root;
    while (*place)
      place = x[i] < (*place)->x ? &(*place)->left : &(*place)->right;
    if (root)
      root->leaf = 0;
    *place = node;
  }
  double total = 0;
  for (int i = 0; i < n; ++i)
    total += mass[i] * potential(root, x[i], opening);
  free(nodes);
  return total;
}
