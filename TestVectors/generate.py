#!/usr/bin/env python3
"""Writes the test vectors; with --check, compares the existing ones with what it would write.

    python3 TestVectors/generate.py [--check]

blocks.py has the building blocks, cases.py the list of vectors; README.md explains them. Needs Python 3.9 and the
`cryptography` package 38 or later (Debian: python3-cryptography).
"""

import base64
import hashlib
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

sys.dont_write_bytecode = True

from blocks import JWS_TEXT, QR_TEXT, cards_in, deflated, from_b64url, inflated, opened  # noqa: E402
from cases import FILES as VERIFY_FILES, VECTORS  # noqa: E402
from lint_cases import FILES as LINT_FILES, VECTORS as LINT_VECTORS  # noqa: E402
from signatures import CASES as SIGNATURES  # noqa: E402
import texts  # noqa: E402

HERE = Path(__file__).resolve().parent
FILES = VERIFY_FILES | LINT_FILES
FOLDERS = ("cards", "keys", "crls", "directories", "certificates", "bundles", "lint")
INDEXES = {"vectors.json": (VECTORS, VERIFY_FILES), "lint.json": (LINT_VECTORS, {path: LINT_FILES[path] for path in LINT_FILES if path not in VERIFY_FILES}),
           "signatures.json": (SIGNATURES, {})}
SAMPLE = b"".join(b"shcverify %d " % (i * i) for i in range(500))
OUR_ZLIB = "b3287ce548606cda"  # SAMPLE compressed by zlib 1.2.13; another zlib may compress differently


def write(root):
    for folder in FOLDERS:
        shutil.rmtree(root / folder, ignore_errors=True)
    for index, (vectors, files) in INDEXES.items():
        kept, short = texts.split(files)
        for path, content in kept.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content)
        (root / index).write_bytes(texts.index("vectors", vectors, short))


def contents(root):
    """What is in a folder: its files, the texts of its indexes, and the rest of these, by name."""
    found = {str(path.relative_to(root)): path.read_bytes() for folder in FOLDERS for path in (root / folder).rglob("*") if path.is_file()}
    for index in INDEXES:
        vectors, _, _ = (root / index).read_bytes().partition(texts.TABLE)
        found |= {f"{path} in {index}": content for path, content in texts.texts_in(root / index).items()} | {index: vectors}
    return found


def text_of(content, id):
    """The text of a file; without its line breaks if that is what the vector is about."""
    text = content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8")
    return text.replace("\n", "") if id.startswith("scanned/wrapped") else text


def undone(text):
    """The text without what the vectors about texts inside others have done to it."""
    text = re.sub(r"\\u00(..)", lambda escape: chr(int(escape[1], 16)), text).replace("\\/", "/")
    text = re.sub(r"shc[:\u00d6][\u00e9-](?:(\d+)[\u00e9-](\d+)[\u00e9-])?", lambda begin: "shc:/" + (f"{begin[1]}/{begin[2]}/" if begin[1] else ""), text)
    return re.sub(r"(?<=base64,)[\w+/=]+|(?<=\"data\":\")[\w+/=]+", lambda found: base64.b64decode(found[0]).decode(), text)


def verify_again(vector, root):
    """Verifies each card of a vector that must pass, using only the vector's own files."""
    paths = re.findall(r"\{([^}]*)\}", " ".join(vector["args"]))
    documents = [file for path in paths for file in ((root / path).rglob("*.json") if (root / path).is_dir() else [root / path])]
    sets = [json.loads(file.read_bytes()) for file in documents if file.suffix == ".json"]
    keys = [key for each in sets for key in each.get("keys", []) + [key for info in each.get("issuerInfo", []) for key in info["keys"]]]
    texts = [unquote(text_of((root / path).read_bytes(), vector["id"])) for path in vector["files"]]
    cards = cards_in(map(undone, texts))
    assert cards, "its files contain no card"
    payloads = [opened(card, keys) for card in cards]
    if "bundle" in vector["expect"]:
        assert (root / vector["expect"]["bundle"]).read_bytes() in payloads[0], "the payload does not contain the expected Bundle"


def meaning(content):
    """The content with QR texts decoded, JWS inflated, and signatures removed: the part that does not depend on the version of zlib."""
    def spelled_out(match):
        return "".join(chr(int(pair) + 45) for pair in re.findall("..", match[3]))

    def inflated_jws(match):
        head, body, _ = match[0].split(".")
        try:
            return repr((from_b64url(head), inflated(from_b64url(body))))
        except Exception:
            return match[0]

    return JWS_TEXT.sub(inflated_jws, QR_TEXT.sub(spelled_out, unquote(content.decode("utf-8", "replace"))))


def differences(here, there):
    """The differences between two folders, and how many files could not be compared because the version of zlib differs."""
    here, there = contents(here), contents(there)
    found = [f"{name}: {'the file is missing' if name in there else 'no vector needs this file'}" for name in sorted(here.keys() ^ there.keys())]
    other_zlib = hashlib.sha256(deflated(SAMPLE)).hexdigest()[:16] != OUR_ZLIB
    skipped = 0
    for name in sorted(here.keys() & there.keys()):
        old, new = here[name], there[name]
        if old != new and not (other_zlib and meaning(old) == meaning(new)):
            if other_zlib and name.startswith(("cards/", "lint/")):
                skipped += 1
            else:
                found.append(f"{name}: the file differs from what would be written")
    return found, skipped


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    check = bool(sys.argv[1:])
    with tempfile.TemporaryDirectory() as temporary:
        write(Path(temporary) if check else HERE)
        found, skipped = differences(HERE, Path(temporary)) if check else ([], 0)
    everything = texts.unpacked(HERE)
    for vector in VECTORS:
        if vector["expect"]["exit"] == 0:
            try:
                verify_again(vector, everything)
            except Exception as error:
                found.append(f"{vector['id']}: the card must pass, but this script cannot verify it: {error!r}")
    found += [f"{path}: {by} names this text, so it has to be a file: add it to files.txt" for path, by in texts.named().items()]
    if found:
        sys.exit("\n".join(found))
    note = f"; {skipped} files not compared, since this is another zlib" if skipped else ""
    print(f"{len(VECTORS)} vectors, {len(LINT_VECTORS)} lint vectors, {len(FILES)} files, {sum(map(len, FILES.values())) // 1024} KiB: {'as generated' if check else 'written'}{note}")


if __name__ == "__main__":
    main()
