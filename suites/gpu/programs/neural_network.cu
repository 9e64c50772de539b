// clang-format off
// assay check neural_network.cu --function dense_forward --launch '<<<(2,2),(8,8)>>>' --arg 'double[10x12]' --arg 'double[12x9]' --arg 'double[9]' --arg 'double[10x9]' --arg int=10 --arg int=12 --arg int=9
// assay check neural_network.cu --function softplus --launch '<<<2,32>>>' --arg 'double[40]' --arg 'double[40]' --arg int=40
// assay check neural_network.cu --function cross_entropy --launch '<<<6,32>>>' --arg 'double[6x5]' --arg 'int[6]=0,3,1,4,2,2' --arg 'double[1]' --arg int=6 --arg int=5
// assay check neural_network.cu --function sum_of_squares --launch '<<<2,64>>>' --arg 'double[150]' --arg 'double' --arg 'double[1]' --arg int=150
// assay check neural_network.cu --function descend --launch '<<<2,64>>>' --arg 'double[100]' --arg 'double[100]' --arg 'double[100]' --arg double=0.1 --arg double=0.9 --arg int=100
// clang-format on
//
// A classifier of two layers on batches of points: matrix products by tiles in shared memory, a softplus between them,
// softmax and cross entropy of each row, weight decay. The program trains it by gradient descent with momentum, whose
// gradients are those of the whole loss, launches and copies included, and stops when the loss has fallen.
#include <assay/autodiff.hpp>
#include <assay/gpu/host.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

constexpr int tile = 8;
constexpr int warp = 32;
constexpr unsigned all_lanes = 0xffffffff;

// ---- Device ----

// What stands behind the sum of a layer.
struct Identity {
  template <class T>
  __device__ T operator()(T x) const {
    return x;
  }
};
// log(1 + exp(x)), without overflow.
struct Softplus {
  template <class T>
  __device__ T operator()(T x) const {
    return (x > 0 ? x : T(0)) + log1p(exp(-fabs(x)));
  }
};

// out[rows][columns] = activation(in[rows][inner] weights[inner][columns] + bias), a tile of it for each block.
template <class T, class Activation>
__device__ void dense(const T *in, const T *weights, const T *bias, T *out, int rows, int inner, int columns) {
  __shared__ T left[tile][tile], right[tile][tile + 1];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  T sum = 0;
  for (int start = 0; start < inner; start += tile) {
    const int left_column = start + threadIdx.x, right_row = start + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = row < rows && left_column < inner ? in[row * inner + left_column] : T(0);
    right[threadIdx.y][threadIdx.x] =
        right_row < inner && column < columns ? weights[right_row * columns + column] : T(0);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k)
      sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < columns)
    out[row * columns + column] = Activation()(sum + bias[column]);
}

template <class T, class Function>
__device__ void map(const T *in, T *out, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    out[i] = Function()(in[i]);
}

struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct Largest {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};

// The value of all lanes, in each of them.
template <class Combine, class T>
__device__ T warp_reduce(T value) {
  for (int mask = warp / 2; mask > 0; mask /= 2)
    value = Combine()(value, __shfl_xor_sync(all_lanes, value, mask));
  return value;
}

// A warp for each row of the batch: -log softmax(scores)[label], summed up over the rows.
template <class T>
__device__ void row_cross_entropy(const T *scores, const int *labels, T *loss, int rows, int classes) {
  const int row = blockIdx.x, lane = threadIdx.x;
  if (row >= rows)
    return;
  const T *mine = scores + row * classes;
  T largest = -1e30;
  for (int c = lane; c < classes; c += warp)
    largest = Largest()(largest, mine[c]);
  largest = warp_reduce<Largest>(largest);
  T sum = 0;
  for (int c = lane; c < classes; c += warp)
    sum += exp(mine[c] - largest);
  sum = warp_reduce<Sum>(sum);
  if (lane == 0)
    atomicAdd(loss, (log(sum) + largest - mine[labels[row]]) / rows);
}

// factor / 2 * sum of x^2: a sum for each thread, for each warp, for each block.
template <class T>
__device__ void add_squares(const T *x, T factor, T *sum, int count) {
  __shared__ T of_warps[warp];
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    mine += x[i] * x[i];
  mine = warp_reduce<Sum>(mine);
  if (threadIdx.x % warp == 0)
    of_warps[threadIdx.x / warp] = mine;
  __syncthreads();
  if (threadIdx.x < warp) {
    T block = threadIdx.x < blockDim.x / warp ? of_warps[threadIdx.x] : T(0);
    block = warp_reduce<Sum>(block);
    if (threadIdx.x == 0)
      atomicAdd(sum, factor / 2 * block);
  }
}

template <class T>
__device__ void step_down(T *weights, T *speed, const T *gradient, T rate, T momentum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  speed[i] = momentum * speed[i] - rate * gradient[i];
  weights[i] += speed[i];
}

// Templates are the kernels that the network launches.
template <class T, class Activation>
__global__ void dense_kernel(const T *in, const T *weights, const T *bias, T *out, int rows, int inner, int columns) {
  dense<T, Activation>(in, weights, bias, out, rows, inner, columns);
}
ASSAY_LAUNCH((dense_kernel<double, Softplus>));
ASSAY_LAUNCH((dense_kernel<double, Identity>));
template <class T>
__global__ void cross_entropy_kernel(const T *scores, const int *labels, T *loss, int rows, int classes) {
  row_cross_entropy(scores, labels, loss, rows, classes);
}
ASSAY_LAUNCH(cross_entropy_kernel<double>);
template <class T>
__global__ void squares_kernel(const T *x, T factor, T *sum, int count) {
  add_squares(x, factor, sum, count);
}
ASSAY_LAUNCH(squares_kernel<double>);

// Others have names of their own for the command on the first lines.
__global__ void dense_forward(const double *in, const double *weights, const double *bias, double *out, int rows,
                              int inner, int columns) {
  dense<double, Softplus>(in, weights, bias, out, rows, inner, columns);
}
__global__ void softplus(const double *in, double *out, int count) {
  map<double, Softplus>(in, out, count);
}
__global__ void cross_entropy(const double *scores, const int *labels, double *loss, int rows, int classes) {
  row_cross_entropy(scores, labels, loss, rows, classes);
}
__global__ void sum_of_squares(const double *x, double factor, double *sum, int count) {
  add_squares(x, factor, sum, count);
}
__global__ void descend(double *weights, double *speed, const double *gradient, double rate, double momentum,
                        int count) {
  step_down(weights, speed, gradient, rate, momentum, count);
}

// ---- Host ----

static void require(cudaError_t error) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
}

// Memory of the device that lives as long as the object.
template <class T>
class DeviceArray {
public:
  explicit DeviceArray(int count) : count_(count) { require(cudaMalloc(&data_, count * sizeof(T))); }
  DeviceArray(const T *numbers, int count) : DeviceArray(count) { set(numbers); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(data_); }
  T *data() { return data_; }
  const T *data() const { return data_; }
  int size() const { return count_; }
  void clear() { require(cudaMemset(data_, 0, count_ * sizeof(T))); }
  void set(const T *numbers) { require(cudaMemcpy(data_, numbers, count_ * sizeof(T), cudaMemcpyHostToDevice)); }
  void get(T *numbers) const { require(cudaMemcpy(numbers, data_, count_ * sizeof(T), cudaMemcpyDeviceToHost)); }

private:
  T *data_ = nullptr;
  int count_;
};

struct Shape {
  int inputs, hidden, classes;
  int first() const { return inputs * hidden; }
  int second() const { return hidden * classes; }
  int parameters() const { return first() + hidden + second() + classes; }
};
struct Batch {
  std::vector<double> points;
  std::vector<int> labels;
  int size() const { return static_cast<int>(labels.size()); }
};

static int blocks_for(int count, int threads) {
  return (count + threads - 1) / threads;
}

template <class Activation>
static void launch_dense(const double *in, const double *weights, const double *bias, double *out, int rows, int inner,
                         int columns) {
  const dim3 block(tile, tile), grid(blocks_for(columns, tile), blocks_for(rows, tile));
  dense_kernel<double, Activation><<<grid, block>>>(in, weights, bias, out, rows, inner, columns);
  require(cudaGetLastError());
}

// The loss of a batch; the parameters are both layers' weights, each followed by its bias.
static double loss_of(const double *parameters, double decay, const Shape &shape, const Batch &batch) {
  const int rows = batch.size();
  DeviceArray<double> weights(parameters, shape.parameters());
  DeviceArray<double> points(batch.points.data(), rows * shape.inputs);
  DeviceArray<int> labels(batch.labels.data(), rows);
  DeviceArray<double> hidden(rows * shape.hidden), scores(rows * shape.classes), loss(1);
  loss.clear();
  const double *first = weights.data(), *first_bias = first + shape.first();
  const double *second = first_bias + shape.hidden, *second_bias = second + shape.second();
  launch_dense<Softplus>(points.data(), first, first_bias, hidden.data(), rows, shape.inputs, shape.hidden);
  launch_dense<Identity>(hidden.data(), second, second_bias, scores.data(), rows, shape.hidden, shape.classes);
  cross_entropy_kernel<double><<<rows, warp>>>(scores.data(), labels.data(), loss.data(), rows, shape.classes);
  squares_kernel<double><<<2, 64>>>(first, decay, loss.data(), shape.first());
  squares_kernel<double><<<2, 64>>>(second, decay, loss.data(), shape.second());
  double result = 0;
  loss.get(&result);
  return result;
}

// ---- Points on spirals, one for each class ----

static Batch spirals(int rows, const Shape &shape, std::mt19937 &random) {
  std::normal_distribution<double> noise(0, 0.1);
  Batch batch;
  for (int row = 0; row < rows; ++row) {
    const int label = row % shape.classes;
    const double radius = 0.2 + 1.5 * row / rows, angle = 3 * radius + 2 * M_PI * label / shape.classes;
    for (int input = 0; input < shape.inputs; ++input)
      batch.points.push_back(radius * (input % 2 ? std::sin(angle) : std::cos(angle)) + noise(random));
    batch.labels.push_back(label);
  }
  return batch;
}

static std::vector<double> initial_parameters(const Shape &shape, std::mt19937 &random) {
  std::normal_distribution<double> normal(0, 0.5);
  std::vector<double> parameters(shape.parameters());
  for (double &parameter : parameters)
    parameter = normal(random);
  return parameters;
}

static std::pair<std::vector<double>, double> gradient_of(const std::vector<double> &parameters, double decay,
                                                          const Shape &shape, const Batch &batch) {
  using namespace assay;
  std::vector<double> values = parameters, gradient(parameters.size());
  const auto result =
      autodiff<Reverse>(loss_of, Duplicated{values.data(), gradient.data()}, Active{decay}, Const{shape}, Const{batch});
  return {gradient, get<1>(result.gradient)};
}

static int check_gradient(const std::vector<double> &parameters, double decay, const Shape &shape, const Batch &batch) {
  const auto [gradient, by_decay] = gradient_of(parameters, decay, shape, batch);
  int failed = 0;
  for (std::size_t index = 0; index <= parameters.size(); index += 7) {
    const auto value = [&](double step) {
      std::vector<double> moved = parameters;
      const bool is_decay = index + 7 > parameters.size();
      if (!is_decay)
        moved[index] += step;
      return loss_of(moved.data(), decay + (is_decay ? step : 0), shape, batch);
    };
    const double expected = (value(1e-5) - value(-1e-5)) / 2e-5;
    const double found = index + 7 > parameters.size() ? by_decay : gradient[index];
    if (std::abs(found - expected) < 1e-8 * (1 + std::abs(expected)))
      continue;
    std::printf("neural network, parameter %zu: differences %.10g, reverse %.10g: FAILED\n", index, expected, found);
    ++failed;
  }
  return failed;
}

int main() {
  const Shape shape{4, 12, 3};
  std::mt19937 random(7);
  const Batch batch = spirals(24, shape, random);
  std::vector<double> parameters = initial_parameters(shape, random);
  const double decay = 1e-3;
  int failed = check_gradient(parameters, decay, shape, batch);

  const double before = loss_of(parameters.data(), decay, shape, batch);
  DeviceArray<double> weights(parameters.data(), shape.parameters()), speed(shape.parameters());
  DeviceArray<double> gradient(shape.parameters());
  speed.clear();
  for (int step = 0; step < 40; ++step) {
    gradient.set(gradient_of(parameters, decay, shape, batch).first.data());
    descend<<<blocks_for(shape.parameters(), 64), 64>>>(weights.data(), speed.data(), gradient.data(), 0.1, 0.8,
                                                        shape.parameters());
    weights.get(parameters.data());
  }
  const double after = loss_of(parameters.data(), decay, shape, batch);
  failed += check_gradient(parameters, decay, shape, batch);
  failed += after > 0.6 * before;
  std::printf("neural network: loss %.4f, after 40 steps %.4f: %s\n", before, after, failed ? "FAILED" : "passed");
  return failed;
}
