#!/usr/bin/env bash
# Makes a container image of a release with buildah: container.sh DIST TAG
#
# The image has the three programs, the programs that read PDF and SVG, the shared libraries that they need, and the certificate
# authorities. There is no shell and no package manager in it.
set -euo pipefail

dist=$1 tag=$2
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# Copies a program or a file to the same path, or to another one.
add() {
    install -D --mode="$1" "$2" "$root${3:-$2}"
}

programs=("$dist/shcverify" "$dist/shcverify-fetch" "$dist/shcverify-scan" /usr/bin/pdfinfo /usr/bin/pdftoppm /usr/bin/rsvg-convert)
add 755 "$dist/shcverify" /usr/bin/shcverify
for program in shcverify-fetch shcverify-scan; do
    add 755 "$dist/$program" "/usr/libexec/shcverify/$program"
done
for program in pdfinfo pdftoppm rsvg-convert; do
    add 755 "/usr/bin/$program"
done
ldd "${programs[@]}" | grep -oE '(^|[[:space:]])/[^[:space:]]+ \(' | tr -d ' \t(' | sort -u | while read -r library; do
    add 755 "$library"
done
add 644 /etc/ssl/certs/ca-certificates.crt
add 644 /etc/ssl/openssl.cnf
mkdir -p "$root/usr/lib/ssl" && ln -s /etc/ssl/openssl.cnf "$root/usr/lib/ssl/openssl.cnf"
printf 'shcverify:x:65532:65532::/home/shcverify:/usr/bin/shcverify\n' > "$root/etc/passwd"
printf 'shcverify:x:65532:\n' > "$root/etc/group"
# A volume for lists that is mounted there gets the owner of this folder.
mkdir -p "$root/home/shcverify/.local/share/shcverify" "$root/work" "$root/proc" "$root/dev"
mkdir -m 1777 "$root/tmp"

container=$(buildah from scratch)
trap 'rm -rf "$root"; buildah rm "$container" >/dev/null' EXIT
buildah copy --quiet "$container" "$root" / >/dev/null
buildah copy --quiet --chown 65532:65532 "$container" "$root/home/shcverify" /home/shcverify >/dev/null
# Whom to ask, as the program says.
labels=()
{ read -r maintainer; read -r homepage; } < <(/usr/bin/python3 -B "$(dirname "$0")/contact.py" "$dist/shcverify")
[ -z "$maintainer" ] || labels+=(--label "org.opencontainers.image.authors=$maintainer")
[ -z "$homepage" ] || labels+=(--label "org.opencontainers.image.url=$homepage")
buildah config --user 65532:65532 --env HOME=/home/shcverify --workingdir /work --entrypoint '["/usr/bin/shcverify"]' --cmd --help \
    --label org.opencontainers.image.title=shcverify --label org.opencontainers.image.licenses=Apache-2.0 "${labels[@]}" "$container"
buildah commit --quiet --timestamp "${SOURCE_DATE_EPOCH:-0}" "$container" "$tag" >/dev/null
echo "$tag: $(du -sm "$root" | cut -f 1) MB"
