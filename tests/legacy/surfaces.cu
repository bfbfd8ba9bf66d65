// Surface references of every dimension: reads and writes in all their forms, in range and out of range, for
// every element type.
#include "check.h"

const int forms = 6;  // of reads and of writes: see READ_OR_WRITE

/// A read or write in each form; the last two forms trap out of range, so they are used only in range.
#define READ_OR_WRITE(function, value, surf, bytes, inside, form, ...)        \
    switch (form) {                                                           \
        case 0:                                                               \
            function(value, surf, __VA_ARGS__, cudaBoundaryModeClamp);        \
            break;                                                            \
        case 1:                                                               \
            function(value, surf, __VA_ARGS__, cudaBoundaryModeZero);         \
            break;                                                            \
        case 2:                                                               \
            function(value, surf, __VA_ARGS__, bytes, cudaBoundaryModeClamp); \
            break;                                                            \
        case 3:                                                               \
            function(value, surf, __VA_ARGS__, bytes, cudaBoundaryModeZero);  \
            break;                                                            \
        case 4:                                                               \
            if (inside) function(value, surf, __VA_ARGS__);                   \
            break;                                                            \
        case 5:                                                               \
            if (inside) function(value, surf, __VA_ARGS__, bytes);            \
            break;                                                            \
    }
#define READ_OR_WRITE_BY_OBJECT(function, value, surf, inside, form, ...) \
    if (form >= 4) {                                                      \
        if (inside) function(value, surf, __VA_ARGS__);                   \
    } else if (form % 2 == 0) {                                           \
        function(value, surf, __VA_ARGS__, cudaBoundaryModeClamp);        \
    } else {                                                              \
        function(value, surf, __VA_ARGS__, cudaBoundaryModeZero);         \
    }

/// A surface, and kernels that read and write it at points whose x, y, z are the last parameters; p.w says
/// whether the point is in range.
#define SURFACE(name, dimension, read, write, ...)                                                    \
    surface<void, dimension> name;                                                                    \
    template <class T>                                                                                \
    __global__ void read_##name(cudaSurfaceObject_t object, const int4* points, int count, int form,  \
                                T* expected, T* got) {                                                \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                                          \
        if (i >= count) return;                                                                       \
        const int4 p = points[i];                                                                     \
        const int x = p.x * (int)sizeof(T);                                                           \
        READ_OR_WRITE_BY_OBJECT(read, &expected[i], object, p.w, form, __VA_ARGS__)                   \
        READ_OR_WRITE(read, &got[i], name, (int)sizeof(T), p.w, form, __VA_ARGS__)                    \
    }                                                                                                 \
    template <class T>                                                                                \
    __global__ void write_##name(cudaSurfaceObject_t object, const int4* points, int count, int form, \
                                 const T* values) {                                                   \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                                          \
        if (i >= count) return;                                                                       \
        const int4 p = points[i];                                                                     \
        const int x = p.x * (int)sizeof(T);                                                           \
        READ_OR_WRITE_BY_OBJECT(write, values[i], object, p.w, form, __VA_ARGS__)                     \
        READ_OR_WRITE(write, values[i], name, (int)sizeof(T), p.w, form, __VA_ARGS__)                 \
    }
SURFACE(line, cudaSurfaceType1D, surf1Dread, surf1Dwrite, x)
SURFACE(plane, cudaSurfaceType2D, surf2Dread, surf2Dwrite, x, p.y)
SURFACE(block, cudaSurfaceType3D, surf3Dread, surf3Dwrite, x, p.y, p.z)
SURFACE(lines, cudaSurfaceType1DLayered, surf1DLayeredread, surf1DLayeredwrite, x, p.z)
SURFACE(planes, cudaSurfaceType2DLayered, surf2DLayeredread, surf2DLayeredwrite, x, p.y, p.z)
SURFACE(cube, cudaSurfaceTypeCubemap, surfCubemapread, surfCubemapwrite, x, p.y, p.z)
SURFACE(cubes, cudaSurfaceTypeCubemapLayered, surfCubemapLayeredread, surfCubemapLayeredwrite, x, p.y, p.z)

/// The texels of arrays with elements of type T.
template <class T>
struct Texel {
    typedef T type;
};
#define WIDE(T, texel)      \
    template <>             \
    struct Texel<T> {       \
        typedef texel type; \
    };
WIDE(long long, int2)
WIDE(unsigned long long, uint2)
WIDE(longlong1, int2)
WIDE(ulonglong1, uint2)
WIDE(longlong2, int4)
WIDE(ulonglong2, uint4)

template <class T>
cudaArray_t array_of(cudaExtent size, unsigned flags, const std::vector<T>& values) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<typename Texel<T>::type>();
    cudaArray_t array;
    CUDA(cudaMalloc3DArray(&array, &format, size, flags | cudaArraySurfaceLoadStore));
    fill_array(array, size, values);
    return array;
}

cudaSurfaceObject_t surface_of(cudaArray_t array) {
    const cudaResourceDesc resource = resource_of(array);
    cudaSurfaceObject_t object;
    CUDA(cudaCreateSurfaceObject(&object, &resource));
    return object;
}

template <class T, int dimension>
void test(const std::string& name, surface<void, dimension>& reference,
          void (*read)(cudaSurfaceObject_t, const int4*, int, int, T*, T*),
          void (*write)(cudaSurfaceObject_t, const int4*, int, int, const T*), cudaExtent size,
          unsigned flags) {
    static const char* const names[forms] = {"clamp",      "zero",    "size, clamp",
                                             "size, zero", "no mode", "size, no mode"};
    const int width = (int)size.width;
    const int height = (int)at_least_1(size.height);
    const int depth = (int)at_least_1(size.depth);
    // Reads may be out of range in x, y and z, but not in the layer or face.
    const int dy = size.height == 0 ? 0 : 2;
    const int dz = flags != 0 || size.depth == 0 ? 0 : 2;

    std::vector<int4> points;
    for (int z = -dz; z < depth + dz; ++z)
        for (int y = -dy; y < height + dy; ++y)
            for (int x = -2; x < width + 2; ++x)
                points.push_back(
                    make_int4(x, y, z, x >= 0 && x < width && y >= 0 && y < height && z >= 0 && z < depth));

    const std::vector<T> initial = texels<T>(count_of(size));
    const std::vector<T> other = texels<T>(points.size());
    const int count = (int)points.size();
    const int blocks = (count + 127) / 128;
    const std::vector<T> nothing(2 * points.size());
    const cudaArray_t array = array_of(size, flags, initial);
    const cudaArray_t array_of_object = array_of(size, flags, initial);
    const cudaSurfaceObject_t object = surface_of(array);
    const cudaSurfaceObject_t other_object = surface_of(array_of_object);
    CUDA(cudaBindSurfaceToArray(reference, array));

    int4* places = to_device(points);
    T* results = to_device(nothing);
    T* values = to_device(other);
    for (int form = 0; form < forms; ++form) {
        const std::string what = name + ", " + names[form];
        CUDA(cudaMemset(results, 0xa5, 2 * count * sizeof(T)));
        read<<<blocks, 128>>>(object, places, count, form, results, results + count);
        CUDA(cudaGetLastError());
        CUDA(cudaDeviceSynchronize());
        const std::vector<T> expected = to_host(results, count);
        const std::vector<T> got = to_host(results + count, count);
        for (int i = 0; i < count; ++i) {
            const int4 p = points[i];
            if (memcmp(&expected[i], &got[i], sizeof(T)) != 0)
                expect_equal(what + ", read at " + text(p), expected[i], got[i]);
            const T& texel = initial[p.w ? (p.z * height + p.y) * width + p.x : 0];
            if (p.w && memcmp(&texel, &got[i], sizeof(T)) != 0)
                expect_equal(what + ", read of what was copied at " + text(p), texel, got[i]);
        }
    }

    // Each element is written once: if clamping leads to an edge, nothing else is written at that edge.
    for (int4& p : points) {
        if (!p.w) continue;
        p.x = p.x == 0 ? -1 : p.x == width - 1 ? width : p.x;
        if (dy != 0) p.y = p.y == 0 ? -1 : p.y == height - 1 ? height : p.y;
        if (dz != 0) p.z = p.z == 0 ? -1 : p.z == depth - 1 ? depth : p.z;
    }
    std::vector<int4> across;
    std::vector<int4> within;
    for (const int4& p : points)
        if (p.w) across.push_back(make_int4(p.x, p.y, p.z, 0));
    for (int z = 0; z < depth; ++z)
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) within.push_back(make_int4(x, y, z, 1));
    const int writes = (int)within.size();
    for (int form = 0; form < forms; ++form) {
        fill_array(array, size, initial);
        fill_array(array_of_object, size, initial);
        CUDA(cudaMemcpy(places, form < 4 ? across.data() : within.data(), writes * sizeof(int4),
                        cudaMemcpyHostToDevice));
        write<<<blocks, 128>>>(other_object, places, writes, form, values);
        CUDA(cudaGetLastError());
        CUDA(cudaDeviceSynchronize());
        const std::vector<T> expected = content<T>(array_of_object, size);
        const std::vector<T> got = content<T>(array, size);
        for (int i = 0; i < writes; ++i) {
            const std::string where = name + ", " + names[form] + ", written at " + text(within[i]);
            expect_equal(where, expected[i], got[i]);
            // With clamping, and in range, all is written; otherwise elements at an edge keep their values.
            const int4 p = across[i];
            const bool beyond =
                p.x < 0 || p.x >= width || p.y < 0 || p.y >= height || p.z < 0 || p.z >= depth;
            const bool stays = beyond && (form == 1 || form == 3);
            expect_equal(where + ", as it has to be", stays ? initial[i] : other[i], got[i]);
        }
    }
    CUDA(cudaFree(places));
    CUDA(cudaFree(results));
    CUDA(cudaFree(values));
    CUDA(cudaDestroySurfaceObject(object));
    CUDA(cudaDestroySurfaceObject(other_object));
    CUDA(cudaFreeArray(array));
    CUDA(cudaFreeArray(array_of_object));
}

template <class T>
void test_line(const std::string& type) {
    test<T>("line of " + type, line, read_line<T>, write_line<T>, make_cudaExtent(37, 0, 0), 0);
}

template <class T>
void test_others(const std::string& type) {
    test<T>("plane of " + type, plane, read_plane<T>, write_plane<T>, make_cudaExtent(13, 7, 0), 0);
    test<T>("block of " + type, block, read_block<T>, write_block<T>, make_cudaExtent(9, 7, 5), 0);
    test<T>("lines of " + type, lines, read_lines<T>, write_lines<T>, make_cudaExtent(11, 0, 4),
            cudaArrayLayered);
    test<T>("planes of " + type, planes, read_planes<T>, write_planes<T>, make_cudaExtent(11, 5, 4),
            cudaArrayLayered);
    test<T>("cube of " + type, cube, read_cube<T>, write_cube<T>, make_cudaExtent(8, 8, 6), cudaArrayCubemap);
    test<T>("cubes of " + type, cubes, read_cubes<T>, write_cubes<T>, make_cudaExtent(8, 8, 18),
            cudaArrayCubemap | cudaArrayLayered);
}

int main() {
    need_gpu();
#define TEST_LINE(T) test_line<T>(#T)
    TEST_LINE(char);
    TEST_LINE(signed char);
    TEST_LINE(unsigned char);
    TEST_LINE(char1);
    TEST_LINE(char2);
    TEST_LINE(char4);
    TEST_LINE(uchar1);
    TEST_LINE(uchar2);
    TEST_LINE(uchar4);
    TEST_LINE(short);
    TEST_LINE(unsigned short);
    TEST_LINE(short1);
    TEST_LINE(short2);
    TEST_LINE(short4);
    TEST_LINE(ushort1);
    TEST_LINE(ushort2);
    TEST_LINE(ushort4);
    TEST_LINE(int);
    TEST_LINE(unsigned);
    TEST_LINE(int1);
    TEST_LINE(int2);
    TEST_LINE(int4);
    TEST_LINE(uint1);
    TEST_LINE(uint2);
    TEST_LINE(uint4);
    TEST_LINE(long long);
    TEST_LINE(unsigned long long);
    TEST_LINE(longlong1);
    TEST_LINE(longlong2);
    TEST_LINE(ulonglong1);
    TEST_LINE(ulonglong2);
    TEST_LINE(float);
    TEST_LINE(float1);
    TEST_LINE(float2);
    TEST_LINE(float4);
    test_others<uchar4>("uchar4");
    test_others<short>("short");
    test_others<int2>("int2");
    test_others<float>("float");
    test_others<float4>("float4");
    return failures();
}
