# shellcheck shell=bash
# The packages that cudabook needs, and the installation of missing ones. bootstrap.sh sources it, with the purpose.

# A thing to look for: a command, a pkg-config module (*.pc), a Python module (*.py), a Mesa driver (*.so), a font
# (*.ttf), the settings by which QEMU runs programs of another processor (*.conf), or a header of clang's, OpenGL's or
# stb's (*.h), or of Boost's or valijson's (*.hpp)
#   thing           apt                 dnf                      pacman             brew
packages='
    c++             g++                 gcc-c++                  gcc                gcc
    cmake           cmake               cmake                    cmake              cmake
    ninja           ninja-build         ninja-build              ninja              ninja
    pkg-config      pkg-config          pkgconf-pkg-config       pkgconf            pkgconf
    glfw3.pc        libglfw3-dev        glfw-devel               glfw               glfw
    gl.pc           libgl-dev           mesa-libGL-devel         libglvnd           mesa
    egl.pc          libegl-dev          mesa-libEGL-devel        libglvnd           mesa
    glew.pc         libglew-dev         glew-devel               glew               glew
    imgui.pc        libimgui-dev        imgui-devel              imgui              imgui
    DejaVuSans.ttf  fonts-dejavu-core   dejavu-sans-fonts        ttf-dejavu         font-dejavu
    stb/stb_truetype.h libstb-dev       stb_truetype-devel       stb                -
    libpng.pc       libpng-dev          libpng-devel             libpng             libpng
    zlib.pc         zlib1g-dev          zlib-devel               zlib               zlib
    CLI11.pc        libcli11-dev        cli11-devel              cli11              cli11
    nlohmann_json.pc nlohmann-json3-dev json-devel              nlohmann-json      nlohmann-json
    fmt.pc          libfmt-dev          fmt-devel                fmt                fmt
    libhwy.pc       libhwy-dev          highway-devel            highway            highway
    boost/context/fiber.hpp libboost-context-dev boost-devel       boost              boost
    mpicxx          libopenmpi-dev      openmpi-devel            openmpi            open-mpi
    mpirun          openmpi-bin         openmpi                  openmpi            open-mpi
    gtest.pc        libgtest-dev        gtest-devel              gtest              googletest
    gmock.pc        libgmock-dev        gmock-devel              gtest              googletest
    valijson/validator.hpp libvalijson-dev -              -                  valijson
    GL/glut.h       freeglut3-dev       freeglut-devel           freeglut           freeglut
    openblas.pc     libopenblas-dev     openblas-devel           openblas           openblas
    gdb             gdb                 gdb                      gdb                gdb
    Xvfb            xvfb                xorg-x11-server-Xvfb     xorg-server-xvfb   xquartz
    xdotool         xdotool             xdotool                  xdotool            xdotool
    weston          weston              weston                   weston             weston
    swrast_dri.so   libgl1-mesa-dri     mesa-dri-drivers         mesa               mesa
    ffmpeg          ffmpeg              ffmpeg-free              ffmpeg             ffmpeg
    chromium        chromium            chromium                 chromium           chromium
    chromedriver    chromium-driver     chromedriver             chromium           chromedriver
    ccache          ccache              ccache                   ccache             ccache
    g++-11          g++-11              -                        -                  gcc@11
    clang++         clang                    clang                    clang              llvm
    clang-format-14 clang-format-14     clang-tools-extra        clang              clang-format
    clang-tidy      clang-tidy          clang-tools-extra        clang              llvm
    omp.h           libomp-dev          libomp-devel             openmp             libomp
    shellcheck      shellcheck          ShellCheck               shellcheck         shellcheck
    debootstrap     debootstrap         -                        -                  -
    qemu-aarch64.conf qemu-user-static  -                        -                  -
    python3         python3             python3                  python             python
    pip.py          python3-pip         python3-pip              python-pip         python
'
need=(c++ cmake ninja pkg-config libpng.pc zlib.pc CLI11.pc nlohmann_json.pc fmt.pc libhwy.pc)
want=(glfw3.pc glew.pc gl.pc imgui.pc DejaVuSans.ttf) # for the window; the rest works without
want+=(stb/stb_truetype.h)                            # for charts, with the font; the rest works without
want+=(boost/context/fiber.hpp)                       # for the emulated GPU
case ${1:-} in
  build) ;;
  test | checks | release)
    need+=(gtest.pc gmock.pc)
    want+=(mpicxx mpirun) # for several processes
    want+=(valijson/validator.hpp egl.pc GL/glut.h gdb Xvfb xdotool weston swrast_dri.so ffmpeg)
    if [ "$1" != test ]; then want+=(ccache clang++ clang-format-14 clang-tidy omp.h shellcheck chromium chromedriver); fi
    if [ "$1" = release ] && command -v apt-get >/dev/null; then want+=(debootstrap g++-11); fi
    if [ "$1 $(uname -m)" = "release x86_64" ]; then want+=(qemu-aarch64.conf); fi
    ;;
  benchmark)
    need+=(python3)
    want+=(openblas.pc) # matmul's peer
    ;;
  slides) need=(python3 pip.py chromium DejaVuSans.ttf) want=() ;;
  *)
    echo "bootstrap.sh: ${1:+$1: }say what for: build, test, checks, release, benchmark or slides" >&2
    exit 2
    ;;
esac
say() { echo "bootstrap: $*" >&2; }

has() {
  case $1 in
    *.pc) pkg-config --exists "${1%.pc}" ;;
    *.py) python3 -c "import ${1%.py}" ;;
    *.so) compgen -G "/usr/lib*/dri/$1" || compgen -G "/usr/lib/*/dri/$1" ;;
    *.conf) compgen -G "/usr/lib/binfmt.d/$1" ;;
    *.ttf) compgen -G "/usr/share/fonts/*/$1" || compgen -G "/usr/share/fonts/*/*/$1" ;;
    boost/*.hpp | valijson/*.hpp) compgen -G "/usr/include/$1" || compgen -G "/opt/homebrew/include/$1" || compgen -G "/usr/local/include/$1" ;;
    GL/*.h | stb/*.h) compgen -G "/usr/include/$1" ;;
    nccl.h) ls "/usr/include/$1" || ls "/usr/local/include/$1" || ls "/usr/local/cuda/include/$1" ;;
    *.h) compgen -G "/usr/lib*/clang/*/include/$1" || compgen -G "/usr/lib/llvm-*/lib/clang/*/include/$1" ;;
    clang-format-14) clang_format_14 ;;
    glfw-wayland) grep -qs glfwGetWaylandWindow /usr/lib*/libglfw.so.3 /usr/lib/*/libglfw.so.3 "$glfw_wayland/libglfw.so.3" ;;
    *) command -v "$1" ;;
  esac >/dev/null 2>&1
}

# Prints the command of clang-format 14. Other versions format differently.
clang_format_14() {
  local command
  for command in clang-format-14 clang-format build/tools/clang-format/clang_format/data/bin/clang-format; do
    if [[ $("$command" --version 2>/dev/null) == *"version 14."* ]]; then
      echo "$command"
      return
    fi
  done
  return 1
}

glfw_wayland=build/tools/glfw/glfw/wayland # where the tests look for it too

missing() { for thing; do has "$thing" || echo "$thing"; done; }

packages_of() { # packages_of COLUMN THING...
  local column=$1
  shift
  for thing; do awk -v thing="$thing" -v column="$column" '$1 == thing && $column != "-" { print $column }' <<<"$packages"; done | sort -u
}

apt_install() { # as root or through sudo; its output goes to a log
  local as_root=() available=() log=build/bootstrap.log
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || [ -t 0 ]; }; then return 1; fi
    as_root=(sudo)
  fi
  say "installing $*"
  mkdir -p build
  "${as_root[@]}" apt-get update -qq >"$log" 2>&1 </dev/null || true # one source of many may be out of reach
  for package; do if apt-cache show "$package" >/dev/null 2>&1; then available+=("$package"); fi; done
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq -y --no-install-recommends "${available[@]}" >>"$log" 2>&1 </dev/null || tail -n 5 "$log" >&2
}

provide() { # installs what is missing of $need and $want
  local lacking manager column=0 install
  [ -n "$(missing "${need[@]}" "${want[@]}")" ] || return 0
  for manager in apt-get dnf pacman brew; do
    column=$((column + 1))
    command -v "$manager" >/dev/null && break
  done
  case $manager in
    pacman) install="pacman -S" ;;
    *) install="$manager install" ;;
  esac
  # shellcheck disable=SC2046 # one word for each package
  if [ "$manager" = apt-get ]; then apt_install $(packages_of 2 $(missing "${need[@]}" "${want[@]}")) || true; fi

  if [ -z "$(missing "${need[@]}")" ]; then
    lacking=$(missing "${want[@]}" | xargs)
    [ -z "$lacking" ] || say "going on without $lacking"
    return
  fi
  lacking=$(missing "${need[@]}" "${want[@]}" | xargs)
  say "missing: $lacking"
  if command -v "$manager" >/dev/null; then
    [ "$manager" = brew ] || install="as root, $install"
    # shellcheck disable=SC2086 # one word for each thing
    say "this installs them: $install $(packages_of $((column + 1)) $lacking | xargs)"
  else
    say "none of apt-get, dnf, pacman and brew is here: install them your system's way"
  fi
  exit 3
}

from_pypi() { # from_pypi FOLDER REQUIREMENT [OPTION...]: installs into build/tools/FOLDER, without root; with pip's options
  local folder=build/tools/$1
  [ -d "$folder" ] && return
  need=(python3 pip.py) want=()
  provide
  say "getting $2 from PyPI"
  rm -rf "$folder.part"
  PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --no-cache-dir \
    --only-binary :all: --target "$folder.part" "${@:3}" "$2" >&2 || return 1
  mv "$folder.part" "$folder"
}

at_least() { printf '%s\n' "$2" "$1" | sort -C -V; } # at_least VERSION WANTED

provide
if [ "$1" = slides ]; then return; fi # nothing is built

# Ubuntu 22.04's CMake is 3.22.
read -r _ _ version _ < <(cmake --version)
if ! at_least "$version" 3.24; then
  if ! from_pypi cmake 'cmake==3.31.*'; then
    say "CMake $version is too old and PyPI's could not be had: install 3.24 or newer"
    exit 3
  fi
  PATH=$PWD/build/tools/cmake/cmake/data/bin:$PATH
fi

if [[ $1 = checks || $1 = release ]] && ! has clang-format-14; then
  (from_pypi clang-format 'clang-format==14.0.6') || true # the rest works without
fi

# GLFW 3.3, which Debian 12 and Ubuntu 22.04 and 24.04 have, is for X11 or for Wayland, and only one of them can be installed.
if [[ $1 = test || $1 = checks || $1 = release ]] && ! has glfw-wayland; then
  if (from_pypi glfw 'glfw==2.*'); then ln -sf libglfw.so "$glfw_wayland/libglfw.so.3"; fi
fi
