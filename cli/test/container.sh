#!/bin/bash
# container.sh CONTAINERFILE FOLDER PROJECT: does what the recipe says, line by line, in a Debian 12 made by debootstrap, with the
# packages (*.deb) of FOLDER, checks a function there, and builds and tests PROJECT, which finds Assay by find_package. No container
# engine is used. It takes minutes and a network, so it only runs where ASSAY_CHROOT_TESTS is set; it ends with 77 where it is not, and
# without root, debootstrap or packages.
set -euo pipefail
recipe="$(realpath "$1")" folder="$(realpath "$2")" project="$(realpath "$3")"
[[ "${ASSAY_CHROOT_TESTS:-}" ]] || { echo 'ASSAY_CHROOT_TESTS is not set'; exit 77; }
((EUID == 0)) || { echo 'not root'; exit 77; }
command -v debootstrap >/dev/null || { echo 'no debootstrap'; exit 77; }
compgen -G "$folder/*.deb" >/dev/null || { echo "no packages in $folder; cpack makes them"; exit 77; }

root="$(mktemp -d)"
stop() {
  umount "$root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap stop EXIT
release="$(sed -n 's/^FROM .*debian:\([0-9]*\).*/\1/p' "$recipe")"
[[ "$release" == 12 ]] || { echo "the recipe is for Debian '$release', this test for 12"; exit 1; }
debootstrap --variant=minbase bookworm "$root" ${ASSAY_DEBIAN_MIRROR:+"$ASSAY_DEBIAN_MIRROR"} >"$root.log" 2>&1 ||
  { tail -n 20 "$root.log"; rm -f "$root.log"; exit 1; }
rm -f "$root.log"
# The sources and the access to them of this machine: the image of the recipe has the security suite as well.
cp -rL /etc/apt/. "$root/etc/apt/"
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
mount -t proc proc "$root/proc"

inside() { # in the working folder of the recipe
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive ${proxies[@]+"${proxies[@]}"} \
    sh -c "cd '$place' && $1"
}
mapfile -t proxies < <(env | grep -iE '^(https?|no)_proxy=' || true)
place=/
entry=
while IFS= read -r line; do
  case "$line" in
  'COPY *.deb '*) mkdir -p "$root${line##* }" && cp "$folder"/*.deb "$root${line##* }" ;;
  'RUN '*) inside "${line#RUN }" ;;
  'WORKDIR '*) place="${line#WORKDIR }" && mkdir -p "$root$place" ;;
  'ENTRYPOINT ["'*) entry="$(sed 's/ENTRYPOINT \["\(.*\)"\]/\1/' <<<"$line")" ;;
  'CMD ["'* | 'FROM '* | '#'* | '') ;;
  *) echo "the test does not know the line: $line" && exit 1 ;;
  esac
done <"$recipe"
[[ "$entry" ]] || { echo 'the recipe has no ENTRYPOINT'; exit 1; }
printf 'double square(double x) { return x * x; }\n' >"$root$place/square.c"
begin=$SECONDS
inside "$entry check square.c --all --plain" | tail -n 1 | tee "$root/last"
grep -q ' 0 failed, 0 undecided$' "$root/last"
((SECONDS - begin < 30)) || { echo 'the first check takes half a minute'; exit 1; }

cp -r "$project" "$root$place/consumer"
inside 'apt-get update -qq && apt-get install -qq -y --no-install-recommends cmake ninja-build >/dev/null'
inside 'cmake -S consumer -B consumer/build -G Ninja -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 >/dev/null && cmake --build consumer/build && ctest --test-dir consumer/build --output-on-failure'
