#!/usr/bin/env bash
# Installs the Rust toolchain that builds for WebAssembly: Debian trixie's rustc,
# rustdoc and cargo with the standard library for wasm32-wasip1, and lld as their
# linker. It carries its own loader and libraries, so it runs on Debian 12 as on
# 13, and changes nothing of the machine outside its own tree.
#
# The Rust arm compiles a program by bin/rustc alone: its linker is where rustc
# looks for it, and cargo and rustdoc serve the builds of the packages.
#
#   rust.sh [--force]
#
# The tree is found, in this order, by GG_RUST_WASM, in /opt/gg/toolchains/rust,
# and in toolchains/rust of the data directory. A second run only proves it: by a
# program compiled as a turn's is, and by one linked as the guests' builds do.
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
GG_NAME=rust.sh
# shellcheck source=lib.sh
. "$HERE/lib.sh"

SUITE=trixie
VERSION=1.85.1
LLVM=19
TARGET=wasm32-wasip1
TREE=$(gg_tree rust)

prove() {
  local tree=$1 work
  work=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$work'" RETURN
  echo 'fn main() { println!("{}", std::env::args().count()); }' >"$work/proof.rs"
  local linker
  for linker in "" "-Clinker=$tree/bin/wasm-ld"; do
    # Nothing of the machine: no PATH to find a linker on, no settings of rustup's.
    env -i "$tree/bin/rustc" --edition 2024 --target "$TARGET" -Cpanic=abort -Copt-level=s -Ccodegen-units=1 \
      -Cstrip=debuginfo ${linker:+"$linker"} -o "$work/proof.wasm" "$work/proof.rs" || return 1
    [ "$(head -c 4 "$work/proof.wasm" | tail -c 3)" = asm ] || return 1
    rm "$work/proof.wasm"
  done
  "$tree/bin/cargo" --version >/dev/null && "$tree/bin/rustdoc" --version >/dev/null
}

install() {
  gg_need apt-get dpkg dpkg-deb sha256sum find awk sed
  local stage="$TREE.new.$$" unpacked host packages
  mkdir -p "$(dirname "$TREE")"
  unpacked=$(mktemp -d "$(dirname "$TREE")/.rust-unpacked.XXXXXX")
  # shellcheck disable=SC2064
  trap "rm -rf '$unpacked' '$stage'" EXIT

  gg_suite "$SUITE"
  mapfile -t packages < <(gg_packages rustc cargo libstd-rust-dev libstd-rust-dev-wasm32 "lld-$LLVM" patchelf)
  case " ${packages[*]} " in
    *" rustc=$VERSION"*) ;;
    *) die "$SUITE no longer carries rustc $VERSION; it has: $(printf '%s\n' "${packages[@]}" | grep '^rustc=' || echo none)" ;;
  esac
  gg_unpack "$unpacked" "${packages[@]}"

  say "laying out the tree"
  mkdir -p "$stage/bin" "$stage/lib/rustlib"
  cp "$unpacked/usr/bin/rustc" "$unpacked/usr/bin/rustdoc" "$unpacked/usr/bin/cargo" "$stage/bin/"
  cp -L "$unpacked/usr/lib/llvm-$LLVM/bin/lld" "$stage/bin/lld"
  # lld takes its flavour from the name that it is called by, and rustc from the
  # linker's name that it is to emit a core module.
  ln -s lld "$stage/bin/wasm-ld"
  cp "$(find "$unpacked/usr/lib" -name 'librustc_driver-*.so' | head -n 1)" "$stage/lib/"
  host=$(basename "$(find "$unpacked/usr/lib/rustlib" -maxdepth 1 -name '*-linux-gnu')")
  local target
  for target in "$host" "$TARGET"; do
    cp -a "$unpacked/usr/lib/rustlib/$target" "$stage/lib/rustlib/$target"
  done
  # Where rustc looks for the linker of a WebAssembly target before it looks on PATH.
  mkdir -p "$stage/lib/rustlib/$host/bin"
  ln -s ../../../../bin/lld "$stage/lib/rustlib/$host/bin/rust-lld"
  # Nothing that is built here links the test harness, and no procedural macro runs
  # on WebAssembly.
  rm -f "$stage"/lib/rustlib/*/lib/lib{test,getopts,unicode_width}-*.rlib \
    "$stage"/lib/rustlib/wasm32-*/lib/libproc_macro-*.rlib
  gg_vendor "$unpacked" "$stage" "$TREE"
  printf '%s\n' "${packages[@]}" | grep -v '^patchelf=' | sort >"$stage/fingerprint"
  gg_digest "$HERE/rust.sh" "$HERE/lib.sh" >"$stage/installer"
  chmod -R u+w,go+rX "$stage"
  gg_place "$stage" "$TREE"
}

if [ "${1:-}" != --force ] && gg_current "$TREE" "$HERE/rust.sh" "$HERE/lib.sh"; then
  say "$TREE is up to date"
else
  say "installing rustc $VERSION for WebAssembly into $TREE"
  install
fi
prove "$TREE" || die "the toolchain in $TREE does not compile a program; run $HERE/rust.sh --force"
say "ready: $("$TREE/bin/rustc" --version), $(du -sh "$TREE" | cut -f1) in $TREE"
