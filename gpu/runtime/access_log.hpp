#pragma once
// Every access to shared and global memory of a launch, to find what the result does not show: two threads at one place
// without a barrier between them, of which one writes; memory that nobody gave; shared memory that nobody has written.
//
// Code that was compiled with a log (`gpu/emulate/log_accesses.hpp`) calls assay_gpu_access before each access. For
// each byte the last write and the reads since are kept, with thread, phase and place. Two accesses are ordered if they
// are of one thread, or of one block with a barrier between them; between blocks nothing is.

#include "gpu/runtime/interface.hpp"

namespace assay::gpu {

bool access_log_is_on();
void turn_access_log(bool on);

void begin_launch(const KernelRow &kernel);
void begin_block();
void end_launch();

} // namespace assay::gpu
