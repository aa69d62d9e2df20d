#!/usr/bin/env python3
"""Writes the test vectors for EU Digital COVID Certificates; with --check, compares the existing ones with what it would write.

    /usr/bin/python3 TestVectors/hcert/generate.py [--check]

README.md explains them. Needs Python 3.11, and the packages `cryptography` 38 and `cbor2` (Debian: python3-cryptography,
python3-cbor2). cbor2 only reads again what was written here by hand.
"""

import hashlib
import json
import shutil
import sys
import zlib
from pathlib import Path

sys.dont_write_bytecode = True

HERE = Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parent))

import cbor2  # noqa: E402
from cryptography.exceptions import InvalidSignature  # noqa: E402

import hcert_cases  # noqa: E402, F401
import hcert_claims  # noqa: E402, F401
import hcert_more  # noqa: E402, F401
import hcert_who  # noqa: E402, F401
from hcert_blocks import to_be_signed, unpacked_message  # noqa: E402
from hcert_card import CARDS, CASES  # noqa: E402
from hcert_trust import FILES as TRUST, Root, Signer  # noqa: E402
import texts  # noqa: E402

FOLDERS = ("cards", "trust", "revocation")
OUR_ZLIB = "5c789f0129f8ee7d"  # a sample compressed by zlib 1.2.13; another zlib may compress differently
OTHER_ZLIB = hashlib.sha256(zlib.compress(bytes(i * i % 251 for i in range(5000)), 9)).hexdigest()[:16] != OUR_ZLIB


def files():
    return CARDS | TRUST | hcert_more.REVOCATION


# The check: what must have a good signature is read again with cbor2, and verified with `cryptography`

SIGNED = {None, "not-yet-valid", "expired", "revoked", "records-not-matching", "certificate-invalid", "keys-unavailable", "key-not-found",
          "revocation-unavailable", "receiver-required", "link-expired", "link-unavailable", "malformed-link", "unsupported-link-version", "codes-unknown"}
def verified(data):
    """Whether one of our signers has signed this, whatever its kid says."""
    message = cbor2.loads(unpacked_message(data))
    while isinstance(message, cbor2.CBORTag):
        message = message.value
    covered = to_be_signed(message[0], message[2])
    for signer in [*Signer.everything, Root]:
        try:
            signer.key.verifies(covered, message[3])
            return True
        except (InvalidSignature, ValueError):
            pass
    return False


def faults():
    found = []
    for case in CASES:
        reason = case["expect"]["reason"]
        if case["mode"] != "verify" or isinstance(reason, list) or reason not in SIGNED:
            continue
        for path in case["files"]:
            data = CARDS.get(path)
            if data is None or data.startswith(b"shlink:") or b"\n" in data.strip() and path.endswith(".hc1"):
                continue
            data = data.decode().strip(" \t\r\n\ufeff").encode() if path.endswith(".hc1") else data
            try:
                good = verified(data)
            except Exception as error:
                good, case = False, case | {"id": f"{case['id']} ({error!r})"}
            if not good:
                found.append(f"{case['id']}: no signer of ours has signed {path}")
    used = {path for case in CASES for path in case["files"]}
    named = json.dumps(CASES)
    found += [f"{path}: no case needs this file" for path in files() if path not in used and f"{{{path}}}" not in named
              and not path.startswith(("trust/dsc-", "trust/csca-"))]
    return found


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    (kept, short), found = texts.split(files(), "hcert/"), faults()
    wanted = kept | {"cases.json": texts.index("cases", CASES, short)}
    if sys.argv[1:]:
        there = {str(path.relative_to(HERE)): path.read_bytes() for folder in FOLDERS for path in (HERE / folder).rglob("*") if path.is_file()}
        there["cases.json"] = (HERE / "cases.json").read_bytes()
        if OTHER_ZLIB:
            wanted, there = ({**files, "cases.json": files["cases.json"].partition(texts.TABLE)[0]} for files in (wanted, there))
        for path in sorted(wanted.keys() | there.keys()):
            if wanted.get(path) != there.get(path) and not (OTHER_ZLIB and path.startswith("cards/") and path in wanted and path in there):
                found.append(f"{path}: not what generate.py writes")
    else:
        for folder in FOLDERS:
            shutil.rmtree(HERE / folder, ignore_errors=True)
        for path, content in wanted.items():
            (HERE / path).parent.mkdir(parents=True, exist_ok=True)
            (HERE / path).write_bytes(content)
    if found:
        sys.exit("\n".join(found))
    print(f"{len(CASES)} cases, {len(files())} files, {sum(map(len, wanted.values())) // 1024} KiB: {'as generated' if sys.argv[1:] else 'written'}")


if __name__ == "__main__":
    main()
