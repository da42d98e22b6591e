#!/usr/bin/env bash
# What cmake/package/recipes.sh writes for package managers: each in its own language, and with the
# checksums of the files of the release.
#   package_test.sh RECIPES
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo source >caxton-1.2.3.tar.gz
echo program >caxton-1.2.3-windows-x86_64.zip
if "$1" . 1.2.3 https://example.org/caxton 2>errors; then
    echo "it wrote recipes without checksums"
    exit 1
fi
sha256sum caxton-* >SHA256SUMS
"$1" . 1.2.3 https://example.org/caxton
source_sum=$(sha256sum <caxton-1.2.3.tar.gz | cut -d' ' -f1)
zip_sum=$(sha256sum <caxton-1.2.3-windows-x86_64.zip | cut -d' ' -f1)

grep -qi "InstallerSha256: $zip_sum" recipes/winget/Caxton.Caxton.installer.yaml
for manifest in recipes/winget/*.yaml; do
    grep -qx 'PackageVersion: 1.2.3' "$manifest"
    if grep -nvE '^(- |  )?[A-Za-z0-9-]+(: .*|:)?$|^# yaml-language-server: ' "$manifest"; then
        exit 1
    fi
done
if python3 -c 'import yaml' 2>/dev/null; then
    python3 -c 'import sys, yaml; [yaml.safe_load(open(name)) for name in sys.argv[1:]]' \
        recipes/winget/*.yaml
fi

grep -q "sha256 \"$source_sum\"" recipes/homebrew/caxton.rb
! command -v ruby >/dev/null || ruby -c recipes/homebrew/caxton.rb >log

# What makepkg prints of its own file.
cd recipes/arch
# shellcheck disable=SC1091,SC2154
. ./PKGBUILD
for function in build check package; do
    declare -F "$function" >/dev/null
done
fields()
{
    local name=$1
    shift
    printf "\t$name = %s\n" "$@"
}
{
    echo "pkgbase = $pkgname"
    fields pkgdesc "$pkgdesc"
    fields pkgver "$pkgver"
    fields pkgrel "$pkgrel"
    fields url "$url"
    fields arch "${arch[@]}"
    fields license "${license[@]}"
    fields makedepends "${makedepends[@]}"
    fields depends "${depends[@]}"
    fields source "${source[@]}"
    fields sha256sums "${sha256sums[@]}"
    printf '\npkgname = %s\n' "$pkgname"
} | diff - .SRCINFO
[ "${sha256sums[0]}" = "$source_sum" ]
