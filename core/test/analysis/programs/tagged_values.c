// A growing array of values that are a number, a text or a list. The optimiser keeps the union's word in two halves,
// since a list's length is only the lower one.
#include "against_differences.h"
#include <stdlib.h>
#include <string.h>
typedef struct {
  void *data;
  size_t length, capacity, element;
} Vector;
static void push(Vector *vector, const void *value) {
  if (vector->length == vector->capacity) {
    vector->capacity = vector->capacity ? 2 * vector->capacity : 2;
    vector->data = realloc(vector->data, vector->capacity * vector->element);
  }
  memcpy((char *)vector->data + vector->length++ * vector->element, value, vector->element);
}
static void *at(Vector *vector, size_t i) {
  return (char *)vector->data + i * vector->element;
}
typedef struct {
  enum { NUMBER, TEXT, LIST } tag;
  union {
    double number;
    char *text;
    struct {
      int length;
      double *elements;
    } list;
  } as;
} Value;
double f(const double *x, int n) {
  Vector values = {0, 0, 0, sizeof(Value)};
  for (int i = 0; i < n; ++i) {
    Value value = {.tag = i % 3};
    if (value.tag == NUMBER) {
      value.as.number = x[i] * 2;
    } else if (value.tag == TEXT) {
      value.as.text = malloc(8);
      sprintf(value.as.text, "s%d", i);
    } else {
      value.as.list.length = i;
      value.as.list.elements = malloc(i * sizeof(double));
      for (int k = 0; k < i; ++k)
        value.as.list.elements[k] = x[k] * x[i];
    }
    push(&values, &value);
  }
  double result = 1;
  for (size_t i = 0; i < values.length; ++i) {
    Value *value = at(&values, i);
    switch (value->tag) {
    case NUMBER:
      result += value->as.number * result;
      break;
    case TEXT:
      result *= strlen(value->as.text);
      free(value->as.text);
      break;
    case LIST:
      for (int k = 0; k < value->as.list.length; ++k)
        result += value->as.list.elements[k];
      free(value->as.list.elements);
      break;
    }
  }
  free(values.data);
  return result;
}
MAIN(f, 6, 0.3, 1e-6)
