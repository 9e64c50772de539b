#include "moved_words.hpp"

CHECK_MOVED_WORDS(SecondDerivativesOfMovedWords)
