#!/usr/bin/env bash
# Installs the TypeScript toolchain: the native compiler of npm's typescript 7, which is
# one static program, and the declarations of ECMAScript's library. It needs no node to
# run; npm's own client fetches it.
#
#   typescript.sh [--force]
#
# The tree is /opt/gg/toolchains/typescript, or toolchains/typescript of the data
# directory; a worker that is to take another compiler is told by TCAB_GG_TSC. A second
# run only proves it: by a program that it takes, and one that it refuses.
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
GG_NAME=typescript.sh
# shellcheck source=lib.sh
. "$HERE/lib.sh"

VERSION=7.0.2
TREE=$(gg_tree typescript)

# The package of this machine's kind, and the digest that the registry published for it.
case "$(uname -m)" in
  x86_64)
    PACKAGE=@typescript/typescript-linux-x64
    INTEGRITY=sha512-EYdf2cNg7rgCWJnxCdJ+F3V39O8ihb37eHAu1LK8oAFizgTQbPOK7zHHXbPt8rX24COqODXeI3sIf0fCXG7H/A==
    ;;
  aarch64)
    PACKAGE=@typescript/typescript-linux-arm64
    INTEGRITY=sha512-Qh4eU4/y3yDjnfjjyPYihMj5/ODIlmt+Bzu17OI+fiSRDW57QmU5SiN63exPRNJPKUzcc1INa1NXdrJ+MqHjUQ==
    ;;
  *) die "npm's typescript $VERSION has no compiler for $(uname -m)" ;;
esac

prove() {
  local tree=$1 work said
  work=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$work'" RETURN
  echo 'const n: number = [1, 2].map((x) => x * 2).length; export { n };' >"$work/taken.ts"
  echo 'const n: number = "one"; export { n };' >"$work/refused.ts"
  # Nothing of the machine: no PATH to find a node on.
  compile() { (cd "$work" && env -i HOME="$work" "$tree/bin/tsc" --noEmit --strict --target es2023 --lib es2023 --types '' "$1"); }
  compile taken.ts || return 1
  said=$(compile refused.ts) && return 1
  case "$said" in *"refused.ts(1,7): error TS2322:"*) ;; *) return 1 ;; esac
}

install() {
  gg_need npm tar sha256sum
  local stage="$TREE.new.$$" unpacked archive got
  mkdir -p "$(dirname "$TREE")"
  unpacked=$(mktemp -d "$(dirname "$TREE")/.typescript-unpacked.XXXXXX")
  # shellcheck disable=SC2064
  trap "rm -rf '$unpacked' '$stage'" EXIT

  # npm computes the digest from what it got, and compares it with the registry's; here it is held to ours.
  got=$(cd "$unpacked" && npm pack --json "$PACKAGE@$VERSION" | sed -n 's/^ *"integrity": "\(.*\)",*$/\1/p') ||
    die "npm pack $PACKAGE@$VERSION failed: its message stands above; check the network and npm's settings"
  [ "$got" = "$INTEGRITY" ] ||
    die "$PACKAGE@$VERSION is not what was published: its digest is ${got:-unknown}, and this script pins $INTEGRITY"
  archive=$(find "$unpacked" -maxdepth 1 -name '*.tgz')
  tar -xzf "$archive" -C "$unpacked"

  say "laying out the tree"
  mkdir -p "$stage/bin"
  cp "$unpacked/package/lib/tsc" "$stage/bin/tsc"
  # The compiler looks for these beside itself.
  cp "$unpacked"/package/lib/lib*.d.ts "$stage/bin/"
  cp "$unpacked"/package/LICENSE "$unpacked"/package/NOTICE.txt "$stage/"
  echo "$PACKAGE@$VERSION $INTEGRITY" >"$stage/fingerprint"
  gg_digest "$HERE/typescript.sh" "$HERE/lib.sh" >"$stage/installer"
  chmod -R u+w,go+rX "$stage"
  chmod 755 "$stage/bin/tsc"
  gg_place "$stage" "$TREE"
}

if [ "${1:-}" != --force ] && gg_current "$TREE" "$HERE/typescript.sh" "$HERE/lib.sh"; then
  say "$TREE is up to date"
else
  say "installing tsc $VERSION into $TREE"
  install
fi
prove "$TREE" || die "the toolchain in $TREE does not judge a program; run $HERE/typescript.sh --force"
say "ready: tsc $("$TREE/bin/tsc" --version | cut -d' ' -f2), $(du -sh "$TREE" | cut -f1) in $TREE"
