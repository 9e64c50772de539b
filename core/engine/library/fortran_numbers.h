// Functions of arrays of one type of numbers: NUMBER, called NAME as flang does: Real8.
#define JOINED_(first, second) first##second
#define JOINED(first, second) JOINED_(first, second)
#define BODY_OF_REDUCTION(name) BODY_OF_JOINED(name, NAME)
#define BODY_OF_JOINED(first, second) BODY_OF_JOINED_(first, second)
#define BODY_OF_JOINED_(first, second) __asm__(#first #second)

static inline NUMBER number_at(const Descriptor *array, Index place) {
  return *(const NUMBER *)element(array, place);
}
