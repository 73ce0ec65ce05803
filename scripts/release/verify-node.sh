#!/usr/bin/env bash
# Compares programs of Node, as npm has them, with those that the releasers of Node signed.
#
#   verify-node.sh https://nodejs.org/dist/v24.21.0 KEYRING linux-x64=FILE win-x64=FILE...
set -euo pipefail
base=$1 keyring=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
get() { curl --fail --silent --show-error --location --output "$(basename "$1")" "$base/$1"; }
get SHASUMS256.txt
get SHASUMS256.txt.sig
gpgv --keyring "$keyring" SHASUMS256.txt.sig SHASUMS256.txt
for pair in "$@"; do
  platform=${pair%%=*} program=${pair#*=} version=$(basename "$base")
  case $platform in
    win-*) file=$platform/node.exe inside= ;;
    *) file=node-$version-$platform.tar.gz inside=node-$version-$platform/bin/node ;;
  esac
  get "$file"
  signed=$(awk -v file="$file" '$2 == file { print $1 }' SHASUMS256.txt)
  echo "$signed  $(basename "$file")" | sha256sum --check --strict --quiet
  if [ -n "$inside" ]; then
    tar xzf "$file" --to-stdout "$inside" | cmp - "$program"
  else
    cmp node.exe "$program"
  fi
  echo "$platform: as signed"
done
