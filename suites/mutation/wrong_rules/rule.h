/* For rules with one fault each. A file is compiled twice: as it is, and with RIGHT defined, without the fault. The
 * message of the check has to contain the lines that begin with "// names: ". */
#include "../registration.h"

#ifdef RIGHT
#define CHOOSE(wrong, right) (right)
#else
#define CHOOSE(wrong, right) (wrong)
#endif
