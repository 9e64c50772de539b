// assay check registered_rule.cu --function apply --launch '<<<2,64>>>' --arg 'double[128]' --arg 'double[128]' --mode forward
// An activation function with a tangent that is registered for it.

__device__ __attribute__((noinline)) double activation(double x) { return x > 0 ? x : 0.1 * expm1(x); }

__device__ double activation_tangent(double x, double dx) { return x > 0 ? dx : 0.1 * exp(x) * dx; }

__device__ void *__enzyme_register_derivative_activation[] = {(void *)activation, (void *)activation_tangent};

__global__ void apply(const double *in, double *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = activation(in[i]);
}
