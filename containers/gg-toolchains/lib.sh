# shellcheck shell=bash
# What the toolchain installers share: where a tree goes, packages of a Debian
# suite that is not the machine's own, and making a tree self-contained.
#
# A package of another suite is only ever downloaded and unpacked into a folder
# of ours: nothing of it is installed, so the machine's own libc, its package
# database and its sources stay as they are. No step needs root, apart from
# writing to a tree under /opt.

set -euo pipefail

say() { printf '%s: %s\n' "${GG_NAME:-gg-toolchains}" "$*" >&2; }
die() { say "error: $*"; exit 1; }

# The root of everything that is installed or built outside the source tree.
GG_ROOT="${GG_FARM_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/gg-farm}"

# gg_tree NAME: where the toolchain NAME is, or is to be. An image build puts
# trees under /opt/gg (it makes that folder first); a user's machine does not.
gg_tree() {
  if [ -d /opt/gg/toolchains ] && { [ -d "/opt/gg/toolchains/$1" ] || [ -w /opt/gg/toolchains ]; }; then
    echo "/opt/gg/toolchains/$1"
  else
    echo "$GG_ROOT/toolchains/$1"
  fi
}

gg_need() {
  local tool missing=()
  for tool in "$@"; do command -v "$tool" >/dev/null || missing+=("$tool"); done
  [ ${#missing[@]} -eq 0 ] || die "these commands are missing: ${missing[*]} (plain Debian 12 or 13 has them; elsewhere install apt and dpkg)"
}

# gg_suite SUITE: points gg_apt at SUITE through lists of its own. The mirror is
# the one that this machine's own sources name, so a private mirror goes on serving;
# a machine that is not Debian names one by GG_DEBIAN_MIRROR.
gg_suite() {
  GG_SUITE=$1
  GG_APT_DIR="$GG_ROOT/apt/$GG_SUITE"
  local arch codename uri keyring
  arch=$(dpkg --print-architecture)
  # shellcheck source=/dev/null
  codename=$(. /etc/os-release && [ "$ID" = debian ] && echo "${VERSION_CODENAME:-}") || codename=none
  # shellcheck disable=SC2016
  uri=${GG_DEBIAN_MIRROR:-$(apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' \
      'Created-By: Packages' "ARCHITECTURE: $arch" 2>/dev/null |
    awk -v own="$codename" -v suite="$GG_SUITE" \
      '$3 == "main" && ($2 == own || $2 == suite || $2 == "stable") { print $1; exit }')}
  [ -n "$uri" ] || die "no entry for Debian's main archive (suite $codename) among this machine's apt sources; add one, or set GG_DEBIAN_MIRROR to the address of a mirror of Debian's archive, then run this again"
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -r "$keyring" ] || die "$keyring is missing: apt-get install debian-archive-keyring"

  mkdir -p "$GG_APT_DIR/etc" "$GG_APT_DIR/lists/partial" "$GG_APT_DIR/cache/archives/partial" "$GG_APT_DIR/debs"
  printf 'deb [arch=%s signed-by=%s] %s %s main\n' "$arch" "$keyring" "$uri" "$GG_SUITE" >"$GG_APT_DIR/etc/sources.list"
  GG_APT_OPTIONS=(
    -o "Dir::Etc::sourcelist=$GG_APT_DIR/etc/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$GG_APT_DIR/lists" -o "Dir::Cache=$GG_APT_DIR/cache"
    -o Dir::State::status=/dev/null -o APT::Get::List-Cleanup=0
    # The folders are the caller's own; apt's download user could not write there.
    -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3
  )
  say "reading the package lists of $GG_SUITE"
  gg_apt apt-get -qq update || die "reading the package lists of $GG_SUITE failed (mirror and keyring as in $GG_APT_DIR/etc/sources.list)"
}

gg_apt() { local tool=$1; shift; "$tool" "${GG_APT_OPTIONS[@]}" "$@"; }

# gg_packages PACKAGE...: the packages that must be downloaded for PACKAGE... to
# run: themselves, and the shared libraries that they depend on at any depth, as
# `name=version` lines. What only a native build needs (gcc, headers) is left out.
gg_packages() {
  local asked=" $* "
  gg_apt apt-get -s -q --no-install-recommends install "$@" |
    sed -n 's/^Inst \([^ ]*\) (\([^ ]*\) .*/\1 \2/p' |
    while read -r name version; do
      name=${name%%:*}
      case "$asked" in *" $name "*) echo "$name=$version"; continue ;; esac
      case "$name" in
        *-dev | *-dev-* | *-doc | *-data | *-modules* | libasan* | liblsan* | libtsan* | libubsan* | libhwasan* | libcc1-*) ;;
        lib* | zlib1g) echo "$name=$version" ;;
      esac
    done
}

# gg_unpack DIR NAME=VERSION...: downloads and unpacks packages into DIR.
gg_unpack() {
  local into=$1; shift
  mkdir -p "$into"
  say "downloading $# packages of $GG_SUITE"
  (cd "$GG_APT_DIR/debs" && rm -f -- *.deb && gg_apt apt-get -qq download "$@") ||
    die "downloading from $GG_SUITE failed; asked for: $*"
  local deb
  for deb in "$GG_APT_DIR"/debs/*.deb; do dpkg-deb -x "$deb" "$into"; done
  rm -f -- "$GG_APT_DIR"/debs/*.deb
}

# gg_vendor UNPACKED STAGE FINAL: makes the programs in STAGE/bin self-contained.
# Copies into STAGE/lib the loader and every library that the programs and the
# libraries there need, at any depth, and points all of them at it. The
# interpreter's path in an ELF file is absolute, hence FINAL: where the tree will
# be. (A wrapper that starts the loader would be relocatable, but costs 5 to 10 ms
# a start, and hides from clang and lld the path that they find themselves by.)
gg_vendor() {
  local unpacked=$1 stage=$2 final=$3
  local loader file need found queue=() interpreter
  loader=$(find "$unpacked" -name 'ld-linux*.so.*' \( -type f -o -type l \) | head -n 1)
  [ -n "$loader" ] || die "the unpacked packages hold no dynamic loader"
  local libdirs
  libdirs=$(find "$unpacked" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
  gg_patchelf() { "$loader" --library-path "$libdirs" "$unpacked/usr/bin/patchelf" "$@"; }

  interpreter="$final/lib/$(basename "$loader")"
  cp -L "$loader" "$stage/lib/$(basename "$loader")"
  for file in "$stage"/bin/* "$stage"/lib/*.so*; do
    if [ -f "$file" ] && [ ! -L "$file" ] && gg_is_elf "$file"; then queue+=("$file"); fi
  done
  while [ ${#queue[@]} -gt 0 ]; do
    file=${queue[0]}
    queue=("${queue[@]:1}")
    while read -r need; do
      if [ -z "$need" ] || [ -e "$stage/lib/$need" ]; then continue; fi
      found=$(find "$unpacked" -name "$need" \( -type f -o -type l \) | head -n 1)
      [ -n "$found" ] || die "$(basename "$file") needs $need, which no downloaded package holds"
      cp -L "$found" "$stage/lib/$need"
      queue+=("$stage/lib/$need")
    done < <(gg_patchelf --print-needed "$file")
  done

  # $ORIGIN is the loader's to expand. DT_RPATH rather than DT_RUNPATH: it also holds for what the libraries load.
  for file in "$stage"/bin/*; do
    if [ -f "$file" ] && [ ! -L "$file" ] && gg_is_elf "$file"; then
      # shellcheck disable=SC2016
      gg_patchelf --set-interpreter "$interpreter" --force-rpath --set-rpath '$ORIGIN/../lib' "$file"
    fi
  done
  # shellcheck disable=SC2016
  for file in "$stage"/lib/*.so*; do
    case "$(basename "$file")" in
      # The loader and libc find nothing by a path, and libc is a program too.
      ld-linux* | libc.so.*) ;;
      *) if [ ! -L "$file" ]; then gg_patchelf --force-rpath --set-rpath '$ORIGIN' "$file"; fi ;;
    esac
  done
}

gg_is_elf() { [ "$(head -c 4 "$1" | tail -c 3)" = ELF ]; }

# gg_current TREE SCRIPT...: whether TREE was made by these very scripts.
gg_current() {
  local tree=$1; shift
  [ -f "$tree/fingerprint" ] && [ "$(cat "$tree/installer" 2>/dev/null)" = "$(gg_digest "$@")" ]
}

gg_digest() { cat "$@" | sha256sum | cut -d' ' -f1; }

# gg_place STAGE TREE: puts a finished tree in its place. The old one goes only
# once the new one stands.
gg_place() {
  local stage=$1 tree=$2 old="$2.old.$$"
  if [ -e "$tree" ]; then mv "$tree" "$old"; fi
  mv "$stage" "$tree"
  rm -rf "$old"
}
