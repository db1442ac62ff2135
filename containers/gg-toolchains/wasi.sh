#!/usr/bin/env bash
# Installs the C toolchain for WebAssembly: Debian trixie's clang, lld, wasi-libc
# and the compiler's run-time library for wasm32, in the layout that build scripts
# know as a "WASI SDK" (bin/clang, bin/ar, share/wasi-sysroot). It carries its own
# loader and libraries and changes nothing of the machine outside its own tree.
#
#   wasi.sh [--force]
#
# The tree is found, in this order, by GG_WASI_SDK, in /opt/gg/toolchains/wasi,
# and in toolchains/wasi of the data directory. A second run only proves it.
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
GG_NAME=wasi.sh
# shellcheck source=lib.sh
. "$HERE/lib.sh"

SUITE=trixie
LLVM=19
TREE=$(gg_tree wasi)

prove() {
  local tree=$1 work
  work=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$work'" RETURN
  printf '#include <stdio.h>\nint main(int argc, char **argv) { long double x = argc; return printf("%%s %%Lf", argv[0], x) < 0; }\n' >"$work/proof.c"
  "$tree/bin/clang" --target=wasm32-wasip1 --sysroot="$tree/share/wasi-sysroot" -O1 -o "$work/proof.wasm" "$work/proof.c" || return 1
  "$tree/bin/clang" --target=wasm32-wasip1 --sysroot="$tree/share/wasi-sysroot" -c -o "$work/proof.o" "$work/proof.c" || return 1
  "$tree/bin/ar" crs "$work/libproof.a" "$work/proof.o" || return 1
  [ "$(head -c 4 "$work/proof.wasm" | tail -c 3)" = asm ]
}

install() {
  gg_need apt-get dpkg dpkg-deb sha256sum find awk sed
  local stage="$TREE.new.$$" unpacked packages
  mkdir -p "$(dirname "$TREE")"
  unpacked=$(mktemp -d "$(dirname "$TREE")/.wasi-unpacked.XXXXXX")
  # shellcheck disable=SC2064
  trap "rm -rf '$unpacked' '$stage'" EXIT

  gg_suite "$SUITE"
  mapfile -t packages < <(gg_packages "clang-$LLVM" "lld-$LLVM" "llvm-$LLVM" wasi-libc "libclang-rt-$LLVM-dev-wasm32" "libclang-common-$LLVM-dev" patchelf)
  gg_unpack "$unpacked" "${packages[@]}"

  say "laying out the tree"
  local llvm="$unpacked/usr/lib/llvm-$LLVM" sysroot="$stage/share/wasi-sysroot"
  mkdir -p "$stage/bin" "$stage/lib/clang/$LLVM/lib" "$sysroot/include" "$sysroot/lib"
  cp -L "$llvm/bin/clang" "$stage/bin/clang-$LLVM"
  cp -L "$llvm/bin/lld" "$stage/bin/lld"
  cp -L "$llvm/bin/llvm-ar" "$stage/bin/llvm-ar"
  ln -s "clang-$LLVM" "$stage/bin/clang"
  ln -s "clang-$LLVM" "$stage/bin/clang++"
  ln -s lld "$stage/bin/wasm-ld"
  # Debian's clang looks for its own version's linker.
  ln -s lld "$stage/bin/wasm-ld-$LLVM"
  ln -s llvm-ar "$stage/bin/ar"
  ln -s llvm-ar "$stage/bin/llvm-ranlib"
  ln -s llvm-ar "$stage/bin/ranlib"
  cp -aL "$llvm/lib/clang/$LLVM/include" "$stage/lib/clang/$LLVM/"
  cp -aL "$llvm/lib/clang/$LLVM/lib/wasi" "$stage/lib/clang/$LLVM/lib/"
  # clang names the run-time library's folder after the target that it is asked for.
  local target
  for target in wasm32-unknown-wasi wasm32-unknown-wasip1 wasm32-unknown-wasip2; do
    mkdir "$stage/lib/clang/$LLVM/lib/$target"
    ln -s ../wasi/libclang_rt.builtins-wasm32.a "$stage/lib/clang/$LLVM/lib/$target/libclang_rt.builtins.a"
  done
  for target in wasm32-wasi wasm32-wasip2; do
    cp -aL "$unpacked/usr/include/$target" "$sysroot/include/"
    cp -aL "$unpacked/usr/lib/$target" "$sysroot/lib/"
  done
  ln -s wasm32-wasi "$sysroot/include/wasm32-wasip1"
  ln -s wasm32-wasi "$sysroot/lib/wasm32-wasip1"
  gg_vendor "$unpacked" "$stage" "$TREE"
  # Headers of accelerators that a WebAssembly program has no use for.
  rm -rf "$stage/lib/clang/$LLVM/include"/{cuda_wrappers,openmp_wrappers,ppc_wrappers,llvm_libc_wrappers,fuzzer,profile,sanitizer,xray}
  printf '%s\n' "${packages[@]}" | grep -v '^patchelf=' | sort >"$stage/fingerprint"
  gg_digest "$HERE/wasi.sh" "$HERE/lib.sh" >"$stage/installer"
  chmod -R u+w,go+rX "$stage"
  gg_place "$stage" "$TREE"
}

if [ "${1:-}" != --force ] && gg_current "$TREE" "$HERE/wasi.sh" "$HERE/lib.sh"; then
  say "$TREE is up to date"
else
  say "installing clang $LLVM for WebAssembly into $TREE"
  install
fi
prove "$TREE" || die "the toolchain in $TREE does not compile a program; run $HERE/wasi.sh --force"
say "ready: $("$TREE/bin/clang" --version | head -n 1), $(du -sh "$TREE" | cut -f1) in $TREE"
