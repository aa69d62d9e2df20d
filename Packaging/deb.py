#!/usr/bin/env python3
"""Makes the Debian packages shcverify and shcverify-scan of a release: deb.py DIST SHARE OUT

DIST has the programs and their list of parts (sbom.py), SHARE the manual and the completions, and OUT gets the packages. The dependencies are those of the
distribution on which the programs were built. The packages depend only on these files, and on SOURCE_DATE_EPOCH.
"""

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import contact
import pages

ROOT = Path(__file__).resolve().parent.parent
REVISION = "1"

PACKAGES = {
    "shcverify": {
        "programs": {"shcverify": "usr/bin", "shcverify-fetch": "usr/libexec/shcverify"},
        "files": {"shcverify-update.service": "usr/lib/systemd/system", "shcverify-update.timer": "usr/lib/systemd/system"},
        # These belong to the administrator as soon as they are installed.
        "settings": {"shcverify-update.default": "etc/default/shcverify-update"},
        "scripts": ["postinst", "prerm", "postrm"],
        "fields": ["Depends: {libraries}, ca-certificates", "Recommends: libcrypto-mb11, shcverify-scan"],
        "description": """verifier of SMART Health Cards and EU Digital COVID Certificates
 shcverify reads a card in any of its forms, gets the issuer's key, checks the
 signature, and says whether the card is genuine, whose it is and what it
 records. Scripts use its exit code. It also checks cards, keys and
 directories of issuers for conformance with the specifications.""",
    },
    "shcverify-scan": {
        "programs": {"shcverify-scan": "usr/libexec/shcverify"},
        "fields": ["Depends: {libraries}, shcverify (= {version})", "Recommends: librsvg2-bin, poppler-utils",
                   "Enhances: shcverify"],
        "description": """reader of pictures and PDF documents for shcverify
 With this package, shcverify takes cards from pictures and PDF documents. They
 are decoded in a process of their own, with limits on memory, time, files and
 system calls.""",
    },
}

NOBODY = "\n .\n " + contact.NOBODY.replace(": ", ":\n ")


def output(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def libraries(programs):
    """The packages of the libraries that the programs are linked with."""
    with tempfile.TemporaryDirectory() as folder:
        # dpkg-shlibdeps wants a source package around it.
        control = Path(folder, "debian/control")
        control.parent.mkdir()
        control.write_text("Source: shcverify\n\nPackage: shcverify\nArchitecture: any\n")
        words = output("dpkg-shlibdeps", "-O", *(f"-e{program}" for program in programs), cwd=folder)
    return re.search(r"shlibs:Depends=(.*)", words)[1]


def put(source, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, path)


def pack(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data, 9, mtime=0))


def changelog(version, date, maintainer):
    words = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(date))
    return f"shcverify ({version}) unstable; urgency=medium\n\n  * Version {version.split('-')[0]}; see changelog.gz.\n\n -- {maintainer}  {words}\n"


def build(name, dist, share, out, version, date, reports):
    package = PACKAGES[name]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, name)
        programs = []
        for program, place in package["programs"].items():
            path = root / place / program
            put(dist / program, path)
            path.chmod(0o755)
            programs.append(path)
        for file, place in package.get("files", {}).items():
            put(ROOT / "Packaging/systemd" / file, root / place / file)
        for file, place in package.get("settings", {}).items():
            put(ROOT / "Packaging/systemd" / file, root / place)
        documents = root / "usr/share/doc" / name
        pack(documents / "changelog.Debian.gz", changelog(version, date, reports.address).encode())
        shutil.copy(ROOT / "Packaging/copyright", documents / "copyright")
        if name == "shcverify":
            pack(documents / "changelog.gz", (ROOT / "CHANGELOG.md").read_bytes())
            shutil.copy(dist / "shcverify.spdx.json", documents)
            for page, text in pages.pages(reports, {"CHANGELOG.md": "changelog.gz", "LICENSE": "copyright"}).items():
                (documents / page).parent.mkdir(parents=True, exist_ok=True)
                (documents / page).write_text(text)
            # Debian's zsh looks for the completions of packages in a folder of its own.
            for path in sorted(path for path in share.rglob("*") if path.is_file()):
                target = str(path.relative_to(share)).replace("zsh/site-functions", "zsh/vendor-completions")
                place = root / "usr/share" / target
                if path.suffix == ".1":
                    pack(place.with_name(f"{path.name}.gz"), path.read_bytes())
                else:
                    put(path, place)
        files = [path for path in root.rglob("*") if path.is_file()]
        for path in root.rglob("*"):
            path.chmod(0o755 if path.is_dir() or path in programs else 0o644)
        root.chmod(0o755)
        architecture = output("dpkg", "--print-architecture").strip()
        fields = [f"Package: {name}", "Source: shcverify" if name != "shcverify" else None, f"Version: {version}",
                  "Section: utils", "Priority: optional", f"Architecture: {architecture}", f"Maintainer: {reports.address}",
                  f"Installed-Size: {sum(-(-path.stat().st_size // 1024) for path in files)}",
                  *(field.format(libraries=libraries(programs), version=version) for field in package["fields"]),
                  f"Homepage: {reports.homepage}" if reports.homepage else None,
                  f"Description: {package['description']}" + ("" if reports.maintainer or reports.homepage else NOBODY)]
        control = root / "DEBIAN/control"
        control.parent.mkdir(mode=0o755)
        control.write_text("".join(f"{field}\n" for field in fields if field))
        settings = package.get("settings", {}).values()
        names = [str(path.relative_to(root)) for path in sorted(files)]
        sums = [f"{output('md5sum', root / name).split()[0]}  {name}\n" for name in names if name not in settings]
        (root / "DEBIAN/md5sums").write_text("".join(sums))
        if settings:
            (root / "DEBIAN/conffiles").write_text("".join(f"/{place}\n" for place in settings))
        for script in package.get("scripts", []):
            put(ROOT / "Packaging/debian" / script, root / "DEBIAN" / script)
        for path in control.parent.iterdir():
            path.chmod(0o755 if path.name in package.get("scripts", []) else 0o644)
        file = out / f"{name}_{version}_{architecture}.deb"
        # One thread, so that the compressed file does not depend on the number of processors.
        output("dpkg-deb", "--root-owner-group", "--threads-max=1", "-Zxz", "--build", root, file,
               env=dict(os.environ, SOURCE_DATE_EPOCH=str(date)))
        return file


def main(dist, share, out):
    dist, share, out = Path(dist).resolve(), Path(share).resolve(), Path(out).resolve()
    said = output(dist / "shcverify", "--version")
    version, reports = said.split("\n")[0] + f"-{REVISION}", contact.Contact(said)
    date = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("shcverify*.deb"):
        old.unlink()
    for name in PACKAGES:
        print(os.path.relpath(build(name, dist, share, out, version, date, reports)))


if __name__ == "__main__":
    main(*sys.argv[1:])
