// assay check n_body.cu --function n_body --launch '<<<2,32>>>' --arg 'double[48x4]:positive' --arg 'double[48x3]' --arg double=0.05 --arg int=48
// The accelerations of bodies under their softened gravity; each block goes through all of them in tiles.

struct Body {
  double x, y, z, mass;
};

__global__ void n_body(const double *bodies, double *accelerations, double softening, int n) {
  __shared__ Body tile[32];
  const Body *body = reinterpret_cast<const Body *>(bodies);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Body self = i < n ? body[i] : Body{};
  double ax = 0, ay = 0, az = 0;
  for (int start = 0; start < n; start += blockDim.x) {
    const int j = start + threadIdx.x;
    tile[threadIdx.x] = j < n ? body[j] : Body{};
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) {
      const Body other = tile[k];
      const double dx = other.x - self.x;
      const double dy = other.y - self.y;
      const double dz = other.z - self.z;
      const double inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening * softening);
      const double pull = other.mass * inverse * inverse * inverse;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    __syncthreads();
  }
  if (i < n) {
    accelerations[3 * i] = ax;
    accelerations[3 * i + 1] = ay;
    accelerations[3 * i + 2] = az;
  }
}
