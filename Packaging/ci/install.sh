#!/usr/bin/env bash
# Installs the Debian packages of shcverify for the GitHub action (action.yml), whose inputs are in the environment.
#
# LINT_DEB has packages, one on each line, as paths or https URLs. LINT_DEB_SHA256 has the digests that they must have, in hexadecimal, one on
# each line in the same order. It may be empty if there is no URL.
set -euo pipefail

# Says what is wrong and ends.
fail() {
    printf 'install.sh: %s\n' "$1" >&2
    exit 64
}

# Says what is wrong with this system and ends.
fail_system() {
    printf 'install.sh: %s\n' "$1" >&2
    exit 1
}

sources=() digests=()
while IFS= read -r line; do
    [ -z "$line" ] || sources+=("$line")
done <<<"$LINT_DEB"
while read -r line; do
    [ -z "$line" ] || digests+=("$line")
done <<<"${LINT_DEB_SHA256-}"
[ ${#sources[@]} -gt 0 ] || fail 'no package is named'
[ ${#digests[@]} = 0 ] || [ ${#digests[@]} = ${#sources[@]} ] || fail 'deb-sha256 needs a digest for each package in deb'
for source in "${sources[@]}"; do
    case $source in
        https://*) [ ${#digests[@]} -gt 0 ] || fail 'a package from a URL needs its digest: give deb-sha256' ;;
        *://*) fail 'the URL of a package begins with https://' ;;
    esac
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
packages=()
for place in "${!sources[@]}"; do
    source=${sources[place]} package=$folder/$place.deb
    case $source in
        https://*) curl --fail --silent --show-error --location --proto '=https' --proto-redir '=https' --max-time 300 --output "$package" -- "$source" ;;
        *) cp -- "$source" "$package" ;;
    esac
    if [ ${#digests[@]} -gt 0 ]; then
        # The digest may be written in capitals.
        digest=${digests[place],,}
        [ "$(sha256sum "$package" | cut -d ' ' -f 1)" = "$digest" ] || fail "package $((place + 1)) does not have its digest in deb-sha256"
    fi
    packages+=("$package")
done
# The message of apt would name the version of a package among many other lines.
have=$(dpkg-query --show --showformat='${Version}' libc6 2>/dev/null || true)
for place in "${!packages[@]}"; do
    need=$(dpkg-deb --field "${packages[place]}" Depends 2>/dev/null | tr ',' '\n' | sed -n 's/^ *libc6 (>= \([^)]*\)).*/\1/p' | head -n 1 || true)
    if [ -n "$have" ] && [ -n "$need" ] && dpkg --compare-versions "$have" lt "$need"; then
        fail_system "package $((place + 1)) needs a C library (libc6) of version $need, and this system has $have. Use a newer system, or a package built on this one"
    fi
done
# apt's own user reads the packages.
chmod 755 "$folder" && chmod 644 "${packages[@]}"
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
# The packages depend on others, whose lists may be old. If one of several sources of lists fails, the installation may still work.
"${as_root[@]}" apt-get update --quiet || printf 'install.sh: not all package lists could be updated\n' >&2
"${as_root[@]}" apt-get install --yes --quiet --no-install-recommends "${packages[@]}"
shcverify --version || fail_system 'shcverify was installed, but cannot run on this system'
