// Runs device code on the host, for these tests alone: each thread of a block is a context of its own that waits at
// barriers and shuffles for the others, in ascending, descending or random order. run_kernel sends the intrinsics of
// the device here.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <ucontext.h>
#include <vector>
namespace emu {
struct Fiber {
  ucontext_t c;
  std::vector<char> stack;
  bool done = false;
  int tid;
  int wait = 0;
  uint64_t bars = 0;
  std::map<unsigned, uint64_t> wb;
  uint64_t val;
  int pred;
};
inline std::vector<Fiber> fibers;
inline int cur;
inline ucontext_t sched;
inline int bdim, gdim, bid;
inline std::function<void()> body;
inline int dyn = 0;
inline void entry() {
  body();
  fibers[cur].done = true;
  swapcontext(&fibers[cur].c, &sched);
}
inline void yield() {
  int me = cur;
  swapcontext(&fibers[me].c, &sched);
  cur = me;
}
inline void barrier() {
  Fiber &f = fibers[cur];
  f.bars++;
  uint64_t k = f.bars;
  int spins = 0;
  for (;;) {
    bool all = true;
    for (auto &o : fibers)
      if (!o.done && o.bars < k)
        all = false;
    if (all)
      break;
    if (++spins > 100000) {
      printf("DEADLOCK\n");
      exit(3);
    }
    yield();
  }
}
inline void warp(unsigned m = ~0u) {
  Fiber &f = fibers[cur];
  uint64_t k = ++f.wb[m];
  int w = f.tid / 32;
  int spins = 0;
  for (;;) {
    bool all = true;
    for (auto &o : fibers)
      if (o.tid / 32 == w && (m >> (o.tid & 31) & 1) && !o.done && o.wb[m] < k)
        all = false;
    if (all)
      break;
    if (++spins > 100000) {
      printf("WARP DEADLOCK\n");
      exit(3);
    }
    yield();
  }
}
template <class F>
void launch(int g, int b, F f, int order = 0, void (*start)() = nullptr) {
  gdim = g;
  bdim = b;
  body = f;
  std::mt19937 r(7);
  for (int i = 0; i < g; i++) {
    bid = order == 1 ? g - 1 - i : i;
    if (start)
      start();
    fibers.clear();
    fibers.resize(b);
    for (int t = 0; t < b; t++) {
      auto &x = fibers[t];
      x.tid = t;
      x.stack.resize(1 << 16);
      getcontext(&x.c);
      x.c.uc_stack.ss_sp = x.stack.data();
      x.c.uc_stack.ss_size = x.stack.size();
      x.c.uc_link = nullptr;
      makecontext(&x.c, entry, 0);
    }
    for (;;) {
      std::vector<int> o;
      for (int t = 0; t < b; t++)
        if (!fibers[t].done)
          o.push_back(t);
      if (o.empty())
        break;
      if (order == 1)
        std::reverse(o.begin(), o.end());
      if (order == 2)
        std::shuffle(o.begin(), o.end(), r);
      for (int t : o) {
        cur = t;
        swapcontext(&sched, &fibers[t].c);
      }
    }
  }
}
template <class T>
T shfl(int m, T v, int src) {
  auto &f = fibers[cur];
  f.val = 0;
  memcpy(&f.val, &v, sizeof v);
  warp(m);
  T r;
  int idx = f.tid / 32 * 32 + src;
  memcpy(&r, &fibers[idx].val, sizeof r);
  warp(m);
  return r;
}
inline int src_idx(int lane, int b, int c) {
  int mask = (c >> 8) & 31, cl = c & 31;
  int mx = (lane & mask) | (cl & ~mask & 31);
  int mn = lane & mask;
  int j = mn | (b & ~mask & 31);
  return j <= mx ? j : lane;
}
inline int src_up(int lane, int b, int c, bool &p) {
  int mask = (c >> 8) & 31, cl = c & 31;
  int mx = (lane & mask) | (cl & ~mask & 31);
  int j = lane - b;
  p = j >= mx;
  return p ? j : lane;
}
inline int src_down(int lane, int b, int c, bool &p) {
  int mask = (c >> 8) & 31, cl = c & 31;
  int mx = (lane & mask) | (cl & ~mask & 31);
  int j = lane + b;
  p = j <= mx;
  return p ? j : lane;
}
inline int src_bfly(int lane, int b, int c, bool &p) {
  int mask = (c >> 8) & 31, cl = c & 31;
  int mx = (lane & mask) | (cl & ~mask & 31);
  int j = lane ^ b;
  p = j <= mx;
  return p ? j : lane;
}
inline int lane() {
  return fibers[cur].tid & 31;
}
inline unsigned ballot(int p) {
  fibers[cur].pred = p;
  warp();
  unsigned m = 0;
  int w = fibers[cur].tid / 32;
  for (auto &o : fibers)
    if (o.tid / 32 == w && o.pred)
      m |= 1u << (o.tid & 31);
  warp();
  return m;
}
} // namespace emu
extern "C" {
int emu_read_ptx_sreg_tid_x() {
  return emu::fibers[emu::cur].tid;
}
int emu_read_ptx_sreg_tid_y() {
  return 0;
}
int emu_read_ptx_sreg_tid_z() {
  return 0;
}
int emu_read_ptx_sreg_ntid_x() {
  return emu::bdim;
}
int emu_read_ptx_sreg_ntid_y() {
  return 1;
}
int emu_read_ptx_sreg_ntid_z() {
  return 1;
}
int emu_read_ptx_sreg_ctaid_x() {
  return emu::bid;
}
int emu_read_ptx_sreg_nctaid_x() {
  return emu::gdim;
}
int emu_read_ptx_sreg_nctaid_y() {
  return 1;
}
int emu_read_ptx_sreg_nctaid_z() {
  return 1;
}
int emu_read_ptx_sreg_laneid() {
  return emu::lane();
}
int emu_read_ptx_sreg_warpsize() {
  return 32;
}
int emu_read_ptx_sreg_dynamic_smem_size() {
  return emu::dyn;
}
void emu_barrier_cta_sync_aligned_all(int) {
  emu::barrier();
}
void emu_bar_warp_sync(int m) {
  emu::warp(m);
}
void emu_barrier_cta_sync_all(int) {
  emu::barrier();
}
void emu_barrier_cta_sync_aligned_count(int, int) {
  emu::barrier();
}
static int emu_redsum(int p) {
  static int acc[1];
  auto &f = emu::fibers[emu::cur];
  f.pred = p;
  emu::barrier();
  int s = 0;
  for (auto &o : emu::fibers)
    s += o.pred != 0;
  emu::barrier();
  return s;
}
int emu_barrier_cta_red_popc_aligned_all(int, bool p) {
  return emu_redsum(p);
}
bool emu_barrier_cta_red_and_aligned_all(int, bool p) {
  return emu_redsum(p) == (int)emu::fibers.size();
}
bool emu_barrier_cta_red_or_aligned_all(int, bool p) {
  return emu_redsum(p) > 0;
}
bool emu_isspacep_local(void *) {
  return false;
}
bool emu_isspacep_shared(void *) {
  return true;
}
float emu_shfl_sync_idx_f32(int m, float v, int b, int c) {
  return emu::shfl(m, v, emu::src_idx(emu::lane(), b, c));
}
int emu_shfl_sync_idx_i32(int m, int v, int b, int c) {
  return emu::shfl(m, v, emu::src_idx(emu::lane(), b, c));
}
float emu_shfl_sync_down_f32(int m, float v, int b, int c) {
  bool p;
  return emu::shfl(m, v, emu::src_down(emu::lane(), b, c, p));
}
int emu_shfl_sync_down_i32(int m, int v, int b, int c) {
  bool p;
  return emu::shfl(m, v, emu::src_down(emu::lane(), b, c, p));
}
float emu_shfl_sync_up_f32(int m, float v, int b, int c) {
  bool p;
  return emu::shfl(m, v, emu::src_up(emu::lane(), b, c, p));
}
int emu_shfl_sync_up_i32(int m, int v, int b, int c) {
  bool p;
  return emu::shfl(m, v, emu::src_up(emu::lane(), b, c, p));
}
float emu_shfl_sync_bfly_f32(int m, float v, int b, int c) {
  bool p;
  return emu::shfl(m, v, emu::src_bfly(emu::lane(), b, c, p));
}
int emu_shfl_sync_bfly_i32(int m, int v, int b, int c) {
  bool p;
  return emu::shfl(m, v, emu::src_bfly(emu::lane(), b, c, p));
}
void __assertfail(const char *, const char *, unsigned, const char *, size_t) {
  printf("assert\n");
}
unsigned emu_vote_ballot_sync(int, bool p) {
  return emu::ballot(p);
}
// Which lanes a branch left is not known here. A kernel none of whose sums are made by some lanes alone says so.
int emu_lanes_together() {
  return std::getenv("WHOLE_WARPS") ? -1 : 0;
}
bool emu_vote_all_sync(int, bool p) {
  return emu::ballot(!p) == 0;
}
int emu_activemask() {
  int m = 0;
  int w = emu::fibers[emu::cur].tid / 32;
  for (auto &o : emu::fibers)
    if (o.tid / 32 == w && !o.done)
      m |= 1u << (o.tid & 31);
  return m;
}
#define N1(n)                                                                                                          \
  double __nv_##n(double x) {                                                                                          \
    return n(x);                                                                                                       \
  }                                                                                                                    \
  float __nv_##n##f(float x) {                                                                                         \
    return n##f(x);                                                                                                    \
  }
N1(sin) N1(cos) N1(exp) N1(log) N1(sqrt) N1(fabs) N1(tanh) N1(rint) N1(floor) double __nv_pow(double x, double y) {
  return pow(x, y);
}
double __nv_norm(int count, const double *numbers) {
  double sum = 0;
  for (int index = 0; index < std::max(count, 1); ++index)
    sum += numbers[index] * numbers[index];
  return sqrt(sum);
}
double __nv_rnorm(int count, const double *numbers) {
  return 1 / __nv_norm(count, numbers);
}
float __nv_powf(float x, float y) {
  return powf(x, y);
}
double __nv_fma(double x, double y, double z) {
  return fma(x, y, z);
}
float __nv_fmaf(float x, float y, float z) {
  return fmaf(x, y, z);
}
double __nv_fmax(double x, double y) {
  return fmax(x, y);
}
float __nv_fmaxf(float x, float y) {
  return fmaxf(x, y);
}
}
