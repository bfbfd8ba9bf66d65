// A header of an old program: a class template with a texture reference for each instantiation.
#pragma once

template <class T>
struct Texels {
    static texture<T, 1, cudaReadModeElementType> reference;

    static void bind(const T* memory, int count) {
        CUDA(cudaBindTexture(NULL, reference, memory, count * sizeof(T)));
    }
    __device__ static T fetch(int i) { return tex1Dfetch(reference, i); }
};

template <class T>
texture<T, 1, cudaReadModeElementType> Texels<T>::reference;
