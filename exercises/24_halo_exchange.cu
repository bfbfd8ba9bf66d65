// 24. A halo exchange
//
// A grid is cut into two parts, as for two GPUs. Each part has `rows` rows of its own, 1 to rows, and one
// more above and below them, its halo. Row rows + 1 of the upper part is a copy of row 1 of the lower, and
// row 0 of the lower a copy of row `rows` of the upper. Row 0 of the upper part and row rows + 1 of the lower
// are the border: they never change.
//
// A step reads the parts `now` and writes the parts `next`: every cell becomes the mean of the cells above
// and below it. blockIdx.z is the part: 0 the upper, 1 the lower. After the step the halos of `next` must be
// right, too, for the next step reads them. A thread whose cell lies at the edge has the value that the other
// part needs.
//
// Done: both parts with their halos are right after several steps, and each cell is computed once: two loads
// for each, and a store for each and for each cell of the halos.
//
// Further: heat_notexture cuts its grid for several GPUs like this, with a halo of many rows, so that the
// parts meet once in many steps; docs/clusters.md says what that saves.

struct Parts {
    float* upper;  // (rows + 2) x width each
    float* lower;
};

__global__ void step(Parts next, Parts now, int rows, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= width || y > rows) return;
    const bool upper = blockIdx.z == 0;
    const float* from = upper ? now.upper : now.lower;
    float* to = upper ? next.upper : next.lower;
    const float mean = 0.5f * (from[(y - 1) * width + x] + from[(y + 1) * width + x]);
    to[y * width + x] = mean;
    // your answer here: what the other part needs of this
}
