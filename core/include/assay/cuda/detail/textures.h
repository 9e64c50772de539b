// Textures and surfaces are neither emulated nor differentiated. Their names are here so that the compiler says so.
#pragma once

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

#define ASSAY_CUDA_NO_TEXTURE                                                                                          \
  __attribute__((unavailable("textures and surfaces are not emulated: read an array and interpolate in the program")))

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

template <class T, class... Arguments>
__device__ T tex1DLod(cudaTextureObject_t texture, Arguments...) ASSAY_CUDA_NO_TEXTURE;
template <class T, class... Arguments>
__device__ T tex1DLayered(cudaTextureObject_t texture, Arguments...) ASSAY_CUDA_NO_TEXTURE;
template <class T, class... Arguments>
__device__ T tex2DGrad(cudaTextureObject_t texture, Arguments...) ASSAY_CUDA_NO_TEXTURE;
template <class T, class... Arguments>
__device__ T tex2Dgather(cudaTextureObject_t texture, Arguments...) ASSAY_CUDA_NO_TEXTURE;
template <class T, class... Arguments>
__device__ T tex3DLod(cudaTextureObject_t texture, Arguments...) ASSAY_CUDA_NO_TEXTURE;
template <class T, class... Arguments>
__device__ T texCubemap(cudaTextureObject_t texture, Arguments...) ASSAY_CUDA_NO_TEXTURE;
template <class T, class... Arguments>
__device__ T surf1Dread(cudaSurfaceObject_t surface, Arguments...) ASSAY_CUDA_NO_TEXTURE;
template <class T, class... Arguments>
__device__ T surf2Dread(cudaSurfaceObject_t surface, Arguments...) ASSAY_CUDA_NO_TEXTURE;
template <class T, class... Arguments>
__device__ T surf3Dread(cudaSurfaceObject_t surface, Arguments...) ASSAY_CUDA_NO_TEXTURE;
template <class T, class... Arguments>
__device__ void surf1Dwrite(T value, cudaSurfaceObject_t surface, Arguments...) ASSAY_CUDA_NO_TEXTURE;
template <class T, class... Arguments>
__device__ void surf2Dwrite(T value, cudaSurfaceObject_t surface, Arguments...) ASSAY_CUDA_NO_TEXTURE;
template <class T, class... Arguments>
__device__ void surf3Dwrite(T value, cudaSurfaceObject_t surface, Arguments...) ASSAY_CUDA_NO_TEXTURE;

struct ASSAY_CUDA_NO_TEXTURE cudaArray;
typedef struct cudaArray *cudaArray_t ASSAY_CUDA_NO_TEXTURE;
typedef struct cudaArray *cudaMipmappedArray_t ASSAY_CUDA_NO_TEXTURE;
struct ASSAY_CUDA_NO_TEXTURE cudaChannelFormatDesc;
struct ASSAY_CUDA_NO_TEXTURE cudaResourceDesc;
struct ASSAY_CUDA_NO_TEXTURE cudaTextureDesc;

#undef ASSAY_CUDA_NO_TEXTURE
