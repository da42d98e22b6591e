#!/bin/sh
# Writes what package managers want to know of a release: manifests for winget, a formula for
# Homebrew, PKGBUILD and .SRCINFO for Arch. Nothing is sent anywhere.
#
#   cmake/package/recipes.sh RELEASE VERSION URL
#
# RELEASE is the folder of the files of a release, with their SHA256SUMS; the files of this script
# come into its folder recipes/. URL is the project's page; the release is expected where GitHub has
# it, at URL/releases/download/vVERSION/. Windows gets the .zip; the others build from the source.
set -eu
[ $# -eq 3 ] || { echo "usage: $0 RELEASE VERSION URL" >&2; exit 2; }
version=$2
url=$3
cd "$1"

# sum FILE
sum()
{
    awk -v file="$1" '$2 == file { print $1; found = 1 } END { exit !found }' SHA256SUMS || {
        echo "$0: there is no $1 in SHA256SUMS" >&2
        return 1
    }
}

zip=caxton-$version-windows-x86_64.zip
source=caxton-$version.tar.gz
zip_sum=$(sum "$zip" | tr '[:lower:]' '[:upper:]')
source_sum=$(sum "$source")
files=$url/releases/download/v$version
summary='Chess engine with its opening book, and a maker of books'
rm -rf recipes
mkdir -p recipes/winget recipes/homebrew recipes/arch

head="PackageIdentifier: Caxton.Caxton
PackageVersion: $version"
manifest()
{
    echo "# yaml-language-server: \$schema=https://aka.ms/winget-manifest.$1.1.10.0.schema.json"
    echo "$head"
    cat
    echo "ManifestType: $1"
    echo "ManifestVersion: 1.10.0"
}

manifest version >recipes/winget/Caxton.Caxton.yaml <<END
DefaultLocale: en-US
END
manifest installer >recipes/winget/Caxton.Caxton.installer.yaml <<END
InstallerType: zip
NestedInstallerType: portable
NestedInstallerFiles:
- RelativeFilePath: ${zip%.zip}\\caxton.exe
  PortableCommandAlias: caxton
- RelativeFilePath: ${zip%.zip}\\makebook.exe
  PortableCommandAlias: makebook
Installers:
- Architecture: x64
  InstallerUrl: $files/$zip
  InstallerSha256: $zip_sum
END
manifest defaultLocale >recipes/winget/Caxton.Caxton.locale.en-US.yaml <<END
PackageLocale: en-US
Publisher: the Caxton authors
PackageName: Caxton
PackageUrl: $url
License: MIT
LicenseUrl: $url/blob/v$version/LICENSE
ShortDescription: $summary
Moniker: caxton
Tags:
- chess
- chess-engine
- uci
END

cat >recipes/homebrew/caxton.rb <<END
class Caxton < Formula
  desc "$summary"
  homepage "$url"
  url "$files/$source"
  sha256 "$source_sum"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "hiredis"
  depends_on "libmicrohttpd"
  depends_on :linux # macOS has not been tried
  depends_on "xz"
  depends_on "zstd"

  uses_from_macos "bzip2"
  uses_from_macos "zlib"

  def install
    # Fast on old and on new processors; bottles are for all of them.
    levels = Hardware::CPU.intel? ? "-DCAXTON_LEVELS=ON" : "-DCAXTON_ARCH=none"
    system "cmake", "-S", ".", "-B", "build", "-DCAXTON_TESTS=OFF", levels, *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "Nodes searched: 8902", shell_output("#{bin}/caxton go perft 3")
    assert_match "e4", shell_output("#{bin}/makebook show builtin")
  end
end
END

depends="bzip2 glibc hiredis libmicrohttpd xz zlib zstd"
cat >recipes/arch/PKGBUILD <<END
pkgname=caxton
pkgver=$version
pkgrel=1
pkgdesc='$summary'
arch=(x86_64 aarch64)
url='$url'
license=(MIT)
depends=($depends)
makedepends=(cmake)
source=('$files/$source')
sha256sums=('$source_sum')

build() {
  local levels=-DCAXTON_ARCH=none
  [[ \$CARCH != x86_64 ]] || levels=-DCAXTON_LEVELS=ON # fast on old and on new processors
  cmake -S "\$pkgname-\$pkgver" -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \\
    -DCAXTON_TESTS=OFF "\$levels"
  cmake --build build
}

check() {
  build/caxton go perft 3 | grep -q '^Nodes searched: 8902\$'
}

package() {
  DESTDIR="\$pkgdir" cmake --install build
  install -Dm644 "\$pkgname-\$pkgver/LICENSE" "\$pkgdir/usr/share/licenses/\$pkgname/LICENSE"
}
END
# What makepkg --printsrcinfo prints.
{
    printf 'pkgbase = caxton\n\tpkgdesc = %s\n\tpkgver = %s\n\tpkgrel = 1\n' "$summary" "$version"
    printf '\turl = %s\n\tarch = x86_64\n\tarch = aarch64\n\tlicense = MIT\n' "$url"
    printf '\tmakedepends = cmake\n'
    # shellcheck disable=SC2086
    printf '\tdepends = %s\n' $depends
    printf '\tsource = %s\n\tsha256sums = %s\n' "$files/$source" "$source_sum"
    printf '\npkgname = caxton\n'
} >recipes/arch/.SRCINFO
