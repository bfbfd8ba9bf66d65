"""The words of the generated tables in Chinese, for the pages *.zh.md.

A text is looked up with {} for each number, each `name` and each peer's name; {0}, {1} … on the right are those in their order. What
is not found as a whole is looked up in the parts between semicolons, and what is not found at all stays English: the names of devices,
formats and kernels.
"""
import re

OPEN = re.compile(r"`[^`]*`|\b(?:cublas|openblas|cub|serial)\b|[0-9]+(?:\.[0-9]+)*(?:, [0-9]+)*")
LINK = re.compile(r"\]\(([^)#\s]+)\.md(?=[)#])")
PLACES = {"out of the cache": "数组大于缓存", "in the cache": "数组在缓存中", "in mapped memory": "数组在映射内存中"}
TEXTS = {
    # the machine and its ceilings
    "AMD EPYC, {} threads": "AMD EPYC，{0} 个线程",
    "a copy in its memory, measured in the same run: {} GB/s": "同一次运行中测得的内存复制：{0} GB/s",
    "a step's arithmetic alone: {} Gcells/s": "一步中的纯运算：{0} Gcells/s",
    "float{} peak by clock and cores: {} TFLOP/s": "按时钟和核心数算出的 float{0} 峰值：{1} TFLOP/s",
    "fetches without a filter, from a multiprocessor's cache: {} Gfetches/s": "不过滤、从多处理器的缓存中拾取：{0} Gfetches/s",
    "with a linear filter: {} Gfetches/s": "线性过滤：{0} Gfetches/s",
    "reads of its memory: {} GB/s": "读设备内存：{0} GB/s",
    "of the cache of all multiprocessors: {} GB/s": "读所有多处理器共用的缓存：{0} GB/s",
    "of mapped memory: {} GB/s": "读映射内存：{0} GB/s",
    "nothing but fmas, measured in the same run: {} TFLOP/s": "同一次运行中测得的纯 fma：{0} TFLOP/s",
    "<details><summary>The table, {} rows</summary>": "<details><summary>表格，共 {0} 行</summary>",
    # headline
    "program": "程序", "the job": "任务", "measured": "实测", "what one would use instead": "对照：通常的做法",
    "CUDA by Example, chapter {}: heat flows through a room, read through global memory": "《GPU 高性能编程 CUDA 实战》第 {0} 章：房间里的热传导，经全局内存读取",
    "the same room, read through textures, and both in turn": "同一个房间，经纹理读取；也可两条路径轮流",
    "{} steps of {}², and the pace at {}²: {} ms, {} Gcells/s": "{1}² 的 {0} 步，以及 {2}² 时的速率：{3} ms，{4} Gcells/s",
    "a step a launch ({}): {} ms, {} Gcells/s": "每次启动只走一步（{0}）：{1} ms，{2} Gcells/s",
    "[FastStencil](docs/notebook/heat_notexture.md#how-streamed-was-found) (SC'{}) in float, {} steps of {}²: {} Gcells/s, and {} beside it {}":
        "[FastStencil](docs/notebook/heat_notexture.md#how-streamed-was-found)（SC'{0}）用 float，{2}² 的 {1} 步：{3} Gcells/s，同时测的 {4}：{5}",
    "the book's way: {} ms, {} Gcells/s": "书中的做法：{0} ms，{1} Gcells/s",
    "CUDA Handbook, {}: adds up an array that is larger than any texture": "《CUDA 专家手册》{0} 节：对一个比任何纹理都大的数组求和",
    "{} GB through textures: {} GB/s": "经纹理读 {0} GB：{1} GB/s",
    "CUB's sum: {} GB/s": "CUB 的求和：{0} GB/s",
    "CUDA Handbook, {}: how the texture unit turns integers into floats, every value of every format": "《CUDA 专家手册》{0} 节：纹理单元怎样把整数变成浮点数，每种格式的每一个值",
    "bytes to floats by the texture unit: {} GB/s": "字节变浮点，由纹理单元完成：{0} GB/s",
    "by plain loads and arithmetic: {} GB/s": "用普通加载和运算：{0} GB/s",
    "programming guide {}, chapter {}: multiplies matrices, from its tile to the tensor cores": "编程指南 {0} 第 {1} 章：矩阵乘法，从书中的分块一直到张量核心",
    "{}³ in float{} ({}): {} TFLOP/s": "{0}³ 的 float{1}（{2}）：{3} TFLOP/s",
    "on tensor cores with nearly its precision ({}): {}": "在张量核心上，精度接近（{0}）：{1}",
    "cuBLAS in float{}: {} TFLOP/s": "cuBLAS 的 float{0}：{1} TFLOP/s",
    "in TF{}, which is less precise: {}": "精度较低的 TF{0}：{1}",
    "programming guide {}, appendix E: what the texture unit does beside reading memory, from filters to mipmaps and cube maps":
        "编程指南 {0} 附录 E：纹理单元除了读内存还会做什么，从过滤到 mipmap 和立方体贴图",
    "and surfaces": "以及表面",
    "{}² floats by cubic splines of four linear fetches ({}): {} Gpixels/s": "{0}² 个 float 的三次样条，用四次线性拾取（{1}）：{2} Gpixels/s",
    "by sixteen loads ({}): {} Gpixels/s": "用十六次加载（{0}）：{1} Gpixels/s",
    "the handbook's and CUDA by Example's reasons for reading through a texture, asked anew: {} orders, {} ways to memory, {} sizes of elements":
        "《专家手册》和《CUDA 实战》主张用纹理读数据的理由，今天重新检验：{0} 种次序、{1} 条访存路径、{2} 种元素大小",
    "{} MB of words column by column, through a texture over a CUDA array: {} Gelements/s": "逐列读 {0} MB 的字，经 CUDA 数组上的纹理：{1} Gelements/s",
    "by plain loads: {} Gelements/s": "用普通加载：{0} Gelements/s",
    "the oneAPI guide's chapter on occupancy: what a multiprocessor holds, which block runs when, and whether it matters":
        "oneAPI 指南讲占用率的一章：一个多处理器容得下多少，哪个线程块何时运行，这究竟要不要紧",
    "resident warps over time, predicted and seen: {} % apart at most": "驻留线程束随时间的变化，预测与实测至多相差 {0} %",
    "the calculator's one number, which knows no waves and no tail": "计算器给出的一个数，其中没有波和尾波",
    # heat
    "The steps of a frame, launched as a graph, in ms": "一帧的各步，以图的方式启动，单位 ms",
    "both paths in the same run": "两条路径在同一次运行中测得",
    "global memory in a run of heat_notexture": "全局内存在 heat_notexture 的一次运行中测得",
    "The steps of a frame, in ms, and their share of what limits the kernel": "一帧的各步，单位 ms，以及占该内核上限的比例",
    "The same steps as billions of cells a second, and a whole frame, whose picture comes to the host, in ms": "同样的步，换成每秒十亿单元；以及整整一帧，画面传到主机，单位 ms",
    "What limits a kernel, and what it occupies of a multiprocessor": "内核受什么限制，以及它在多处理器上占用多少",
    "kernel": "内核", "launch": "启动", "textures": "纹理", "global memory": "全局内存", "global": "全局", "{}²: textures": "{0}²：纹理",
    "{}²: ms": "{0}²：ms", "{}²: Gcells/s": "{0}²：Gcells/s", "{}²: % of ceiling": "{0}²：占上限 %", "% of ceiling": "占上限 %", "% of copy": "占复制 %",
    "frame, ms": "一帧，ms", "ceiling": "上限", "registers": "寄存器", "occupancy, %": "占用率，%", "as in the text": "逐次启动（如书中）", "graph": "图", "copy": "复制",
    "arithmetic": "运算", "grid": "温度网格", "steps, ms": "各步，ms", "at the host": "到达主机", "in a steady run": "连续运行", "the copy alone": "只复制",
    "in the window by copy": "经复制进窗口", "by interop": "经互操作",
    # counters
    "global loads: requests": "全局加载：请求", "sectors": "扇区", "texture fetches: requests": "纹理拾取：请求", "global stores: requests": "全局存储：请求",
    "shared memory: wavefronts": "共享内存：波前", "bank conflicts": "存储体冲突",
    # matmul
    "TFLOP/s, and the share of {}'s": "TFLOP/s，以及占 {0} 的比例", "ms, and the share of the peak": "ms，以及占峰值的比例",
    "What a kernel takes of a multiprocessor": "内核在多处理器上占用多少", "{}³: TFLOP/s": "{0}³：TFLOP/s", "{}³: ms": "{0}³：ms", "% of {}": "占 {0} %",
    "% of peak": "占峰值 %", "shared bytes": "共享内存字节", "limited by": "受限于", "threads, registers": "线程、寄存器", "registers, shared memory": "寄存器、共享内存",
    "shared memory": "共享内存", "threads": "线程",
    # tex1dfetch_big, tex1dfetch_int2float
    "kernel, components": "内核，分量数", "{} MB: ms": "{0} MB：ms",
    "% of {}'s rate, and what a kernel takes of a multiprocessor": "占 {0} 速率的 %，以及内核在多处理器上占用多少",
    "Values": "数值", "Rates": "速率", "format, read mode": "格式，读取模式", "values checked": "检查的值", "mismatches": "不一致", "smallest": "最小", "largest": "最大",
    "past the end": "越界处", "{}: GB/s": "{0}：GB/s", "{}: % of copy": "{0}：占复制 %",
    # texture_unit
    "A picture, and the share of its time that memory or the unit would need alone": "一幅图像的用时，以及单靠内存或纹理单元所需的时间占它的比例",
    "A function by a table of {} entries": "用 {0} 项的表求一个函数", "memory": "内存", "{}²: µs": "{0}²：µs", "% of floor": "达下限 %",
    "times the unit's, {}²": "为纹理单元用时的倍数，{0}²",
    "texture{}d": "{0}D 纹理", "pitched{}d": "{0}D 纹理，带行距", "layered{}d": "{0}D 分层纹理", "mipmap{}d": "{0}D mipmap", "cubemap": "立方体贴图", "shared": "共享",
    "constant": "常量",
    # access_patterns
    "pattern": "模式", "way": "路径", "reason": "原因", "array": "数组", "rows": "行", "busy, %": "忙，%", "{} to {}": "{0} 到 {1}", "{} B: rule": "{0} B：按规则",
    "arrived": "到达", "sent": "发出", "M: memory": "M：内存", "C: the L{}": "C：L{0}", "U: a multiprocessor's cache or texture unit": "U：多处理器的缓存或纹理单元",
    "W: waiting": "W：等待", "B: the bus": "B：总线", "?: not counted": "?：未计数",
    "Bytes for an element by {}: by the rule for a block, arrived at the multiprocessors, sent by memory (Nsight Compute)":
        "用 {0} 读一个元素所需的字节：按线程块的规则、到达多处理器的、设备内存发出的（Nsight Compute）",
    "What the units do at most, {}⁹ elements a second": "各单元的极限，每秒 {0}⁹ 个元素",
    "Why rows are under {} % of their floor": "为什么有些行的“达下限 %”不到 {0}", "· for the others": "其余为 ·",
    **{f"Elements of {{}} {size} {place}, {{}}⁹ a second": f"{{0}} 字节的元素，{chinese}，每秒 {{1}}⁹ 个" for size in ("byte", "bytes") for place, chinese in PLACES.items()},
    **{f"The best texture's rate over the best plain load's, {place}": f"最快的纹理与最快的普通加载的速率之比，{chinese}" for place, chinese in PLACES.items()},
    **{f"Rows under {{}} % of their floor {place}: a letter for each size of elements, {{}} bytes": f"“达下限 %”不到 {{0}} 的行，{chinese}：每种元素大小一个字母（{{1}} 字节）"
       for place, chinese in PLACES.items()},
    **PLACES,
    # occupancy
    "blocks of threads": "线程块数，每个的线程数", "at a time": "同时", "waves": "波", "predicted end, µs": "预测的结束，µs", "seen, µs": "实测，µs", "apart, %": "相差，%",
    "{} of {}": "{0} 个，每个 {1}", "{} full, then {}": "{0} 个满波，余 {1}", "warps": "线程束", "loads": "加载", "{} load": "{0} 个加载", "{} loads": "{0} 个加载",
    "chains": "链", "{} chain": "{0} 条链", "{} chains": "{0} 条链", "Where {} bends": "{0} 的拐点", "KB under way": "在途 KB", "fmas of warps under way": "线程束的在途 fma",
    "{}: GB/s, by loads of a thread under way": "{0}：GB/s，按每线程在途的加载数", "{}: TFLOP/s, by chains of a thread under way": "{0}：TFLOP/s，按每线程并行的链数",
    # texture_reference_cost
    "% of object": "占对象 %", "µs a launch": "每次启动 µs", "µs more with a bind": "绑定多花的 µs",
}


def text(english):
    """A cell, a title or a caption."""
    opened = [found if found.startswith("`") else found.replace(", ", "、") for found in OPEN.findall(english)]
    chinese = TEXTS.get(OPEN.sub("{}", english))
    if chinese is not None:
        return chinese.format(*opened)
    parts = english.split("; ")
    return "；".join(map(text, parts)) if len(parts) > 1 else english


def line(english):
    if english.startswith("|---") or not english:
        return english
    if english.startswith("| "):
        return "| " + " | ".join(map(text, english[2:-2].split(" | "))) + " |"
    for end, chinese_end in ((".", "。"), (":", "：")):
        if english.endswith(end):
            return text(english.removesuffix(end)) + chinese_end
    return text(english)


def link(target, folder):
    """A page in Chinese where there is one."""
    return target.removesuffix(".md") + ".zh.md" if target.endswith(".md") and (folder / (target.removesuffix(".md") + ".zh.md")).exists() else target


def table(english, folder):
    """A generated table, for a page of a folder."""
    chinese = "\n".join(map(line, english.split("\n")))
    return LINK.sub(lambda match: "](" + link(match[1] + ".md", folder), chinese)
