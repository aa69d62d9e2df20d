#!/usr/bin/env python3
"""Checks the table "Where to add something" in ARCHITECTURE.md: each row is tried.

    Scripts/check-places.py             checks
    Scripts/check-places.py edit NAME   makes a copy of the sources in .build/places/edit, with Tests/Places/NAME.patch as far as it applies
    Scripts/check-places.py save NAME   writes what was changed there to the patch

Each row has a patch in Tests/Places, which does what somebody would do who adds such a thing. Its first line is the first cell of the row. The patches
are applied to a copy of the sources in .build/places, and all of it is compiled together, without optimisation. C++ is only looked at, if the libraries of pictures
are installed. A patch may make files only in the folders of its row, and change only the files that the row names, of which at most three are in Sources/. If
the compiler asks for a change in another file, the row is wrong. If nothing has changed since the last time, nothing is built.

Of each row, the suites of tests and the pages of Tests/Sessions exist too. The exit code is 1 if one of these rules is broken.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATCHES = ROOT / "Tests/Places"
PLACE = ROOT / ".build/places"
# What the build needs, and what the rows name.
COPIED = ["Package.resolved", "Package.swift", "Schemas", "Sources", "docs"]
MOST = 3
PROGRAMS = ["shcverify", "shcverify-fetch"]
SWIFT = os.environ.get("SWIFT", "swift")
CLANG = os.environ.get("CLANG") or str(pathlib.Path(shutil.which(SWIFT) or "/usr/bin/swift").with_name("clang"))
# The copy is in a folder that git ignores, and git must not look for a repository above it.
ENVIRONMENT = {**os.environ, "GIT_CEILING_DIRECTORIES": str(PLACE)}
HOW = "correct it with Scripts/check-places.py edit {0}, then save {0} (CONTRIBUTING.md)"


class Row:
    def __init__(self, line):
        self.what, new, changed, self.guards = [cell.strip() for cell in line.strip("|").split("|")]
        self.new = re.findall(r"`([^`]+/)`", new)
        self.makes_target = "target" in new
        self.floor = (re.findall(r"on floor (\d)", new) or [None])[0]
        named = [place for place in re.findall(r"`([^`]+)`( \(or)?", changed) if "/" in place[0] or place[0].endswith(".md")]
        self.changed = [name for name, _ in named]
        # Those for which the row names no other place.
        self.needed = [name for name, other in named if not other]
        self.sources = [name for name in self.changed if name.startswith("Sources/")]

    def problems(self, tests):
        if not 1 <= len(self.sources) <= MOST:
            yield f"{len(self.sources)} files of Sources/ change, and 1 to {MOST} should"
        yield from (f"there is no {path}" for path in self.new + self.changed if not (ROOT / path).exists())
        suites, pages = re.findall(r"`(\w+)`", self.guards), re.findall(r"`([\w-]+\.md)`", self.guards)
        yield from (f"there is no page {page} in Tests/Sessions" for page in pages if not (ROOT / "Tests/Sessions" / page).exists())
        yield from (f"there is no suite {suite}" for suite in suites if not re.search(rf"(?:struct|class|enum) {suite}\b", tests))
        if not suites and not pages:
            yield "no test guards it"


class Patch:
    def __init__(self, path):
        self.path, self.name, text = path, path.stem, path.read_text()
        self.what = text.splitlines()[0]
        self.place = f"{self.what} ({path.relative_to(ROOT)})"
        head, diff, rest = text.partition("diff --git")
        self.head, self.diff = head.rstrip() + "\n\n", diff + rest
        # The lines that are added to each file, and which of the files are new.
        self.added, self.created, name = {}, [], None
        for line in text.splitlines():
            if line.startswith("+++ b/"):
                name = line[6:]
                self.added[name] = set()
            elif line.startswith("+++ "):
                self.added[line] = set()
            elif line.startswith("+") and name:
                self.added[name].add(line[1:])
        for part in text.split("\ndiff --git ")[1:]:
            if "\nnew file mode" in part:
                self.created.append(re.search(r"\n\+\+\+ b/(.*)", part)[1])
        self.targets = sorted({name.split("/")[1] for name in self.created if not (ROOT / "/".join(name.split("/")[:2])).exists()})

    def problems(self, row):
        """What the patch touches, and the row does not name."""
        for name in self.added:
            folders = row.new + [f"Sources/{target}/" for target in self.targets if row.makes_target]
            if name in self.created:
                if not any(name.startswith(folder) for folder in folders):
                    yield f"it makes {name}, and the row has no such place"
            elif not any(name == place or place.endswith("/") and name.startswith(place) for place in row.changed):
                if not (self.targets and name == "Package.swift"):
                    yield f"it changes {name}, which the row does not name"
        changed = [name for name in self.added if name.startswith("Sources/") and name not in self.created]
        if len(changed) > MOST:
            yield f"it changes {len(changed)} files of Sources/, and at most {MOST} should"
        for place in row.needed:
            if not any(name.startswith(place) for name in self.added):
                yield f"it does not change {place}, which the row names"
        if (row.new or row.makes_target) and not self.created:
            yield "it makes no file, and the row says where"
        if row.makes_target and not self.targets:
            yield "it makes no target"


def rows():
    text = (ROOT / "ARCHITECTURE.md").read_text()
    section = text[text.index("## Where to add something"):text.index("## Decisions")]
    return [Row(line) for line in section.splitlines() if line.startswith("| ")][1:]


def copy(to):
    """Copies the sources to an empty folder."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *COPIED], capture_output=True, check=True)
    shutil.rmtree(to, ignore_errors=True)
    for name in sorted(set(listed.stdout.decode().split("\0"))):
        if name and (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, to / name)


def files(folder):
    return {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file() and ".build" not in path.parts[len(folder.parts):]}


def bring_up_to_date(tree, wanted):
    """Makes a folder equal to another. A file that is the same is not touched, so that it is not compiled again."""
    tree.mkdir(parents=True, exist_ok=True)
    old, new = files(tree), files(wanted)
    for name in old.keys() - new.keys():
        old[name].unlink()
    for name, path in new.items():
        content = path.read_bytes()
        if name not in old or old[name].read_bytes() != content:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_bytes(content)


def floor(package, target):
    """The floor of a target, by the comments in Package.swift."""
    before = package[:package.rfind(f'name: "{target}"')]
    return (re.findall(r"// Floor (\d)", before) or [None])[-1]


def apply(patch, folder, *options):
    return subprocess.run(["git", "apply", "--whitespace=nowarn", *options, patch.path], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)


def compiled(tree, patches):
    """Compiles the copy. Returns the errors and warnings, each with the patch that is to blame."""
    targets = PROGRAMS + sorted(target for patch in patches for target in patch.targets)
    command = [SWIFT, "build", "--package-path", tree, "--scratch-path", PLACE / "build", "--only-use-versions-from-resolved-file",
               "-debug-info-format", "none", "--disable-index-store"]
    built = subprocess.run(command, cwd=tree, env={**os.environ, "SHCVERIFY_TARGETS": ",".join(targets)}, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, check=False)
    found = {}
    for part in re.split(rf"^(?:{re.escape(str(tree))}/)?(?=Sources/\S+:\d+:\d+: )", built.stdout, flags=re.M)[1:]:
        name, line, message = re.match(r"(\S+?):(\d+):\d+: (.*)", part).groups()
        if message.startswith(("error: ", "warning: ")):
            found[name, line, message] = re.findall(r"add missing case: '\.?(\w+)", part)
            # A warning comes only if the file is compiled.
            (tree / name).touch()
    return [blamed(tree, patches, *each, cases) for each, cases in found.items()] or ([] if built.returncode == 0 else ["swift build: " + built.stdout[-3000:]])


def blamed(tree, patches, name, line, message, cases):
    """Says what the compiler said, after the row and the patch that are to blame.

    - cases: the names of cases that a switch lacks.
    """
    text = (tree / name).read_text().splitlines()[int(line) - 1] if (tree / name).exists() else ""
    touching = [patch for patch in patches if name in patch.added]
    own = [patch for patch in touching if text in patch.added[name]] or touching
    if not own:
        makers = [patch for patch in patches for case in cases if any(re.search(rf"^ *case .*\b{case}\b", text) for texts in patch.added.values() for text in texts)]
        rows = " or ".join(dict.fromkeys(patch.place for patch in makers)) or "a row"
        return f"{name}:{line}: {message}: no patch changes this file. If the sources compile, {rows} has to name it, or the code must not need it"
    return "\n".join(f"{patch.place}: {name}:{line}: {message}: {HOW.format(patch.name)}" for patch in own)


def look_at(tree, patches):
    """Looks at the C++ that patches change. Returns the errors, and what was skipped."""
    errors, skipped = [], []
    for patch in patches:
        for name in patch.added:
            if not name.endswith(".cpp"):
                continue
            command = [CLANG, "-x", "c++", "-std=c++17", "-fsyntax-only", "-Wall", "-I", "Sources/CPictures/include", name]
            seen = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
            missing = re.search(r"fatal error: '([^']+)' file not found", seen.stderr)
            error = re.search(r"error: .*", seen.stderr)
            if missing and not list((tree / "Sources").rglob(missing[1])):
                skipped.append(f"skipped {name}: {missing[1]} is not installed (make setup-scanner)")
            elif error or seen.returncode != 0:
                errors.append(f"{patch.place}: {name}: {error[0] if error else seen.stderr}: {HOW.format(patch.name)}")
    return errors, skipped


def digest(folder):
    """A hash of everything that decides whether the copy compiles."""
    state = hashlib.sha256(repr([shutil.which(SWIFT), shutil.which(CLANG), pathlib.Path(__file__).read_text()]).encode())
    for name, path in sorted(files(folder).items()):
        state.update(f"{name}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return state.hexdigest()


def patched(table, patches, staging):
    """Applies the patches to the copy, in the order of the rows. Returns what is wrong with rows and patches before anything is compiled."""
    tests = "\n".join(path.read_text() for path in (ROOT / "Tests").rglob("*.swift"))
    problems = [f"{patch.place}: ARCHITECTURE.md has no such row" for patch in patches if patch.what not in {row.what for row in table}]
    for row in table:
        problems += [f"{row.what}: {problem}" for problem in row.problems(tests)]
        own = [patch for patch in patches if patch.what == row.what]
        if len(own) != 1:
            problems.append(f"{row.what}: {len(own)} patches in Tests/Places begin with this line, and one should")
            continue
        problems += [f"{own[0].place}: {problem}" for problem in own[0].problems(row)]
        done = apply(own[0], staging)
        if done.returncode != 0:
            why = done.stderr.strip().splitlines()[0].removeprefix("error: ")
            problems.append(f"{own[0].place}: it does not apply ({why}): {HOW.format(own[0].name)}")
            continue
        package = (staging / "Package.swift").read_text()
        problems += [f"{own[0].place}: {target} is not on floor {row.floor} in Package.swift" for target in own[0].targets
                     if row.floor not in (None, floor(package, target))]
        for name in own[0].added:
            if name.endswith(".json"):
                json.loads((staging / name).read_text())
    return problems


def check():
    started = time.monotonic()
    table, patches = rows(), [Patch(path) for path in sorted(PATCHES.glob("*.patch"))]
    staging, tree, last = PLACE / "staging", PLACE / "tree", PLACE / "last-good"
    copy(staging)
    problems = patched(table, patches, staging)
    skipped, ending = [], "and nothing has changed since their patches were compiled"
    if not problems and (state := digest(staging)) != (last.read_text() if last.exists() else None):
        bring_up_to_date(tree, staging)
        problems, skipped = look_at(tree, patches)
        problems += compiled(tree, patches)
        ending = f"and their patches compile ({time.monotonic() - started:.0f} s)"
        # What was skipped is looked at as soon as that is possible.
        if not problems and not skipped:
            last.write_text(state)
    print("\n".join(skipped + (problems[:20] or [f"all {len(table)} places exist, {ending}"])))
    return 1 if problems else 0


def edit(patch):
    """Makes a repository with the sources as its only commit, and applies the patch as far as possible."""
    folder = PLACE / "edit"
    copy(folder)
    git = ["git", "-c", "user.name=edit", "-c", "user.email=edit@localhost"]
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--no-verify", "--message", "Sources"]):
        subprocess.run(git + command, cwd=folder, check=True, env=ENVIRONMENT)
    if patch.diff:
        print(apply(patch, folder, "--reject").stderr, end="")
    print(f"Correct it in {folder.relative_to(ROOT)} (what did not apply is in files *.rej), then: Scripts/check-places.py save {patch.name}")


def save(patch):
    folder = PLACE / "edit"
    for path in folder.rglob("*.rej"):
        path.unlink()
    subprocess.run(["git", "add", "--all"], cwd=folder, check=True, env=ENVIRONMENT)
    made = subprocess.run(["git", "diff", "--cached", "-U1", "--no-renames", "--no-color"], cwd=folder, check=True, env=ENVIRONMENT, capture_output=True, text=True)
    patch.path.write_text(patch.head + made.stdout)
    print(f"wrote {patch.path.relative_to(ROOT)}")


def main():
    if len(sys.argv) == 1:
        return check()
    if len(sys.argv) == 3 and sys.argv[1] in ("edit", "save"):
        path = PATCHES / f"{sys.argv[2]}.patch"
        if not path.exists():
            print(f"{path.relative_to(ROOT)}: there is no such file. For a new row, make it with one line, the first cell of the row", file=sys.stderr)
            return 1
        (edit if sys.argv[1] == "edit" else save)(Patch(path))
        return 0
    print(__doc__, file=sys.stderr)
    return 64


sys.exit(main())
