// clang-format off
// assay check shallow_water.cu --function initial_state --launch '<<<(2,2),(8,4)>>>' --arg 'double[9x12]' --arg double --arg 'double[3x9x12]' --arg int=10 --arg int=7
// assay check shallow_water.cu --function reflect_at_walls --launch '<<<1,32>>>' --arg 'double[3x9x12]' --arg int=10 --arg int=7
// assay check shallow_water.cu --function largest_speeds --launch '<<<2,64>>>' --arg 'double[3x9x12]:(0.5,1.5)' --arg 'double[2]' --arg int=10 --arg int=7
// assay check shallow_water.cu --function numerical_fluxes --launch '<<<(2,2),(8,4)>>>' --arg 'double[3x9x12]:(0.5,1.5)' --arg 'double[3x9x12]' --arg 'double[3x9x12]' --arg int=10 --arg int=7
// assay check shallow_water.cu --function advance --launch '<<<(2,2),(8,4)>>>' --arg 'double[3x9x12]:(0.5,1.5)' --arg 'double[3x9x12]' --arg 'double[3x9x12]' --arg 'double[9x12]' --arg 'double:(0.001,0.01)' --arg 'double:(0.01,0.1)' --arg int=10 --arg int=7
// assay check shallow_water.cu --function misfit_at_gauges --launch '<<<1,32>>>' --arg 'double[3x9x12]' --arg 'double[9x12]' --arg 'int[5]=14,27,40,55,62' --arg 'double[5]' --arg 'double[1]' --arg int=5 --arg int=10 --arg int=7
// clang-format on
//
// A dam breaks in a closed basin: the shallow water equations over an uneven bed on a regular grid of finite volumes,
// with Rusanov's fluxes, hydrostatic pressure on the slope of the bed and Manning's friction. The step in time follows
// from the largest speed of waves, as in production codes: blocks find theirs in shared memory, the host the largest of
// all. The gradient of the misfit at gauges by the bed, the height of the dam and the friction goes through all steps,
// the choice of their size included.
#include <assay/autodiff.hpp>
#include <assay/gpu/host.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    const cudaError_t error = (call);                                                                                  \
    if (error != cudaSuccess) {                                                                                        \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error));                   \
      std::exit(2);                                                                                                    \
    }                                                                                                                  \
  } while (0)

constexpr double gravity = 9.81;
constexpr double dry = 1e-6;
constexpr double cell = 0.5;
constexpr int tile_x = 8, tile_y = 4;
constexpr int threads = 64;

// ---- Device: one cell ----

// Depth and momentum of a cell. The grid has a margin of one cell on each side; the three fields lie behind one
// another.
struct State {
  double depth, along_x, along_y;
};

__device__ __host__ inline int cells_with_margin(int width, int height) {
  return (width + 2) * (height + 2);
}
__device__ inline int place(int x, int y, int width) {
  return (y + 1) * (width + 2) + x + 1;
}
__device__ inline State load(const double *fields, int at, int count) {
  return {fields[at], fields[count + at], fields[2 * count + at]};
}
__device__ inline void store(double *fields, int at, int count, const State &state) {
  fields[at] = state.depth;
  fields[count + at] = state.along_x;
  fields[2 * count + at] = state.along_y;
}
__device__ inline State operator+(const State &a, const State &b) {
  return {a.depth + b.depth, a.along_x + b.along_x, a.along_y + b.along_y};
}
__device__ inline State operator-(const State &a, const State &b) {
  return {a.depth - b.depth, a.along_x - b.along_x, a.along_y - b.along_y};
}
__device__ inline State operator*(double factor, const State &a) {
  return {factor * a.depth, factor * a.along_x, factor * a.along_y};
}

enum class Axis { x, y };

template <Axis axis>
__device__ double velocity(const State &state) {
  if (state.depth < dry)
    return 0;
  return (axis == Axis::x ? state.along_x : state.along_y) / state.depth;
}

template <Axis axis>
__device__ State physical_flux(const State &state) {
  const double speed = velocity<axis>(state);
  const double pressure = 0.5 * gravity * state.depth * state.depth;
  State flux = speed * state;
  (axis == Axis::x ? flux.along_x : flux.along_y) += pressure;
  return flux;
}

template <Axis axis>
__device__ double wave_speed(const State &state) {
  return fabs(velocity<axis>(state)) + sqrt(gravity * fmax(state.depth, dry));
}

// Rusanov: the mean of both sides, and as much diffusion as the fastest wave needs.
template <Axis axis>
__device__ State flux_between(const State &left, const State &right) {
  const double fastest = fmax(wave_speed<axis>(left), wave_speed<axis>(right));
  return 0.5 * (physical_flux<axis>(left) + physical_flux<axis>(right)) - 0.5 * fastest * (right - left);
}

// ---- Device: kernels, each as a function that its threads call ----

__device__ void set_initial_state(const double *bed, double dam_height, double *fields, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const int at = place(x, y, width);
  const bool behind_dam = x < width / 2;
  const double level = 1.0 + (behind_dam ? dam_height * (1 + 0.1 * cos(0.7 * y)) : 0.0);
  store(fields, at, cells_with_margin(width, height), {level - bed[at], 0, 0});
}

// The margin mirrors the cell beside it: momentum against the wall changes sign.
__device__ void mirror(double *fields, int from, int to, int count, double sign_x, double sign_y) {
  const State state = load(fields, from, count);
  store(fields, to, count, {state.depth, sign_x * state.along_x, sign_y * state.along_y});
}
__device__ void set_margin(double *fields, int width, int height) {
  const int count = cells_with_margin(width, height);
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 2 * (width + height); i += stride) {
    if (i < width)
      mirror(fields, place(i, 0, width), place(i, -1, width), count, 1, -1);
    else if (i < 2 * width)
      mirror(fields, place(i - width, height - 1, width), place(i - width, height, width), count, 1, -1);
    else if (i < 2 * width + height)
      mirror(fields, place(0, i - 2 * width, width), place(-1, i - 2 * width, width), count, -1, 1);
    else
      mirror(fields, place(width - 1, i - 2 * width - height, width), place(width, i - 2 * width - height, width),
             count, -1, 1);
  }
}

__device__ void find_largest_speeds(const double *fields, double *largest, int width, int height) {
  __shared__ double speeds[threads];
  const int count = cells_with_margin(width, height);
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < width * height; i += gridDim.x * blockDim.x) {
    const State state = load(fields, place(i % width, i / width, width), count);
    mine = fmax(mine, fmax(wave_speed<Axis::x>(state), wave_speed<Axis::y>(state)));
  }
  speeds[threadIdx.x] = mine;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      speeds[threadIdx.x] = fmax(speeds[threadIdx.x], speeds[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    largest[blockIdx.x] = speeds[0];
}

// The fluxes through the left and the lower edge of each cell, from a tile with a margin in shared memory.
__device__ void find_fluxes(const double *fields, double *flux_x, double *flux_y, int width, int height) {
  __shared__ State tile[tile_y + 1][tile_x + 1];
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int count = cells_with_margin(width, height);
  const bool inside = x <= width && y <= height;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  if (inside) {
    tile[ty][tx] = load(fields, place(x, y, width), count);
    if (threadIdx.x == 0)
      tile[ty][0] = load(fields, place(x - 1, y, width), count);
    if (threadIdx.y == 0)
      tile[0][tx] = load(fields, place(x, y - 1, width), count);
  }
  __syncthreads();
  if (!inside)
    return;
  if (y < height)
    store(flux_x, place(x, y, width), count, flux_between<Axis::x>(tile[ty][tx - 1], tile[ty][tx]));
  if (x < width)
    store(flux_y, place(x, y, width), count, flux_between<Axis::y>(tile[ty - 1][tx], tile[ty][tx]));
}

__device__ void advance_cell(double *fields, const double *flux_x, const double *flux_y, const double *bed, double step,
                             double roughness, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const int count = cells_with_margin(width, height);
  const int at = place(x, y, width), right = place(x + 1, y, width), above = place(x, y + 1, width);
  State state = load(fields, at, count);
  const State change =
      (load(flux_x, right, count) - load(flux_x, at, count)) + (load(flux_y, above, count) - load(flux_y, at, count));
  const double weight = gravity * state.depth;
  state = state - step / cell * change;
  const double slope_x = (bed[right] - bed[place(x - 1, y, width)]) / (2 * cell);
  const double slope_y = (bed[above] - bed[place(x, y - 1, width)]) / (2 * cell);
  state.along_x -= step * weight * slope_x;
  state.along_y -= step * weight * slope_y;
  if (state.depth > dry) {
    const double speed = hypot(state.along_x, state.along_y) / state.depth;
    const double drag = step * gravity * roughness * roughness * speed / pow(state.depth, 4.0 / 3.0);
    state.along_x /= 1 + drag;
    state.along_y /= 1 + drag;
  }
  store(fields, at, count, state);
}

__device__ void add_misfit(const double *fields, const double *bed, const int *gauges, const double *measured,
                           double *misfit, int gauge_count, int /*width*/, int /*height*/) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double mine = 0;
  if (i < gauge_count) {
    const double error = fields[gauges[i]] + bed[gauges[i]] - measured[i];
    mine = 0.5 * error * error;
  }
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, distance);
  if (threadIdx.x % warpSize == 0)
    atomicAdd(misfit, mine);
}

#define KERNEL(name, body, parameters, arguments)                                                                      \
  __global__ void name parameters {                                                                                    \
    body arguments;                                                                                                    \
  }                                                                                                                    \
  ASSAY_LAUNCH(name, body)

KERNEL(initial_state, set_initial_state, (const double *bed, double dam_height, double *fields, int width, int height),
       (bed, dam_height, fields, width, height));
KERNEL(reflect_at_walls, set_margin, (double *fields, int width, int height), (fields, width, height));
KERNEL(largest_speeds, find_largest_speeds, (const double *fields, double *largest, int width, int height),
       (fields, largest, width, height));
KERNEL(numerical_fluxes, find_fluxes, (const double *fields, double *flux_x, double *flux_y, int width, int height),
       (fields, flux_x, flux_y, width, height));
KERNEL(advance, advance_cell,
       (double *fields, const double *flux_x, const double *flux_y, const double *bed, double step, double roughness,
        int width, int height),
       (fields, flux_x, flux_y, bed, step, roughness, width, height));
KERNEL(misfit_at_gauges, add_misfit,
       (const double *fields, const double *bed, const int *gauges, const double *measured, double *misfit,
        int gauge_count, int width, int height),
       (fields, bed, gauges, measured, misfit, gauge_count, width, height));

// ---- Host ----

struct Basin {
  int width, height;
  std::vector<int> gauges;
  std::vector<double> measured;
  double until; // seconds
};

static double simulate(const double *bed, double dam_height, double roughness, const Basin &basin) {
  const int width = basin.width, height = basin.height, gauge_count = static_cast<int>(basin.gauges.size());
  const int count = cells_with_margin(width, height), blocks = 2;
  double *fields, *flux_x, *flux_y, *device_bed, *speeds, *measured, *misfit;
  int *gauges;
  CHECK(cudaMalloc(&fields, 3 * count * sizeof(double)));
  CHECK(cudaMalloc(&flux_x, 3 * count * sizeof(double)));
  CHECK(cudaMalloc(&flux_y, 3 * count * sizeof(double)));
  CHECK(cudaMalloc(&device_bed, count * sizeof(double)));
  CHECK(cudaMalloc(&speeds, blocks * sizeof(double)));
  CHECK(cudaMalloc(&measured, gauge_count * sizeof(double)));
  CHECK(cudaMalloc(&misfit, sizeof(double)));
  CHECK(cudaMalloc(&gauges, gauge_count * sizeof(int)));
  CHECK(cudaMemcpy(device_bed, bed, count * sizeof(double), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(gauges, basin.gauges.data(), gauge_count * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(measured, basin.measured.data(), gauge_count * sizeof(double), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(misfit, 0, sizeof(double)));

  const dim3 block(tile_x, tile_y);
  const dim3 grid(width / tile_x + 1, height / tile_y + 1);
  initial_state<<<grid, block>>>(device_bed, dam_height, fields, width, height);
  double time = 0;
  while (time < basin.until) {
    reflect_at_walls<<<1, 32>>>(fields, width, height);
    largest_speeds<<<blocks, threads>>>(fields, speeds, width, height);
    double of_blocks[blocks];
    CHECK(cudaMemcpy(of_blocks, speeds, sizeof of_blocks, cudaMemcpyDeviceToHost));
    const double step = 0.4 * cell / *std::max_element(of_blocks, of_blocks + blocks);
    numerical_fluxes<<<grid, block>>>(fields, flux_x, flux_y, width, height);
    advance<<<grid, block>>>(fields, flux_x, flux_y, device_bed, step, roughness, width, height);
    CHECK(cudaGetLastError());
    time += step;
  }
  misfit_at_gauges<<<1, 32>>>(fields, device_bed, gauges, measured, misfit, gauge_count, width, height);
  double result = 0;
  CHECK(cudaMemcpy(&result, misfit, sizeof(double), cudaMemcpyDeviceToHost));
  for (double *memory : {fields, flux_x, flux_y, device_bed, speeds, measured, misfit})
    CHECK(cudaFree(memory));
  CHECK(cudaFree(gauges));
  return result;
}

// ---- The gradient against central differences along two directions ----

int main() {
  const Basin basin{12, 7, {18, 33, 49, 66, 81}, {1.05, 1.2, 1.1, 1.25, 1.15}, 0.6};
  const int count = cells_with_margin(basin.width, basin.height);
  std::vector<double> bed(count), gradient(count);
  for (int i = 0; i < count; ++i)
    bed[i] = 0.1 * std::sin(0.9 * i) + 0.1;
  const double dam_height = 0.6, roughness = 0.05;

  using namespace assay;
  const auto result = autodiff<Reverse>(simulate, Duplicated{bed.data(), gradient.data()}, Active{dam_height},
                                        Active{roughness}, Const{basin});
  int failed = 0;
  for (int direction = 0; direction < 2; ++direction) {
    std::vector<double> along(count);
    for (int i = 0; i < count; ++i)
      along[i] = std::cos((direction + 1.3) * i);
    const double along_dam = 0.5 - direction, along_roughness = 0.3 * direction;
    const auto value = [&](double step) {
      std::vector<double> moved = bed;
      for (int i = 0; i < count; ++i)
        moved[i] += step * along[i];
      return simulate(moved.data(), dam_height + step * along_dam, roughness + step * along_roughness, basin);
    };
    const double step = 1e-5, expected = (value(step) - value(-step)) / (2 * step);
    double reverse = get<1>(result.gradient) * along_dam + get<2>(result.gradient) * along_roughness;
    for (int i = 0; i < count; ++i)
      reverse += gradient[i] * along[i];
    std::vector<double> tangent = along;
    const double forward =
        autodiff<Forward>(simulate, Duplicated{bed.data(), tangent.data()}, Duplicated{dam_height, along_dam},
                          Duplicated{roughness, along_roughness}, Const{basin})
            .derivative;
    const double allowed = 1e-6 * (1 + std::abs(expected));
    const bool passed = std::abs(reverse - expected) < allowed && std::abs(forward - expected) < allowed;
    std::printf("shallow water, direction %d: differences %.10g, forward %.10g, reverse %.10g: %s\n", direction,
                expected, forward, reverse, passed ? "passed" : "FAILED");
    failed += !passed;
  }
  return failed;
}
