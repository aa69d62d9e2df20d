#!/usr/bin/env python3
"""The texts of vectors, which stand in their indexes and not in files of their own.

    TestVectors/texts.py unpack FOLDER    writes everything to a folder, as if each text were a file
    TestVectors/texts.py named            lists the texts whose path in TestVectors/ is named somewhere else

An index has a table "texts": the path, as vectors name it, and the content, a string, or {"base64": "…"} if it is not UTF-8. The generators
write it with `index`. What files.txt names, and what is large, is a file instead.
"""

import atexit
import base64
import fnmatch
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
INDEXES = ("vectors.json", "lint.json", "hcert/cases.json", "handover/cases.json", "check-in/cases.json")
# What stands before the texts of an index.
TABLE = b',\n "texts": {\n'
# A larger text is a file. No line of an index should be larger.
LARGEST = 1 << 16
PATTERNS = [line.strip() for line in (HERE / "files.txt").read_text().splitlines() if line.strip() and not line.startswith("#")]


def is_file(path, content):
    """Whether this is a file. The path is that in TestVectors/."""
    return len(content) > LARGEST or any(fits(path.split("/"), pattern.split("/")) for pattern in PATTERNS)


def fits(path, pattern):
    return len(path) == len(pattern) and all(map(fnmatch.fnmatchcase, path, pattern))


def split(files, folder=""):
    """The files, and the texts as the index has them. The paths are those in the folder of the index."""
    kept, texts = {}, {}
    for path, content in files.items():
        if is_file(folder + path, content):
            kept[path] = content
            continue
        try:
            texts[path] = content.decode()
        except UnicodeDecodeError:
            texts[path] = {"base64": base64.b64encode(content).decode()}
    return kept, dict(sorted(texts.items()))


def index(member, vectors, texts):
    """An index, with one line for each vector and each text."""
    lines = ",\n".join("  " + json.dumps(vector, ensure_ascii=False) for vector in vectors)
    table = ",\n".join(f"  {json.dumps(path)}: {json.dumps(text, ensure_ascii=False)}" for path, text in texts.items()).encode()
    return f'{{\n "schemaVersion": 1,\n "{member}": [\n{lines}\n ]'.encode() + (TABLE + table + b"\n }" if texts else b"") + b"\n}\n"


def content(text):
    return text.encode() if isinstance(text, str) else base64.b64decode(text["base64"])


def texts_in(file):
    """The texts of an index, by their paths."""
    if not file.is_file() or TABLE not in (whole := file.read_bytes()):
        return {}
    return {path: content(text) for path, text in json.loads(whole)["texts"].items()}


def everything(root=HERE):
    """All texts below a folder, by their paths in it."""
    return {str(Path(name).parent / path): data for name in INDEXES for path, data in texts_in(root / name).items()}


def unpack(target, root=HERE):
    """Writes the texts to a folder, beside copies of the files. The indexes there are without their texts."""
    shutil.copytree(root, target, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    for path, data in everything(root).items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(data)
    for name in INDEXES:
        if (root / name).is_file():
            rest, table, _ = (root / name).read_bytes().partition(TABLE)
            (target / name).write_bytes(rest + b"\n}\n" if table else rest)
    return target


def unpacked(root=HERE):
    """A folder with everything, which is removed at the end."""
    folder = tempfile.mkdtemp(prefix="vectors-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return unpack(Path(folder), root)


def named():
    """The texts that another file of the repository names by their path, and that file."""
    command = ["git", "grep", "-IoE", "TestVectors/[A-Za-z0-9_./-]+", "--", ".", ":!TestVectors"]
    lines = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=False).stdout.splitlines()
    known = everything()
    found = {}
    for line in lines:
        by, _, name = line.partition(":")
        path = name.rstrip(".").removeprefix("TestVectors/")
        if path in known:
            found.setdefault(path, by)
    return found


def main():
    if sys.argv[1:2] == ["unpack"] and len(sys.argv) == 3:
        unpack(Path(sys.argv[2]))
    elif sys.argv[1:] == ["named"]:
        for path, by in named().items():
            print(f"{path}  # {by}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
