// clang-format off
// assay check molecular_dynamics.cu --function pair_forces --launch '<<<3,32>>>' --arg 'double[3x4]:(-1,1)' --arg 'int[3]=2,2,2' --arg 'int[51]=1,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0' --arg 'double[2]:(0.5,1.5)' --arg 'double[3x4]' --arg 'double[1]' --arg int=3
// assay check molecular_dynamics.cu --function kick_and_drift --launch '<<<2,16>>>' --arg 'double[20x4]' --arg 'double[20x4]' --arg 'double[20x4]' --arg double=0.01 --arg int=20
// assay check molecular_dynamics.cu --function kick --launch '<<<2,16>>>' --arg 'double[20x4]' --arg 'double[20x4]' --arg double=0.01 --arg int=20
// assay check molecular_dynamics.cu --function kinetic_energy --launch '<<<2,64>>>' --arg 'double[100x4]' --arg 'double[1]' --arg int=100
// assay check molecular_dynamics.cu --function radial_distribution --launch '<<<2,32>>>' --arg 'double[20x4]:(0,3)' --arg 'double[8]' --arg 'double=0.25' --arg int=20
// clang-format on
//
// Particles of two kinds in a periodic box: velocity Verlet with forces from a neighbour list, which a kernel builds
// from cells by atomic counters on integers, and builds again every few steps. A warp goes through the neighbours of
// each particle and adds up by shuffles. The potential is chosen at run time through a virtual function of an object on
// the device; masses and charges are tables in constant memory. The gradient of the final energy and of a smooth radial
// distribution goes by the strengths of the interaction and the initial positions and velocities.
#include <assay/autodiff.hpp>
#include <assay/gpu/host.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

constexpr int warp = 32;
constexpr int most_neighbours = 17; // All others: fewer would be those that threads find first.
constexpr int cells_along = 3;
constexpr int cell_count = cells_along * cells_along * cells_along;
constexpr int most_in_cell = 16;
constexpr double box = 4.5;
constexpr double cutoff = 1.5;
constexpr int kinds = 2;

__constant__ double mass_of[kinds] = {1.0, 1.7};
__constant__ double charge_of[kinds] = {0.4, -0.4};
__constant__ double size_of[kinds][kinds] = {{0.6, 0.65}, {0.65, 0.7}};

// ---- Device: vectors; the fourth component of a position is the particle's kind ----

__device__ inline double4 operator-(const double4 &a, const double4 &b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z, 0};
}
__device__ inline double4 operator+(const double4 &a, const double4 &b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w};
}
__device__ inline double4 operator*(double factor, const double4 &a) {
  return {factor * a.x, factor * a.y, factor * a.z, 0};
}
__device__ inline double dot(const double4 &a, const double4 &b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__device__ inline int kind_of(const double4 &position) {
  return position.w > 0.5 ? 1 : 0;
}
__device__ inline double nearest(double distance) {
  return distance - box * rint(distance / box);
}
// The shortest way between two particles, over the box's edges.
__device__ inline double4 between(const double4 &a, const double4 &b) {
  const double4 direct = a - b;
  return {nearest(direct.x), nearest(direct.y), nearest(direct.z), 0};
}

// ---- Device: potentials ----

// Energy of a pair at the square of its distance, and the force divided by the distance.
struct Interaction {
  double energy, force;
};

struct Potential {
  __device__ virtual Interaction of(double square, int first, int second) const = 0;
};

class LennardJones : public Potential {
public:
  __device__ explicit LennardJones(double strength) : strength_(strength) {}
  __device__ Interaction of(double square, int first, int second) const override {
    const double size = size_of[first][second];
    const double ratio = size * size / square, sixth = ratio * ratio * ratio;
    return {4 * strength_ * (sixth * sixth - sixth), 24 * strength_ * (2 * sixth * sixth - sixth) / square};
  }

private:
  double strength_;
};

class ScreenedCharges : public Potential {
public:
  __device__ explicit ScreenedCharges(double length) : length_(length) {}
  __device__ Interaction of(double square, int first, int second) const override {
    const double distance = sqrt(square);
    const double energy = charge_of[first] * charge_of[second] * exp(-distance / length_) / distance;
    return {energy, energy * (1 / distance + 1 / length_) / distance};
  }

private:
  double length_;
};

// Goes to zero at the cutoff with its slope.
__device__ inline double2 smooth_end(double square) {
  const double inside = 1 - square / (cutoff * cutoff);
  return {inside * inside, 4 * inside / (cutoff * cutoff)};
}

// ---- Device: neighbours ----

__device__ inline int cell_along(double at) {
  const double inside = at - box * floor(at / box);
  return min(static_cast<int>(inside * (cells_along / box)), cells_along - 1);
}

__global__ void sort_into_cells(const double4 *positions, int *in_cell, int *members, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const double4 at = positions[i];
  const int cell = (cell_along(at.z) * cells_along + cell_along(at.y)) * cells_along + cell_along(at.x);
  const int slot = atomicAdd(&in_cell[cell], 1);
  if (slot < most_in_cell)
    members[cell * most_in_cell + slot] = i;
}

// With cells as long as the cutoff, three along each axis, all particles are in neighbouring cells; lists are sorted,
// so that they do not depend on the order of the threads.
__global__ void list_neighbours(const double4 *positions, const int *in_cell, const int *members, int *neighbour_count,
                                int *neighbours, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int found = 0;
  int *mine = neighbours + i * most_neighbours;
  for (int cell = 0; cell < cell_count; ++cell)
    for (int slot = 0; slot < min(in_cell[cell], most_in_cell); ++slot) {
      const int j = members[cell * most_in_cell + slot];
      const double4 way = between(positions[i], positions[j]);
      if (j == i || dot(way, way) >= 1.2 * cutoff * cutoff || found == most_neighbours)
        continue;
      int place = found++;
      for (; place > 0 && mine[place - 1] > j; --place)
        mine[place] = mine[place - 1];
      mine[place] = j;
    }
  neighbour_count[i] = found;
}

// ---- Device: forces and motion ----

__device__ inline double warp_sum(double value) {
  for (int distance = warp / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

// A warp for each particle.
__device__ void add_pair_forces(const double4 *positions, const int *neighbour_count, const int *neighbours,
                                const double *strengths, double4 *forces, double *energy, int count) {
  const int i = blockIdx.x, lane = threadIdx.x;
  if (i >= count)
    return;
  const LennardJones repulsion(strengths[0]);
  const ScreenedCharges charges(strengths[1]);
  const double4 own = positions[i];
  double4 force{};
  double potential = 0;
  for (int n = lane; n < 2 * neighbour_count[i]; n += warp) {
    const Potential *law = &repulsion;
    if (n % 2)
      law = &charges;
    const double4 other = positions[neighbours[i * most_neighbours + n / 2]];
    const double4 way = between(own, other);
    const double square = dot(way, way);
    if (square >= cutoff * cutoff)
      continue;
    const Interaction pair = law->of(square, kind_of(own), kind_of(other));
    const double2 end = smooth_end(square);
    force = force + (pair.force * end.x + pair.energy * end.y) * way;
    potential += 0.5 * pair.energy * end.x;
  }
  force = {warp_sum(force.x), warp_sum(force.y), warp_sum(force.z), 0};
  potential = warp_sum(potential);
  if (lane == 0) {
    forces[i] = force;
    atomicAdd(energy, potential);
  }
}

__device__ void move_half(double4 *positions, double4 *velocities, const double4 *forces, double step, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  velocities[i] = velocities[i] + step / (2 * mass_of[kind_of(positions[i])]) * forces[i];
  positions[i] = positions[i] + step * velocities[i];
}
__device__ void push(double4 *velocities, const double4 *forces, double step, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    velocities[i] = velocities[i] + step / (2 * mass_of[kind_of(velocities[i])]) * forces[i];
}

__device__ void add_kinetic_energy(const double4 *velocities, double *energy, int count) {
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    mine += 0.5 * mass_of[kind_of(velocities[i])] * dot(velocities[i], velocities[i]);
  mine = warp_sum(mine);
  if (threadIdx.x % warp == 0)
    atomicAdd(energy, mine);
}

// How many pairs there are at distances 0, width, 2 width, ..., each pair counted as a bell.
template <int bins>
__device__ void add_pairs(const double4 *positions, double *histogram, double width, int count) {
  __shared__ double block_histogram[bins];
  if (threadIdx.x < bins)
    block_histogram[threadIdx.x] = 0;
  __syncthreads();
  for (int pair = blockIdx.x * blockDim.x + threadIdx.x; pair < count * count; pair += gridDim.x * blockDim.x) {
    const int i = pair / count, j = pair % count;
    if (i >= j)
      continue;
    const double4 way = between(positions[i], positions[j]);
    const double distance = sqrt(dot(way, way) + 1e-6);
    for (int bin = 0; bin < bins; ++bin) {
      const double off = distance / width - bin;
      atomicAdd(&block_histogram[bin], exp(-0.5 * off * off));
    }
  }
  __syncthreads();
  if (threadIdx.x < bins)
    atomicAdd(&histogram[threadIdx.x], block_histogram[threadIdx.x]);
}

constexpr int bins = 8;

__global__ void pair_forces(const double4 *positions, const int *neighbour_count, const int *neighbours,
                            const double *strengths, double4 *forces, double *energy, int count) {
  add_pair_forces(positions, neighbour_count, neighbours, strengths, forces, energy, count);
}
__global__ void kick_and_drift(double4 *positions, double4 *velocities, const double4 *forces, double step, int count) {
  move_half(positions, velocities, forces, step, count);
}
__global__ void kick(double4 *velocities, const double4 *forces, double step, int count) {
  push(velocities, forces, step, count);
}
__global__ void kinetic_energy(const double4 *velocities, double *energy, int count) {
  add_kinetic_energy(velocities, energy, count);
}
__global__ void radial_distribution(const double4 *positions, double *histogram, double width, int count) {
  add_pairs<bins>(positions, histogram, width, count);
}
ASSAY_LAUNCH_WITHOUT_DERIVATIVE(sort_into_cells);
ASSAY_LAUNCH_WITHOUT_DERIVATIVE(list_neighbours);
ASSAY_LAUNCH(pair_forces);
ASSAY_LAUNCH(kick_and_drift);
ASSAY_LAUNCH(kick);
ASSAY_LAUNCH(kinetic_energy);
ASSAY_LAUNCH(radial_distribution);

// ---- Host ----

static void require(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

template <class T>
static T *allocate(int count) {
  T *memory = nullptr;
  require(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
  return memory;
}

struct System {
  int count;
  double4 *positions, *velocities, *forces;
  double *energy, *histogram, *strengths;
  int *in_cell, *members, *neighbour_count, *neighbours;

  explicit System(int count)
      : count(count), positions(allocate<double4>(count)), velocities(allocate<double4>(count)),
        forces(allocate<double4>(count)), energy(allocate<double>(1)), histogram(allocate<double>(bins)),
        strengths(allocate<double>(2)), in_cell(allocate<int>(cell_count)),
        members(allocate<int>(cell_count * most_in_cell)), neighbour_count(allocate<int>(count)),
        neighbours(allocate<int>(count * most_neighbours)) {}
  void release() {
    for (double4 *memory : {positions, velocities, forces})
      cudaFree(memory);
    for (double *memory : {energy, histogram, strengths})
      cudaFree(memory);
    for (int *memory : {in_cell, members, neighbour_count, neighbours})
      cudaFree(memory);
  }
  int blocks() const { return (count + warp - 1) / warp; }

  void find_neighbours() {
    require(cudaMemset(in_cell, 0, cell_count * sizeof(int)), "cudaMemset");
    sort_into_cells<<<blocks(), warp>>>(positions, in_cell, members, count);
    list_neighbours<<<blocks(), warp>>>(positions, in_cell, members, neighbour_count, neighbours, count);
  }
  void find_forces() {
    require(cudaMemset(energy, 0, sizeof(double)), "cudaMemset");
    pair_forces<<<count, warp>>>(positions, neighbour_count, neighbours, strengths, forces, energy, count);
  }
};

struct Run {
  int count, steps, steps_of_list;
  double step;
};

// The energy at the end and the weighted sum of the radial distribution.
static double simulate(const double4 *positions, const double4 *velocities, const double *strengths, const Run &run) {
  System system(run.count);
  const std::size_t bytes = run.count * sizeof(double4);
  require(cudaMemcpy(system.positions, positions, bytes, cudaMemcpyHostToDevice), "positions");
  require(cudaMemcpy(system.velocities, velocities, bytes, cudaMemcpyHostToDevice), "velocities");
  require(cudaMemcpy(system.strengths, strengths, 2 * sizeof(double), cudaMemcpyHostToDevice), "strengths");
  system.find_neighbours();
  system.find_forces();
  for (int step = 1; step <= run.steps; ++step) {
    kick_and_drift<<<system.blocks(), warp>>>(system.positions, system.velocities, system.forces, run.step, run.count);
    if (step % run.steps_of_list == 0)
      system.find_neighbours();
    system.find_forces();
    kick<<<system.blocks(), warp>>>(system.velocities, system.forces, run.step, run.count);
  }
  kinetic_energy<<<1, 2 * warp>>>(system.velocities, system.energy, run.count);
  require(cudaMemset(system.histogram, 0, bins * sizeof(double)), "cudaMemset");
  radial_distribution<<<2, warp>>>(system.positions, system.histogram, 0.25, run.count);
  double energy = 0, histogram[bins];
  require(cudaMemcpy(&energy, system.energy, sizeof energy, cudaMemcpyDeviceToHost), "energy");
  require(cudaMemcpy(histogram, system.histogram, sizeof histogram, cudaMemcpyDeviceToHost), "histogram");
  system.release();
  double result = energy;
  for (int bin = 0; bin < bins; ++bin)
    result += 0.1 * std::cos(bin) * histogram[bin];
  return result;
}

// ---- The gradient against central differences along two directions ----

static std::vector<double4> moved(const std::vector<double4> &from, const std::vector<double4> &along, double step) {
  std::vector<double4> result = from;
  for (std::size_t i = 0; i < from.size(); ++i) {
    result[i].x += step * along[i].x;
    result[i].y += step * along[i].y;
    result[i].z += step * along[i].z;
  }
  return result;
}
static double product(const std::vector<double4> &a, const std::vector<double4> &b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i].x * b[i].x + a[i].y * b[i].y + a[i].z * b[i].z;
  return sum;
}

int main() {
  const Run run{18, 6, 3, 0.01};
  std::vector<double4> positions, velocities;
  for (int i = 0; i < run.count; ++i) {
    const double kind = i % kinds;
    positions.push_back({1.1 * (i % 3) + 0.1 * std::sin(5 * i), 1.1 * (i / 3 % 3) + 0.1 * std::cos(3 * i),
                         1.2 * (i / 9) + 0.1 * std::sin(7 * i), kind});
    velocities.push_back({0.5 * std::cos(2 * i), 0.5 * std::sin(4 * i), 0.3 * std::cos(9 * i), kind});
  }
  const std::vector<double> strengths{0.8, 0.9};

  using namespace assay;
  std::vector<double4> by_positions(run.count), by_velocities(run.count);
  std::vector<double> by_strengths(2);
  autodiff<Reverse>(simulate, Duplicated{positions.data(), by_positions.data()},
                    Duplicated{velocities.data(), by_velocities.data()},
                    Duplicated{strengths.data(), by_strengths.data()}, Const{run});
  int failed = 0;
  for (int direction = 0; direction < 2; ++direction) {
    std::vector<double4> of_positions, of_velocities;
    for (int i = 0; i < run.count; ++i) {
      of_positions.push_back({std::cos(i + direction), std::sin(2 * i), std::cos(3 * i), 0});
      of_velocities.push_back({std::sin(i), std::cos(2 * i + direction), std::sin(3 * i), 0});
    }
    std::vector<double> of_strengths{1.0 - direction, 0.5};
    const auto value = [&](double step) {
      const std::vector<double> there{strengths[0] + step * of_strengths[0], strengths[1] + step * of_strengths[1]};
      return simulate(moved(positions, of_positions, step).data(), moved(velocities, of_velocities, step).data(),
                      there.data(), run);
    };
    const double step = 1e-6, expected = (value(step) - value(-step)) / (2 * step);
    const double reverse = product(by_positions, of_positions) + product(by_velocities, of_velocities) +
                           by_strengths[0] * of_strengths[0] + by_strengths[1] * of_strengths[1];
    const double forward = autodiff<Forward>(simulate, Duplicated{positions.data(), of_positions.data()},
                                             Duplicated{velocities.data(), of_velocities.data()},
                                             Duplicated{strengths.data(), of_strengths.data()}, Const{run})
                               .derivative;
    const double allowed = 1e-6 * (1 + std::abs(expected));
    const bool passed = std::abs(reverse - expected) < allowed && std::abs(forward - expected) < allowed;
    std::printf("molecular dynamics, direction %d: differences %.10g, forward %.10g, reverse %.10g: %s\n", direction,
                expected, forward, reverse, passed ? "passed" : "FAILED");
    failed += !passed;
  }
  return failed;
}
