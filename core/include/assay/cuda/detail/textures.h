// Textures are neither emulated nor differentiated. Their names are here so that the compiler says so.
#pragma once

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

#define ASSAY_CUDA_NO_TEXTURE                                                                                          \
  __attribute__((unavailable("textures are not emulated: read an array and interpolate in the program")))

template <class T>
__device__ T tex1Dfetch(cudaTextureObject_t texture, int x) ASSAY_CUDA_NO_TEXTURE;
template <class T>
__device__ T tex1D(cudaTextureObject_t texture, float x) ASSAY_CUDA_NO_TEXTURE;
template <class T>
__device__ T tex2D(cudaTextureObject_t texture, float x, float y) ASSAY_CUDA_NO_TEXTURE;
template <class T>
__device__ T tex2DLod(cudaTextureObject_t texture, float x, float y, float level) ASSAY_CUDA_NO_TEXTURE;
template <class T>
__device__ T tex2DLayered(cudaTextureObject_t texture, float x, float y, int layer) ASSAY_CUDA_NO_TEXTURE;
template <class T>
__device__ T tex3D(cudaTextureObject_t texture, float x, float y, float z) ASSAY_CUDA_NO_TEXTURE;

#undef ASSAY_CUDA_NO_TEXTURE
