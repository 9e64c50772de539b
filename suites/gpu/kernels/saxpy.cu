// assay check saxpy.cu --function saxpy --launch '<<<4,64>>>' --arg 'float[256]' --arg float --arg 'float[256]' --arg int=256
// y = a * x + y, one thread for each number.

__global__ void saxpy(const float *x, float a, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
