#!/usr/bin/env bash
# Installs the Debian package of shcverify for the GitHub action (action.yml), whose inputs are in the environment.
#
# LINT_DEB is the path of the package, or its https URL. LINT_DEB_SHA256 is the digest that it must have, in hexadecimal. It may be empty for
# a path, but not for a URL.
set -euo pipefail

# Says what is wrong and ends.
fail() {
    printf 'install.sh: %s\n' "$1" >&2
    exit 64
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
package=$folder/shcverify.deb
case $LINT_DEB in
    https://*)
        [ -n "${LINT_DEB_SHA256-}" ] || fail 'a package from a URL needs its digest: give deb-sha256'
        curl --fail --silent --show-error --location --proto '=https' --proto-redir '=https' --max-time 300 --output "$package" -- "$LINT_DEB"
        ;;
    *://*) fail 'the URL of a package begins with https://' ;;
    *) cp -- "$LINT_DEB" "$package" ;;
esac
if [ -n "${LINT_DEB_SHA256-}" ]; then
    [ "$(sha256sum "$package" | cut -d ' ' -f 1)" = "$LINT_DEB_SHA256" ] || fail 'the package does not have the digest deb-sha256'
fi
# apt's own user reads the package.
chmod 755 "$folder" && chmod 644 "$package"
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get install --yes --quiet --no-install-recommends "$package"
shcverify --version
