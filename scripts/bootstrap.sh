#!/usr/bin/env bash
# Installs what building and running gg-farm needs, where it is missing:
#
#   bootstrap.sh [build|test|ci]     (build is the default; each has all of the one before)
#
# build  Debian packages, a Rust that is new enough, the toolchains of the guests
# test   also the test runner
# ci     also what checks the sources: rustfmt, clippy, shellcheck
#
# It installs as root, or by sudo, and only what is missing: a second run installs
# nothing and takes seconds. Tried on Debian 12 and 13; written for Ubuntu 24.04,
# untried there.
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

NEXTEST=0.9.151

# missing_packages FOR: the Debian packages that give what is not there yet. What
# counts is the command, not the package: Node.js or Python may come from elsewhere.
missing_packages() {
  command -v cc >/dev/null || echo gcc libc6-dev
  [ -e /usr/include/stdio.h ] || echo libc6-dev
  command -v patch >/dev/null || echo patch
  command -v node >/dev/null || echo nodejs
  command -v npm >/dev/null || echo npm
  "${PYTHON:-python3}" -c 'import ensurepip, venv' 2>/dev/null || echo python3 python3-venv
  [ -e /etc/ssl/certs/ca-certificates.crt ] || echo ca-certificates
  # The toolchains come from Debian's archive, whose signature is checked by its keys.
  [ -r /usr/share/keyrings/debian-archive-keyring.gpg ] || echo debian-archive-keyring
  case $1 in
    test | ci) [ -n "$(type -P kill)" ] || echo procps ;;
  esac
  case $1 in
    ci) command -v shellcheck >/dev/null || echo shellcheck ;;
  esac
}

# The words before a command that needs root.
become_root() {
  if [ "$(id -u)" = 0 ]; then
    ROOT=()
  elif command -v sudo >/dev/null; then
    ROOT=(sudo)
  else
    die "packages are missing, this user is not root, and there is no sudo; run as root: apt-get install $*"
  fi
}

# apt says hundreds of lines; they are read only where it fails.
apt() {
  local log="$GG_ROOT/apt.log"
  if "${ROOT[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 "$@" >"$log" 2>&1; then return; fi
  tail -n 20 "$log" >&2
  say "the whole of it is in $log"
  return 1
}

UPDATED=
update_lists() {
  [ -z "$UPDATED" ] || return 0
  command -v apt-get >/dev/null ||
    die "this machine has no apt-get: gg-farm is set up on Debian 12 or 13 (elsewhere, install by hand what scripts/bootstrap.sh names)"
  say "reading the package lists"
  apt update || die "apt-get update failed: its message stands above; check the network and /etc/apt/sources.list*"
  UPDATED=yes
}

# Nothing of the machine's is ever removed to make room.
install_packages() {
  become_root "$@"
  update_lists
  say "installing packages (a minute or more): $*"
  apt install --yes --no-install-recommends --no-remove "$@" ||
    die "installing $* failed: apt-get's message stands above"
}

# candidate PACKAGE: the version that apt would install, or nothing.
candidate() { apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: \([0-9].*\)/\1/p'; }

# offers_rust PACKAGE: whether apt would install one that is new enough.
offers_rust() {
  local version
  version=$(candidate "$1")
  [ -n "$version" ] && gg_at_least "${version%%[+~-]*}" "$GG_RUST_NEEDED"
}

install_rust() {
  local had
  had=$(gg_rust_version)
  say "Rust $GG_RUST_NEEDED or later is needed (wasmtime's); this machine has ${had:-none}"
  if PATH="$PATH:${CARGO_HOME:-${HOME:-}/.cargo}/bin" type -P rustup >/dev/null; then
    rustup_stable && gg_use_rust && return
    say "rustup gave no Rust that is new enough: going on with the distribution's"
  fi
  become_root cargo-web rustc-web rustfmt-web
  update_lists
  if offers_rust cargo-web && offers_rust rustc-web; then
    # Debian's Rust for its browsers: the one that a stable release keeps new.
    install_packages cargo-web rustc-web rustfmt-web
  elif offers_rust cargo && offers_rust rustc; then
    install_packages cargo rustc
  elif [ -n "$(candidate rustup)" ]; then
    install_packages rustup
    rustup_stable || true
  fi
  gg_use_rust || die "no Rust $GG_RUST_NEEDED or later was found: the distribution offers rustc-web $(or_none rustc-web), rustc $(or_none rustc), rustup $(or_none rustup). On Debian 12 and 13 rustc-web is in the main and security archives: name both among apt's sources. Elsewhere install Rust yourself (rustup), then run this again"
}

or_none() {
  local version
  version=$(candidate "$1")
  echo "${version:-none}"
}

rustup_stable() {
  say "installing Rust by rustup"
  PATH="$PATH:${CARGO_HOME:-${HOME:-}/.cargo}/bin" \
    rustup toolchain install stable --profile minimal --component rustfmt --component clippy >&2
}

# The distribution's Rust has no clippy of its own version, so this can only be said.
need_rust_tools() {
  cargo fmt --version >/dev/null 2>&1 ||
    die "cargo fmt is missing: rustup component add rustfmt, or apt-get install rustfmt-web"
  cargo clippy --version >/dev/null 2>&1 ||
    die "cargo clippy is missing: rustup component add clippy (Debian's rustc-web comes without: the checks of the sources need rustup's Rust, the commands of the README do not)"
}

install_toolchains() {
  local installer
  for installer in rust wasi typescript; do
    "$GG_REPO/containers/gg-toolchains/$installer.sh" ||
      die "the toolchain $installer was not installed; its message stands above; try again: containers/gg-toolchains/$installer.sh"
  done
}

# Compiled from crates.io, once: optimised a little, since it only waits for tests.
install_nextest() {
  local have
  # Where there is none yet, the pipeline fails and nothing is what it says.
  have=$(cargo-nextest nextest --version 2>/dev/null | sed -n 's/^release: //p') || have=
  if [ -n "$have" ] && gg_at_least "$have" "$NEXTEST"; then return; fi
  say "compiling cargo-nextest $NEXTEST, the test runner (some minutes, once)"
  # From a folder without a manifest, so that no setting of this workspace counts.
  (
    mkdir -p "$GG_TOOLS" && cd "$GG_TOOLS"
    CARGO_TARGET_DIR="$GG_TOOLS/build" CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=1 \
      CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=0 \
      cargo install --quiet --locked --force --root "$GG_TOOLS" \
      --no-default-features --features default-no-update "cargo-nextest@$NEXTEST"
    rm -rf "$GG_TOOLS/build"
  ) || die "cargo install cargo-nextest@$NEXTEST failed: its message stands above; run this again"
}

main() {
  local for=${1:-build} packages
  case $for in
    build | test | ci) ;;
    *) die "usage: bootstrap.sh [build|test|ci]" ;;
  esac
  mkdir -p "$GG_ROOT" || die "$GG_ROOT cannot be made: set GG_FARM_HOME to a folder that you can write"
  mapfile -t packages < <(missing_packages "$for" | tr ' ' '\n' | sort -u)
  [ ${#packages[@]} -eq 0 ] || install_packages "${packages[@]}"
  gg_use_rust || install_rust
  say "Rust $(gg_rust_version) ($(type -P cargo)); everything else is kept in $GG_ROOT"
  install_toolchains
  case $for in test | ci) install_nextest ;; esac
  case $for in ci) need_rust_tools ;; esac
}

main "$@"
