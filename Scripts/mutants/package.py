"""A copy of the package in .build/mutants, with all mutants in it behind a switch.

It is built in the place of the package, if this user may make a mount namespace: then what was built there before is not built again.
"""

import os
import shutil
import subprocess
from pathlib import Path

import rows

# The file that each target with mutants gets in addition. The variable is read once.
SWITCH = """\
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

private let active = unsafe getenv("SHCVERIFY_MUTANT").flatMap { unsafe Int(String(cString: $0)) } ?? 0

/// Whether a mutant is active.
@inline(never)
func mutant(_ number: Int) -> Bool { active == number }
"""
SWITCH_NAME = "MutantSwitch.swift"
ENTER = 'mount --bind "$1" "$2" && cd "$2" && shift 2 && exec "$@"'


class Package:
    def __init__(self, root, swift):
        self.root, self.swift = root, swift
        self.folder = root / ".build" / "mutants" / "package"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.prefix = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
        self.prefix += ["bash", "-c", ENTER, "_", str(self.folder), str(root)]
        self.isMounted = shutil.which("unshare") is not None and subprocess.run(
            [*self.prefix, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0
        if not self.isMounted:
            self.prefix = []

    @property
    def place(self):
        """The path of the copy, as those see it who work in it."""
        return self.root if self.isMounted else self.folder

    def write(self, mutants):
        """Brings the copy up to date. A file that is the same is not touched, so that it is not compiled again."""
        files = subprocess.run(["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                               capture_output=True, check=True).stdout.decode().split("\0")
        files = [name for name in files if name and (self.root / name).is_file()]
        byFile = {}
        for mutant in mutants:
            byFile.setdefault(mutant.file, []).append(mutant)
        texts = {}
        for file, own in byFile.items():
            texts[file] = rows.changed((self.root / file).read_text(), own)
            texts["/".join([*file.split("/")[:2], SWITCH_NAME])] = SWITCH
        for name in {*files, *texts}:
            source, copy = self.root / name, self.folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            if name in texts:
                if not copy.exists() or copy.read_text() != texts[name]:
                    copy.write_text(texts[name])
            elif not copy.exists() or stamp(copy) != stamp(source):
                shutil.copy2(source, copy)
        for folder in ("Sources", "Tests"):
            for path in (self.folder / folder).rglob("*"):
                name = str(path.relative_to(self.folder))
                if path.is_file() and name not in texts and not (self.root / name).exists():
                    path.unlink()

    def seed(self):
        """Takes over what was built in the package, for the first build."""
        own, built = self.folder / ".build", self.root / ".build"
        if own.exists() or not self.isMounted or not (built / "debug").exists():
            return
        own.mkdir()
        debug = (built / "debug").resolve()
        names = ["artifacts", "build.db", "checkouts", "debug", "debug.yaml", "plugins", "repositories", "workspace-state.json"]
        for path in [built / name for name in names] + [debug]:
            if path.exists():
                copy = own / path.relative_to(built)
                copy.parent.mkdir(exist_ok=True)
                subprocess.run(["cp", "-a", "--reflink=auto", str(path), str(copy)], check=True)

    def build(self, targets):
        """Builds the tests of these targets, and returns the path of their program."""
        self.seed()
        environment = {**os.environ, "SHCVERIFY_TARGETS": ",".join(sorted(targets))}
        environment.pop("SHCVERIFY_MUTANT", None)
        log = self.folder.parent / "build.log"
        with log.open("w") as output:
            built = subprocess.run([*self.prefix, self.swift, "build", "--build-tests"], cwd=self.place, env=environment,
                                   stdout=output, stderr=subprocess.STDOUT, check=False)
        if built.returncode != 0:
            text = log.read_text()
            errors = [line for line in text.splitlines() if "error:" in line]
            raise rows.Problem("\n".join(dict.fromkeys(errors[:20])) or text[-4000:])
        return self.place / ".build" / "debug" / "shcverifyPackageTests.xctest"


def stamp(path):
    status = path.stat()
    return status.st_size, status.st_mtime_ns
