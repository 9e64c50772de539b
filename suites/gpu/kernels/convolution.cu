// assay check convolution.cu --function convolution --launch '<<<(2,2,3),(8,8)>>>' --arg 'float[2x14x15]' --arg 'float[3x2x3x3]' --arg 'float[3]' --arg 'float[3x12x13]' --arg int=2 --arg int=14 --arg int=15
// A convolutional layer: two channels, three filters of 3 x 3 numbers with a bias, and a rectifier that leaks.

constexpr int taps = 3;

__global__ void convolution(const float *image, const float *filters, const float *bias, float *out, int channels,
                            int height, int width) {
  const int out_width = width - taps + 1;
  const int out_height = height - taps + 1;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int filter = blockIdx.z;
  if (x >= out_width || y >= out_height)
    return;
  float sum = bias[filter];
  for (int channel = 0; channel < channels; ++channel)
    for (int j = 0; j < taps; ++j)
      for (int i = 0; i < taps; ++i)
        sum += image[(channel * height + y + j) * width + x + i] *
               filters[((filter * channels + channel) * taps + j) * taps + i];
  out[(filter * out_height + y) * out_width + x] = sum > 0 ? sum : 0.1f * sum;
}
