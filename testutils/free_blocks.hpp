#pragma once
// The C library counts its free blocks one by one when it is asked what is in use, and compilers leave a hundred
// thousand behind, between which memory that is asked for later would lie as well.

#include <cstddef>

namespace assay::testutils {

/// Asks for the free blocks that lie between blocks in use, and keeps them until the process ends: requests of later
/// get memory behind these. Of the main arena of glibc's heap, by the thread that uses it.
void take_free_blocks();

} // namespace assay::testutils
