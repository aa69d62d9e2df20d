"""Tests the packages of a release as a user gets them: check-packages.py DIST PACKAGES [RELEASE...]

Checked are the packages (by lintian), the list of parts, `make install` and `make uninstall`, a container, and the packages in a
fresh chroot of each named release of Debian, in which SandboxProbe tries all sandboxes, and the service that updates the lists runs once. What the machine lacks (lintian,
buildah, debootstrap, the rights of root) is skipped, and said so.
"""

import gzip
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import manual
from contact import NOBODY
from contact import of as contact_of
from releases import ROOT, Installation, check_links
from updates import CODE, TABLES, Machine

MIRROR = os.environ.get("MIRROR") or "http://deb.debian.org/debian"


def run(*command, **options):
    """Runs a command, and ends with its output if it fails."""
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"check-packages: {' '.join(map(str, command))}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def is_missing(*programs):
    """Whether a program is missing; says which."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        print(f"  skipped: {', '.join(missing)} is not installed")
    return bool(missing)


def check_lintian(packages):
    if not is_missing("lintian"):
        # Static libraries of Swift contain code of others, which is intended.
        run("lintian", "--fail-on", "error", "--allow-root", *packages)


def check_parts(dist):
    """Checks the list of parts by the rules of SPDX 2.3, and against the programs."""
    document = json.loads((dist / "shcverify.spdx.json").read_text())
    fixed = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT"}
    if any(document[name] != value for name, value in fixed.items()) or not re.fullmatch(r"[a-z]+:[^#\s]+", document["documentNamespace"]):
        sys.exit("check-packages: the list of parts has a wrong head")
    time.strptime(document["creationInfo"]["created"], "%Y-%m-%dT%H:%M:%SZ")
    identifiers = {each["SPDXID"]: each for each in document["packages"]}
    if len(identifiers) != len(document["packages"]):
        sys.exit("check-packages: an identifier in the list of parts occurs twice")
    for each in document["packages"]:
        needed = ["name", "versionInfo", "downloadLocation", "filesAnalyzed", "licenseConcluded", "licenseDeclared", "copyrightText"]
        if any(each.get(name) in (None, "") for name in needed) or not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", each["SPDXID"]):
            sys.exit(f"check-packages: the part {each} is not complete")
    linked = {}
    for each in document["relationships"]:
        if each["relatedSpdxElement"] not in identifiers or each["spdxElementId"] not in {*identifiers, "SPDXRef-DOCUMENT"}:
            sys.exit(f"check-packages: the list of parts has no element for {each}")
        if each["relationshipType"] == "DYNAMIC_LINK":
            linked.setdefault(each["spdxElementId"], set()).add(each["comment"])
    for name in ("shcverify", "shcverify-fetch", "shcverify-scan"):
        own = identifiers[f"SPDXRef-Package-{name}"]
        if own["checksums"][0]["checksumValue"] != run("sha256sum", dist / name).split()[0]:
            sys.exit(f"check-packages: the list of parts is of another {name}")
        parts = {each["relatedSpdxElement"] for each in document["relationships"]
                 if each["spdxElementId"] == own["SPDXID"] and each["relationshipType"] == "STATIC_LINK"}
        if name != "shcverify-scan" and not any("libstdc--" in part for part in parts):
            sys.exit(f"check-packages: the list of parts does not list the C++ library in {name}")
        needed = {library for library in re.findall(r"NEEDED +(\S+)", run("objdump", "-p", dist / name)) if not library.startswith("ld-")}
        if linked[f"SPDXRef-Package-{name}"] != needed:
            sys.exit(f"check-packages: the list of parts does not list the libraries of {name}")
    for each in re.findall(r'package\(url: "[^"]*/([a-z-]+)", exact: "([0-9.]+)"', (ROOT / "Package.swift").read_text()):
        part = identifiers.get(f"SPDXRef-Package-{each[0]}")
        if each[0] != "swift-subprocess" and (part is None or part["versionInfo"] != each[1]):
            sys.exit(f"check-packages: the list of parts does not list {each[0]} {each[1]}")


def check_contact(dist, packages):
    """The program, the fields of the packages, SECURITY.md and the manual name the same person, or say that nobody was named. Links lead somewhere."""
    contact = contact_of(dist / "shcverify")
    for package in packages:
        fields = {name: run("dpkg-deb", "--field", package, name).strip() for name in ("Maintainer", "Homepage", "Description")}
        if (fields["Maintainer"], fields["Homepage"]) != (contact.address, contact.homepage or ""):
            sys.exit(f"check-packages: {package.name} has another contact than the program: {fields}")
        if (contact.words == NOBODY) != (NOBODY in " ".join(fields["Description"].split())):
            sys.exit(f"check-packages: {package.name} does not say plainly whom to ask: {fields}")
    with tempfile.TemporaryDirectory() as folder:
        run("dpkg-deb", "--extract", packages[0], folder)
        documents = Path(folder, "usr/share/doc/shcverify")
        if contact.page("## Reporting a weakness\n").strip() not in (documents / "SECURITY.md").read_text():
            sys.exit("check-packages: SECURITY.md in the package has another contact than the program")
        check_links(documents)
        if not Path(folder, "usr/share/shcverify/examples/serve-link.py").is_file():
            sys.exit("check-packages: the package has no example of a link")
        for page in Path(folder, "usr/share/man/man1").glob("*.gz"):
            if "\n".join([".SH REPORTING BUGS", *manual.running(contact.words), ""]) not in gzip.decompress(page.read_bytes()).decode():
                sys.exit(f"check-packages: {page.name} has another contact than the program")
    print(f"  {contact.words}")


def check_install():
    """`make install` and `make uninstall`, which must leave nothing. Without the right to write, nothing is built."""
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder, "usr/local")
        # What was there before stays, even if it is empty or has a similar name.
        foreign = [prefix / "bin", prefix / "share/man/man1/shcverify-other.1"]
        foreign[0].mkdir(parents=True)
        foreign[1].parent.mkdir(parents=True)
        foreign[1].touch()
        before = sorted(prefix.rglob("*"))
        run("make", "install", f"DESTDIR={folder}", cwd=ROOT)
        for name in ("bin/shcverify", "share/man/man1/shcverify-batch.1", "share/bash-completion/completions/shcverify",
                     "share/zsh/site-functions/_shcverify", "share/fish/vendor_completions.d/shcverify.fish",
                     "share/shcverify/schemas/batch.schema.json", "share/shcverify/examples/card.smart-health-card",
                     "lib/systemd/system/shcverify-update.service", "lib/systemd/system/shcverify-update.timer"):
            if not (prefix / name).is_file():
                sys.exit(f"check-packages: make install has not installed {name}")
        Installation("make install", [prefix / "bin/shcverify"], environment={"PATH": "/usr/bin:/bin", "HOME": folder}).check()
        run("make", "uninstall", f"DESTDIR={folder}", cwd=ROOT)
        after = sorted(prefix.rglob("*"))
        if after != before:
            sys.exit(f"check-packages: make uninstall has left {after}, and there was {before}")
        if os.geteuid() != 0:
            return
        Path(folder).chmod(0o755)
        unprivileged = subprocess.run(
            ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "make", "install", f"DESTDIR={folder}"],
            capture_output=True, text=True, cwd=ROOT)
        if unprivileged.returncode == 0 or "is not a folder that you can write to" not in unprivileged.stderr or "swift" in unprivileged.stdout:
            sys.exit(f"check-packages: make install without rights: {unprivileged.stdout}{unprivileged.stderr}")


def check_chroot(release, packages):
    """Installs the packages in a fresh chroot, and removes them again."""
    if os.geteuid() != 0:
        return print("  skipped: this is not root")
    if is_missing("debootstrap"):
        return None
    try:
        urllib.request.urlopen(f"{MIRROR}/dists/{release}/Release", timeout=60).close()
    except OSError as error:
        return print(f"  skipped: the mirror does not have {release}: {error}")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, release)
        run("debootstrap", "--variant=minbase", release, root, MIRROR)
        # The mount is of this process alone, so it ends with it.
        run("mount", "-t", "proc", "proc", root / "proc")
        try:
            check_in(root, release, packages)
        finally:
            run("umount", root / "proc")
    return None


def check_in(root, release, packages):
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "HOME": "/tmp", "LC_ALL": "C.UTF-8"}

    def inside(*command):
        return run("chroot", root, *command, env=environment)

    def can_install(package):
        return subprocess.run(["chroot", root, "apt-get", "install", "--simulate", f"./tmp/{package.name}", "./tmp/" + packages[0].name],
                              capture_output=True, env=environment).returncode == 0

    def place(path):
        copy = root / "tmp" / Path(path).name
        shutil.copy(path, copy)
        return f"/tmp/{copy.name}"

    # A minimal Debian does not have systemd. Without it running, units can still be checked and enabled.
    inside("apt-get", "install", "--yes", "-qq", "--no-install-recommends", "systemd")
    before = set(inside("dpkg-query", "--show").split())
    for package in packages:
        place(package)
    installed = [package for package in packages if can_install(package)]
    if packages[0] not in installed:
        sys.exit(f"check-packages: {packages[0].name} cannot be installed on {release}")
    for package in packages[1:]:
        if package not in installed:
            print(f"  {package.name} needs libraries that {release} does not have; build it there")
    inside("apt-get", "install", "--yes", "-qq", *(f"./tmp/{package.name}" for package in installed))
    Installation(release, ["chroot", root, "/usr/bin/shcverify"], place=place, has_scanner=len(installed) > 1, environment=environment).check()
    version = inside("shcverify", "--version")
    print("  " + version.replace("\n", "\n  ").strip())
    check_lanes(root, version)
    check_sandboxes(root)
    names = [package.name.split("_")[0] for package in installed]
    files = [name for package in names for name in inside("dpkg", "--listfiles", package).splitlines()]
    for name in ("man/man1/shcverify-batch.1.gz", "bash-completion/completions/shcverify", "zsh/vendor-completions/_shcverify",
                 "fish/vendor_completions.d/shcverify.fish", "doc/shcverify/copyright", "doc/shcverify/shcverify.spdx.json"):
        if f"/usr/share/{name}" not in files:
            sys.exit(f"check-packages: the packages do not have {name}")
    machine = Machine(root, release, environment)
    machine.check_units()
    judge_again = machine.check_service()
    inside("apt-get", "install", "--yes", "-qq", "--reinstall", *(f"./tmp/{package.name}" for package in installed))
    # The lists, and the choices of the administrator, stay.
    judge_again()
    machine.run("systemctl", "is-enabled", "shcverify-update.timer")
    inside("apt-get", "remove", "--yes", "-qq", *names)
    if not (root / "var/lib/shcverify/codes/code-lists").is_file():
        sys.exit(f"check-packages: removing the packages on {release} has removed the lists")
    inside("apt-get", "purge", "--yes", "-qq", *names)
    left = machine.left()
    if left or not before <= set(inside("dpkg-query", "--show").split()):
        sys.exit(f"check-packages: removing the packages has left {', '.join(left)}")


def check_sandboxes(root):
    """Tries in the chroot to leave the sandbox of each process, as root and as another user."""
    compiler = shutil.which("clang") or shutil.which("cc")
    if not compiler:
        return print("  skipped: there is no C compiler for SandboxProbe")
    folder = root / "tmp/sandbox"
    folder.mkdir()
    sources = [ROOT / "Tests/SandboxProbe/main.c", ROOT / "Sources/CPictures/scan_sandbox.c", *(ROOT / "Sources/CProcess").glob("*.c")]
    probe = folder / "probe"
    run(compiler, "-O1", f"-I{ROOT}/Sources/CProcess/include", f"-I{ROOT}/Sources/CPictures/include", *sources, "-lseccomp", "-pthread", "-o", probe)
    # The probe has a terminal of its own.
    run("mount", "-t", "devpts", "devpts", root / "dev/pts")
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            for user in ("0:0", "65534:65534"):
                for kind in ("decoder", "threaded", "program", "worker", "fetcher"):
                    file, allowed = folder / "file", folder / "allowed"
                    file.write_text("content")
                    allowed.mkdir()
                    for path in (folder, file, allowed, probe):
                        path.chmod(0o777)
                    command = ["chroot", f"--userspec={user}", root, "/tmp/sandbox/probe", kind, "/tmp/sandbox/file", server.getsockname()[1]]
                    printed = run(*command).replace("no Landlock\n", "  SandboxProbe did not try files: this kernel has no Landlock\n")
                    print(printed.removesuffix("done\n"), end="")
                    left = sorted(path.name for path in folder.rglob("*"))
                    if not re.fullmatch("(  SandboxProbe .*\n)?done\n", printed) or left != ["allowed", "file", "probe"] or file.read_text() != "content":
                        sys.exit(f"check-packages: the sandbox {kind} lets user {user} do this: {printed}{left}")
                    allowed.rmdir()
    finally:
        run("umount", root / "dev/pts")
        shutil.rmtree(folder)
    return None


def check_lanes(root, version):
    """Checks that crypto_mb is used if it was installed with the package, as on Debian 13, and if this processor can run it."""
    library = "/usr/lib/x86_64-linux-gnu/libcrypto_mb.so.11"
    words = re.search(r"^crypto_mb +(.*)$", version, re.M)[1]
    if not Path(str(root) + library).exists() or "avx512ifma" not in Path("/proc/cpuinfo").read_text():
        return print(f"  crypto_mb cannot be tried here: {words}")
    if not words.endswith(f", {library}"):
        sys.exit(f"check-packages: crypto_mb is installed, and {words}")
    return None


def check_container(dist):
    if is_missing("buildah"):
        return
    if os.geteuid() != 0:
        return print("  skipped: this is not root")
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, STORAGE_DRIVER="vfs", BUILDAH_ISOLATION="chroot", XDG_RUNTIME_DIR=folder)
        storage = ["--root", f"{folder}/images", "--runroot", f"{folder}/run"]
        tools = Path(folder, "bin")
        tools.mkdir()
        # Images are kept in a folder of this test, and not in that of the user.
        script = tools / "buildah"
        script.write_text(f"#!/bin/sh\nexec {shutil.which('buildah')} {' '.join(storage)} \"$@\"\n")
        script.chmod(0o755)
        environment["PATH"] = f"{tools}:{environment['PATH']}"
        print("  " + run(ROOT / "Packaging/container.sh", dist, "localhost/shcverify:test", env=environment).strip())
        container = run("buildah", "from", "--pull-never", "localhost/shcverify:test", env=environment).strip()
        shared = Path(folder, "shared")
        shared.mkdir(mode=0o755)
        Path(folder).chmod(0o755)

        def place(path):
            copy = shared / Path(path).name
            shutil.copy(path, copy)
            copy.chmod(0o644)
            return f"/shared/{copy.name}"

        command = ["buildah", "run", "--volume", f"{shared}:/shared:ro", container, "--", "/usr/bin/shcverify"]
        installation = Installation("container", command, place=place, environment=environment)
        installation.check()
        # The user of the image can install lists, in the folder at which a volume is mounted.
        table = Path(folder, "cvx.txt")
        table.write_text(TABLES["cvx.txt"], newline="")
        installation.expect(0, "codes", "update", "--from", place(table))
        installation.expect(0, "codes", "show", CODE)
        data = Path(run("buildah", "mount", container, env=environment).strip(), "home/shcverify/.local/share/shcverify")
        if data.stat().st_uid != 65532 or not (data / "codes/code-lists").is_file():
            sys.exit(f"check-packages: the lists of the container are not in {data}")
        run("buildah", "rm", container, env=environment)


def main(dist, packages, *releases):
    if os.geteuid() == 0 and "CHECK_PACKAGES" not in os.environ:
        # Mounts are seen by this process alone.
        os.environ["CHECK_PACKAGES"] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, "-B", *sys.argv])
    os.environ.pop("LD_LIBRARY_PATH", None)
    dist = Path(dist).resolve()
    # The package that the others need comes first.
    files = sorted(Path(packages).resolve().glob("shcverify*.deb"), key=lambda path: path.name.split("_")[0])
    for title, check in [
        ("lintian", lambda: check_lintian(files)), ("list of parts", lambda: check_parts(dist)), ("contact", lambda: check_contact(dist, files)),
        ("make install", check_install),
        *((f"packages on {release}", lambda release=release: check_chroot(release, files)) for release in releases),
        ("container", lambda: check_container(dist)),
    ]:
        start = time.monotonic()
        print(f"{title}:", flush=True)
        check()
        print(f"  done in {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
