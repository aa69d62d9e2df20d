#!/usr/bin/env python3
"""Makes what a release publishes: archive.py DIST SHARE PACKAGES OUT [KEY]

DIST has the programs and their list of parts (sbom.py), SHARE the manual, the completions, the schemas and the examples, and PACKAGES the Debian
packages. OUT gets an archive of the programs, the packages, the list of parts (SPDX), what is known of weaknesses (OpenVEX), the provenance
(in-toto, SLSA), and SHA256SUMS of all of these, which ssh-keygen signs with KEY. That is a private key, or a public one whose private half
is in ssh-agent. The files depend only on the commit and the programs, and on SOURCE_DATE_EPOCH; the signature on the key too.
"""

import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import contact
import pages
import vex

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = {"shcverify": "bin", "shcverify-fetch": "libexec/shcverify", "shcverify-scan": "libexec/shcverify"}
OTHERS = ["LICENSE", "CHANGELOG.md"]
NAMESPACE = "shcverify-release"
IDENTITY = "maintainers@shcverify.example"
# The keys of the maintainers, as soon as there is one.
SIGNERS = ROOT / "Packaging/allowed_signers"
SUMS = "SHA256SUMS"


def output(*command, **options):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True, **options).stdout


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_json(path, document):
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def source_commit(said, root=ROOT):
    """The commit of the files here, which must be that of the programs, without changes."""
    if output("git", "status", "--porcelain", "--untracked-files=no", cwd=root):
        sys.exit("archive: there are changes that are not committed, so nobody could repeat this build")
    commit = output("git", "rev-parse", "HEAD", cwd=root).strip()
    if len(said) < 12 or not commit.startswith(said):
        sys.exit(f"archive: the programs are of commit {said}, and this folder is at {commit}")
    return commit


def make_archive(name, dist, share, file, date):
    """Packs the programs and what belongs to them in the folders in which they run."""
    files = {f"{place}/{program}": dist / program for program, place in PROGRAMS.items()}
    files |= {f"share/{path.relative_to(share)}": path for path in share.rglob("*") if path.is_file()}
    files["copyright"] = ROOT / "Packaging/copyright"
    texts = pages.pages(contact.of(dist / "shcverify"), {page: page for page in OTHERS})
    files |= {page: ROOT / page for page in texts}
    folders = {str(parent) for each in files for parent in Path(each).parents} - {"."}
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for each in sorted({*files, *folders, ""}):
            entry = tarfile.TarInfo(f"{name}/{each}".rstrip("/"))
            entry.mtime, entry.uname, entry.gname = date, "root", "root"
            if each not in files:
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
                continue
            content = texts[each].encode() if each in texts else files[each].read_bytes()
            entry.size, entry.mode = len(content), 0o755 if Path(each).name in PROGRAMS else 0o644
            archive.addfile(entry, io.BytesIO(content))
    file.write_bytes(gzip.compress(plain.getvalue(), 9, mtime=0))


def provenance(subjects, commit, version, parts, pins, date):
    """What was built from what, as an in-toto statement with SLSA's predicate. It is a claim of the maintainer, and not of a service."""
    packages = parts["packages"]
    toolchain = next(each["versionInfo"] for each in packages if each["name"] == "swift-runtime")
    linked = {each["name"] for each in packages}
    swift = [{"name": pin["identity"], "uri": f"git+{pin['location']}", "digest": {"gitCommit": pin["state"]["revision"]},
              "annotations": {"version": pin["state"]["version"]}} for pin in pins if pin["identity"] in linked]
    debian = [{"name": each["name"], "uri": reference["referenceLocator"]} for each in packages for reference in each.get("externalRefs", [])
              if reference["referenceLocator"].startswith("pkg:deb/")]
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": path.name, "digest": {"sha256": digest(path)}} for path in subjects],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:shcverify:build:make-release-archive:1",
                "externalParameters": {"command": "make release-archive", "version": version, "commit": commit},
                "internalParameters": {"SOURCE_DATE_EPOCH": date},
                "resolvedDependencies": [
                    {"name": "shcverify", "digest": {"gitCommit": commit}}, *swift,
                    {"name": "swift", "uri": "https://www.swift.org/install/", "annotations": {"version": toolchain}}, *debian],
            },
            "runDetails": {
                # No build service has made this, and none vouches for it.
                "builder": {"id": "urn:shcverify:builder:the-maintainers-own-machine", "version": {"swift": toolchain}},
            },
        },
    }


def public_key(key):
    """The public half of a key, without its comment."""
    beside = Path(key if str(key).endswith(".pub") else f"{key}.pub")
    text = beside.read_text() if beside.is_file() else output("ssh-keygen", "-y", "-f", key)
    return " ".join(text.split()[:2])


def sign(out, key, signers=SIGNERS):
    """Signs SHA256SUMS, and verifies the signature as a user would."""
    signature = out / f"{SUMS}.sig"
    if subprocess.run(["ssh-keygen", "-Y", "sign", "-f", key, "-n", NAMESPACE, out / SUMS]).returncode != 0:
        sys.exit("archive: ssh-keygen has not signed SHA256SUMS")
    if signers.is_file():
        command = ["ssh-keygen", "-Y", "verify", "-f", signers, "-I", IDENTITY, "-n", NAMESPACE, "-s", signature]
    else:
        command = ["ssh-keygen", "-Y", "check-novalidate", "-n", NAMESPACE, "-s", signature]
    if subprocess.run(command, input=(out / SUMS).read_bytes()).returncode != 0:
        signature.unlink()
        sys.exit(f"archive: the signature is not one that users would accept ({signers.name} has the keys that they know)")
    if not signers.is_file():
        print(f"There is no {signers.name} in Packaging/ yet. Commit it with this line, and publish the line elsewhere too:")
        print(f'{IDENTITY} namespaces="{NAMESPACE}" {public_key(key)}')


def make(dist, share, packages, out, commit, key=None, pins=ROOT / "Package.resolved"):
    """Makes all files in OUT, from which those of an earlier run are removed."""
    date = int(os.environ["SOURCE_DATE_EPOCH"])
    parts = json.loads((dist / "shcverify.spdx.json").read_text())
    own = {each["name"]: each for each in parts["packages"] if each["name"] in PROGRAMS}
    for program in PROGRAMS:
        if own[program]["checksums"][0]["checksumValue"] != digest(dist / program):
            sys.exit(f"archive: the list of parts is of another {program}")
    version = own["shcverify"]["versionInfo"]
    debs = sorted(packages.glob(f"shcverify*_{version}-*.deb"))
    if len(debs) != 2:
        sys.exit(f"archive: {packages} does not have the two packages of version {version}")
    architecture = debs[0].stem.split("_")[-1]
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    name = f"shcverify-{version}-linux-{architecture}"
    make_archive(name, dist, share, out / f"{name}.tar.gz", date)
    for path in debs:
        shutil.copyfile(path, out / path.name)
    shutil.copyfile(dist / "shcverify.spdx.json", out / f"shcverify-{version}.spdx.json")
    vex.main(dist, ROOT / "Packaging/vulnerabilities.json", out / f"shcverify-{version}.openvex.json")
    pinned = json.loads(pins.read_text())["pins"]
    write_json(out / f"shcverify-{version}.provenance.json", provenance(sorted(out.iterdir()), commit, version, parts, pinned, date))
    (out / SUMS).write_text("".join(f"{digest(path)}  {path.name}\n" for path in sorted(out.iterdir())))
    for path in sorted(out.iterdir()):
        print(os.path.relpath(path))
    if key is None:
        print("archive: SHA256SUMS is not signed. To sign it, name the key of the maintainer: make release-archive KEY=path")
    else:
        sign(out, key)


def main(dist, share, packages, out, key=None):
    dist = Path(dist)
    words = output(dist / "shcverify", "--version").splitlines()
    commit = source_commit(next(line.split()[1] for line in words if line.startswith("commit ")))
    make(dist, Path(share), Path(packages), Path(out), commit, key)


if __name__ == "__main__":
    main(*sys.argv[1:])
