// assay check dense_layer.cu --function dense_layer --launch '<<<2,96>>>' --arg 'double[170x3]' --arg 'double[4x3]' --arg 'double[4]' --arg 'double[170x4]' --arg int=170 --arg int=3 --arg int=4
// A layer of a network, a thread for each sample: all threads read the same weights.

__global__ void dense_layer(const double *in, const double *weights, const double *bias, double *out, int samples,
                            int inputs, int outputs) {
  const int sample = blockIdx.x * blockDim.x + threadIdx.x;
  if (sample >= samples)
    return;
  for (int o = 0; o < outputs; ++o) {
    double sum = bias[o];
    for (int i = 0; i < inputs; ++i)
      sum += weights[o * inputs + i] * in[i * samples + sample];
    out[o * samples + sample] = tanh(sum);
  }
}
