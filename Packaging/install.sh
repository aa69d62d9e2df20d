#!/bin/sh
# Installs a release below a folder, or removes it again.
#
# usage: install.sh check PREFIX                       says if a folder cannot be written
#        install.sh install PREFIX DIST SHARE [FINAL]  installs the programs in DIST, and what is in SHARE
#        install.sh uninstall PREFIX                   removes what was installed
#
# FINAL is the folder from which the programs will run, if PREFIX is only a stage for it (DESTDIR). systemd's units name it.
# PREFIX/share/shcverify/installed lists the files that were installed, and the folders that were made for them. Only these are
# removed, and a folder only if it is empty.
set -eu

prefix=$2
list=share/shcverify/installed
folders="bin libexec/shcverify share/man/man1 share/bash-completion/completions share/zsh/site-functions
    share/fish/vendor_completions.d share/shcverify/schemas share/shcverify/examples lib/systemd/system"
units=$(dirname "$0")/systemd

check() {
    for name in $folders; do
        folder=$prefix/$name
        while [ ! -e "$folder" ]; do folder=$(dirname "$folder"); done
        if [ ! -d "$folder" ] || [ ! -w "$folder" ]; then
            echo "make: $folder is not a folder that you can write to. Call \"sudo make install\", or install elsewhere: make install PREFIX=\$HOME/.local" >&2
            exit 1
        fi
    done
}

# Makes a folder and those above it, and lists the new ones.
make_folder() {
    [ ! -d "$prefix/$1" ] || return 0
    case $1 in */*) make_folder "${1%/*}" ;; esac
    mkdir -m 755 "$prefix/$1"
    echo "$1/" >>"$new"
}

# Installs a file and lists it: put MODE SOURCE NAME
put() {
    make_folder "${3%/*}"
    install -m "$1" "$2" "$prefix/$3"
    echo "$3" >>"$new"
}

# Installs the units that update the lists: put_units FINAL. A path that systemd or the shell would read otherwise is left out.
put_units() {
    case $1 in
        [!/]* | *[!A-Za-z0-9/._+-]*)
            echo "make: without shcverify-update.service, which cannot name the folder $1" >&2
            return 0
            ;;
    esac
    for unit in shcverify-update.service shcverify-update.timer; do
        sed "s#/usr/bin/shcverify#$1/bin/shcverify#" "$units/$unit" >"$new.unit"
        put 644 "$new.unit" "lib/systemd/system/$unit"
    done
}

install_all() {
    new=$(mktemp)
    trap 'rm -f "$new" "$new.share" "$new.unit"' EXIT
    [ -d "$prefix" ] || { mkdir -p "$prefix" && echo . >>"$new"; }
    make_folder "${list%/*}"
    put 755 "$1/shcverify" bin/shcverify
    put 755 "$1/shcverify-fetch" libexec/shcverify/shcverify-fetch
    put 755 "$1/shcverify-scan" libexec/shcverify/shcverify-scan
    (cd "$2" && find . -type f) | sort | sed 's#^\./##' >"$new.share"
    while read -r name; do put 644 "$2/$name" "share/$name"; done <"$new.share"
    put_units "$3"
    if [ -f "$prefix/$list" ]; then
        # Files of an earlier version that this one does not have. Folders that were made for it are still ours.
        while read -r name; do
            case $name in
                # Nothing outside of PREFIX was installed, whatever the list says.
                /* | *..*) ;;
                */ | .) echo "$name" >>"$new" ;;
                *) grep -qxF -- "$name" "$new" || ! is_inside "$name" || rm -f -- "$prefix/$name" ;;
            esac
        done <"$prefix/$list"
    fi
    sort -u "$new" >"$prefix/$list"
    chmod 644 "$prefix/$list"
}

# Whether a listed name is in the prefix itself. A link in the prefix may lead anywhere, so nothing below one is removed.
is_inside() {
    case $1 in */) folder=$1 ;; *) folder=$(dirname -- "$1") ;; esac
    [ "$(realpath -m -- "$prefix/$folder")" = "$(realpath -ms -- "$(realpath -m -- "$prefix")/$folder")" ]
}

uninstall() {
    if [ ! -f "$prefix/$list" ]; then
        echo "make: nothing is installed in $prefix ($list is missing)" >&2
        exit 1
    fi
    listed=$(sort -r "$prefix/$list")
    rm -f "$prefix/$list"
    # A folder comes after everything in it, and the prefix last.
    echo "$listed" | while read -r name; do
        is_inside "$name" || continue
        case $name in
            /* | *..*) ;;
            .) rmdir --ignore-fail-on-non-empty "$prefix" ;;
            */) [ ! -d "$prefix/$name" ] || rmdir --ignore-fail-on-non-empty "$prefix/$name" ;;
            *) rm -f -- "$prefix/$name" ;;
        esac
    done
}

case $1 in
    check) check ;;
    install)
        check
        install_all "$3" "$4" "${5:-$prefix}"
        ;;
    uninstall) uninstall ;;
esac
