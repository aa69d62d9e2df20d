"""Makes a release of small made-up programs, signs it with a key made on the spot, and verifies it by the commands in docs/releases.md.

Every byte that is changed must be refused, and so must what a user or a maintainer could take for a release: another key, another purpose of a
signature, programs of another commit, and a table of weaknesses that a program contradicts.
"""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Packaging"))

import archive  # noqa: E402
import deb  # noqa: E402
import sbom  # noqa: E402
import vex  # noqa: E402
from releases import check_links  # noqa: E402

VERSION = "1.0.0"
# The functions of libraries that the made-up programs call.
CALLS = {"shcverify": "OPENSSL_init_crypto compress2", "shcverify-fetch": "curl_easy_init", "shcverify-scan": "inflate"}


def expect(condition, message):
    if not condition:
        sys.exit(f"check-release-archive: {message}")


def refusal(action):
    """What a script says when it refuses to go on; None if it does not."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            action()
    except SystemExit as error:
        return str(error.code)
    return None


CONTACT = ["maintainer Jane Doe <jane@clinic.example>", "homepage  https://clinic.example/shcverify"]


def compile_program(path, calls, commit, contact=()):
    """Makes a program that says its version and its contact, and imports these functions."""
    lines = [f"void {name}(void);" for name in calls]
    said = r"\n".join([VERSION, f"commit    {commit}", *contact])
    source = "\n".join(["#include <stdio.h>", *lines, "int main(int count, char **words) {", "    if (count > 100) {",
                        *(f"        {name}();" for name in calls), "    }",
                        f'    puts("{said}");', "    return 0;", "}", ""])
    subprocess.run([os.environ.get("CLANG") or "clang", "-w", "-fno-builtin", "-x", "c", "-", "-o", path, "-Wl,--as-needed", "-lcrypto", "-lz", "-lcurl"],
                   input=source.encode(), check=True)


# Swift packages as in Package.resolved, which a new clone does not have.
PINS = {"pins": [{"identity": name, "location": f"https://example.org/{name}", "state": {"revision": "89" * 20, "version": "1.0.0"}}
                 for name in ("made-up-parser", *sorted(sbom.TESTS_ONLY))]}


def make_key(path):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "made up", "-f", path], check=True)
    return path


def page_commands():
    """The commands by which docs/releases.md tells a user to verify a release, with the output that it promises."""
    text = (ROOT / "docs/releases.md").read_text()
    block = re.search(r"```console\n(\$ ssh-keygen -Y verify.*?)```", text, re.S)[1]
    commands = [part.split("\n", 1) for part in re.split(r"^\$ ", block, flags=re.M)[1:]]
    expect(len(commands) == 2, "docs/releases.md no longer has two commands that verify a release")
    return commands


def verify(folder):
    """Whether both commands of the page succeed in a folder, and the first prints what the page says."""
    for number, (command, promised) in enumerate(page_commands()):
        run = subprocess.run(["/bin/sh", "-c", command], cwd=folder, capture_output=True, text=True, env=dict(os.environ, LC_ALL="C"))
        if run.returncode != 0:
            return False
        if number == 0:
            expect(run.stdout.startswith(promised.split("…")[0]), f"ssh-keygen says {run.stdout}, and the page {promised}")
    return True


def check_changes(out):
    """One byte changed anywhere makes the release one that is refused."""
    for path in sorted(out.iterdir()):
        if path.name == "allowed_signers":
            continue
        content = path.read_bytes()
        # In the signature, the middle is within its base64. Elsewhere any byte will do.
        for place in {len(content) // 2, len(content) // 3}:
            other = b"A" if content[place:place + 1] != b"A" else b"B"
            path.write_bytes(content[:place] + other + content[place + 1:])
            expect(not verify(out), f"{path.name} with another byte {place} is accepted")
        path.write_bytes(content)
    expect(verify(out), "the release is no longer accepted without changes")


def check_signatures(out, key, folder):
    """Another key, and a signature of the right key for another purpose."""
    signature = out / "SHA256SUMS.sig"
    right = signature.read_bytes()
    for name, signer, namespace in [("another key", make_key(folder / "other"), archive.NAMESPACE), ("another purpose", key, "file")]:
        signature.unlink()
        subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", signer, "-n", namespace, out / "SHA256SUMS"], check=True, capture_output=True)
        expect(not verify(out), f"a signature by {name} is accepted")
    # The script refuses what users would refuse.
    signature.unlink()
    said = refusal(lambda: archive.sign(out, folder / "other", out / "allowed_signers"))
    expect(said and "not one that users would accept" in said and not signature.exists(), f"a release signed by another key: {said}")
    signature.write_bytes(right)
    expect(verify(out), "the right signature is no longer accepted")


def check_contents(out, commit):
    """The provenance and the OpenVEX file have what their formats need, and are of these files."""
    statement = json.loads((out / f"shcverify-{VERSION}.provenance.json").read_text())
    expect((statement["_type"], statement["predicateType"]) == ("https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1"),
           "the provenance has a wrong type")
    subjects = {each["name"]: each["digest"]["sha256"] for each in statement["subject"]}
    sums = dict(reversed(line.split("  ")) for line in (out / "SHA256SUMS").read_text().splitlines())
    rest = {"SHA256SUMS", "SHA256SUMS.sig", "allowed_signers"}
    expect(set(sums) == {path.name for path in out.iterdir()} - rest, "SHA256SUMS does not list all files")
    expect(subjects == {name: value for name, value in sums.items() if "provenance" not in name}, "the provenance is of other files")
    build = statement["predicate"]["buildDefinition"]
    names = [each["name"] for each in build["resolvedDependencies"]]
    expect(build["externalParameters"]["commit"] == commit, "the provenance names another commit")
    expect({"made-up-parser", "shcverify", "swift"} <= set(names) and not sbom.TESTS_ONLY & set(names) and any(name.startswith("libssl") for name in names),
           f"the provenance lacks materials: {names}")
    expect("maintainers-own-machine" in statement["predicate"]["runDetails"]["builder"]["id"], "the provenance names another builder")
    document = json.loads((out / f"shcverify-{VERSION}.openvex.json").read_text())
    expect(document["@context"] == vex.CONTEXT and all(document[name] for name in ("@id", "author", "timestamp", "version", "statements")),
           "the OpenVEX file lacks a member")
    for each in document["statements"]:
        fine = each["status"] in ("fixed", "under_investigation") or each["status"] == "not_affected" and each["justification"] and each["impact_statement"]
        expect(fine and each["vulnerability"]["name"].startswith("CVE-") and each["products"][0]["subcomponents"], f"incomplete: {each}")
    with tarfile.open(next(out.glob("*.tar.gz"))) as packed:
        entries = {entry.name.split("/", 1)[-1]: entry for entry in packed}
        for name in ("bin/shcverify", "libexec/shcverify/shcverify-fetch", "libexec/shcverify/shcverify-scan"):
            expect(entries[name].mode == 0o755, f"{name} in the archive is not a program")
        for name in ("LICENSE", "copyright", "docs/releases.md", "share/man/man1/shcverify.1"):
            expect(entries[name].mode == 0o644, f"{name} in the archive has other rights")
        with tempfile.TemporaryDirectory() as folder:
            packed.extractall(folder)
            check_links(folder)
        expect(all((entry.uid, entry.gid, entry.mtime) == (0, 0, int(os.environ["SOURCE_DATE_EPOCH"])) for entry in entries.values()),
               "the archive depends on who made it, or when")


def check_contact(folder, share, pins, commit):
    """The packages and the archive name whom the program names; if it names nobody, they say so."""
    for contact in (CONTACT, CONTACT[:1], CONTACT[1:], []):
        with tempfile.TemporaryDirectory(dir=folder) as name:
            dist, packages, out = (Path(name, each) for each in ("dist", "packages", "out"))
            dist.mkdir()
            for program, calls in CALLS.items():
                compile_program(dist / program, calls.split(), commit[:12], contact)
            with contextlib.redirect_stdout(io.StringIO()):
                sbom.main(dist, pins, dist / "shcverify.spdx.json")
                deb.main(dist, share, packages)
                archive.make(dist, share, packages, out, commit, pins=pins)
            named = [row.split(None, 1)[1] for row in contact]
            fields = [deb.output("dpkg-deb", "--field", package) for package in packages.iterdir()]
            with tarfile.open(next(out.glob("*.tar.gz"))) as packed:
                page = packed.extractfile(next(each for each in packed.getnames() if each.endswith("/SECURITY.md"))).read().decode()
            for text in [page, *fields]:
                expect(all(each in text.replace("&lt;", "<").replace("&gt;", ">") for each in named), f"a contact is missing in {text}")
                expect(("whoever built it" in " ".join(text.split())) == (not contact), f"it is wrong that nobody was named: {text}")
            expect(all(("\nHomepage: " in text) == (CONTACT[1] in contact) for text in fields), "a package has another homepage")
            expect(all(("\nMaintainer: Jane " in text) == (CONTACT[0] in contact) for text in fields), "a package has another maintainer")


def check_table(dist, folder):
    """The table of weaknesses is believed only where the programs agree."""
    entry = {"id": "CVE-0000-0000", "library": "libz.so.1", "program": "shcverify", "reason": "Made up.", "source": "made up"}

    def made(**reason):
        table = folder / "table.json"
        table.write_text(json.dumps({"author": "made up", "reviewed": "2026-01-01", "vulnerabilities": [{**entry, **reason}]}))
        said = refusal(lambda: vex.main(dist, table, folder / "vex.json"))
        return said or json.loads((folder / "vex.json").read_text())["statements"][0]["status"]

    expect(made(absent=["inflateGetHeader"]) == "not_affected", "a function that is absent counts as present")
    expect("compress2" in made(absent=["compress*"]), "a function that the program imports counts as absent")
    expect("either" in made() and "either" in made(absent=[]) and "either" in made(absent=["x"], fixed=["1"]), "an entry without one reason is taken")
    expect("not linked" in made(absent=["x"], library="libnone.so.1"), "a library that the program does not have is taken")
    expect(made(fixed=["0.1"]) == "fixed", "a fix in an old version does not count")
    expect(made(fixed=["99.0"]) == "under_investigation", "a library before the fix counts as fixed")
    for version, fixes, debian, result in [
        ("3.0.9-1", ["3.0.9", "3.1.1"], None, True), ("3.0.8-1", ["3.0.9", "3.1.1"], None, False), ("3.1.0-1", ["3.0.9", "3.1.1"], None, False),
        ("3.5.0-1", ["3.0.9", "3.1.1"], None, True), ("1:1.2.13.dfsg-1", ["1.2.12"], None, True), ("1:1.2.11.dfsg-4", ["1.2.12"], None, False),
        ("7.88.1-10+deb12u4", ["8.4.0"], "7.88.1-10+deb12u4", True), ("7.88.1-10+deb12u3", ["8.4.0"], "7.88.1-10+deb12u4", False),
    ]:
        found = vex.is_fixed(version, {"fixed": fixes} | ({"debian": debian} if debian else {}))
        expect(found is result, f"version {version} with fixes in {fixes} counts as {'fixed' if found else 'not fixed'}")


def check_commit(folder):
    """Programs of another commit, and a folder with changes, give no release."""
    clone = folder / "clone"
    subprocess.run(["git", "init", "--quiet", clone], check=True)
    (clone / "file").write_text("one")

    def git(*words):
        return archive.output("git", "-c", "user.name=made up", "-c", "user.email=made@up.example", *words, cwd=clone)

    git("add", "file")
    git("commit", "--quiet", "--message", "One")
    commit = git("rev-parse", "HEAD").strip()
    expect(archive.source_commit(commit[:12], clone) == commit, "the own commit is refused")
    for said in ("0" * 12, "", f"{commit[:12]}-dirty"):
        expect("programs are of commit" in (refusal(lambda said=said: archive.source_commit(said, clone)) or ""), f"programs of {said} are taken")
    (clone / "file").write_text("two")
    expect("not committed" in (refusal(lambda: archive.source_commit(commit[:12], clone)) or ""), "a folder with changes is taken")


def main():
    os.environ.setdefault("SOURCE_DATE_EPOCH", "1700000000")
    commit = "0123456789abcdef0123456789abcdef01234567"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dist, share, packages, out = (folder / each for each in ("dist", "share", "packages", "out"))
        dist.mkdir()
        pins = folder / "Package.resolved"
        pins.write_text(json.dumps(PINS))
        for program, calls in CALLS.items():
            compile_program(dist / program, calls.split(), commit[:12])
        for each in ("man/man1/shcverify.1", "bash-completion/completions/shcverify", "shcverify/schemas/batch.schema.json"):
            (share / each).parent.mkdir(parents=True)
            (share / each).write_text("made up\n")
        with contextlib.redirect_stdout(io.StringIO()):
            sbom.main(dist, pins, dist / "shcverify.spdx.json")
            deb.main(dist, share, packages)
        key = make_key(folder / "key")

        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            archive.make(dist, share, packages, out, commit, pins=pins)
        expect("not signed" in said.getvalue() and "KEY=" in said.getvalue() and not (out / "SHA256SUMS.sig").exists(),
               "without a key, nothing says what is missing")
        first = {path.name: path.read_bytes() for path in out.iterdir()}
        # The public key stands for the maintainers' line, as the page describes it.
        words = " ".join(Path(f"{key}.pub").read_text().split()[:2])
        line = re.search(r"^`(\S+ namespaces=\S+) ssh-ed25519 AAAA…`$", (ROOT / "docs/releases.md").read_text(), re.M)[1]
        (folder / "signers").write_text(f"{line} {words}\n")
        other = folder / "another/folder/out"
        with contextlib.redirect_stdout(io.StringIO()):
            archive.make(dist, share, packages, other, commit, pins=pins)
            archive.sign(other, key, folder / "signers")
        second = {path.name: path.read_bytes() for path in other.iterdir() if path.name != "SHA256SUMS.sig"}
        expect(first == second, "a second archive differs from the first")
        (other / "allowed_signers").write_bytes((folder / "signers").read_bytes())
        expect(verify(other), "the release is not accepted")
        said = io.StringIO()
        (other / "SHA256SUMS.sig").unlink()
        with contextlib.redirect_stdout(said):
            archive.sign(other, key, folder / "none")
        expect((folder / "signers").read_text() in said.getvalue(), f"the line for allowed_signers is {said.getvalue()}")

        check_contents(other, commit)
        check_changes(other)
        check_signatures(other, key, folder)
        check_contact(folder, share, pins, commit)
        check_table(dist, folder)
        check_commit(folder)
    print("the archive is made, signed and verified, and changes are refused")


if __name__ == "__main__":
    main()
