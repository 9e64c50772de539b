#include "moved_words.hpp"

float square_of_a_float(float x) {
  return x * x;
}

CHECK_MOVED_WORDS(SecondDerivativesOfWordsBesideFloats)
