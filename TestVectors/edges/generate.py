#!/usr/bin/env python3
"""Writes the cases about single mistakes in cryptography and JOSE; with --check, compares the existing ones with what it would write.

    /usr/bin/python3 TestVectors/edges/generate.py [--check]

The cases have the form of those of Project Wycheproof (edge_file.py), and are of the same classes, made anew. They are computed on Python's
integers. The package `cryptography` is used where a case only has to be signed.
"""

import importlib
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "hcert")]

FILES = {"ecdsa_p256_sha256_p1363.json": "edge_ecdsa", "rsa_pss_sha256_mgf1_32.json": "edge_rsa", "aes_gcm.json": "edge_gcm",
         "json_web_encryption.json": "edge_jwe", "json_web_key.json": "edge_jwk", "json_web_signature.json": "edge_jws"}


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    made = {name: importlib.import_module(module).FILE for name, module in FILES.items()}
    texts = {name: file.text().encode() for name, file in made.items()}
    if sys.argv[1:]:
        there = {path.name: path.read_bytes() for path in HERE.glob("*.json")}
        wrong = sorted(name for name in there.keys() | texts.keys() if there.get(name) != texts.get(name))
        if wrong:
            sys.exit("\n".join(f"TestVectors/edges/{name} is not what generate.py would write" for name in wrong))
    else:
        for name, text in texts.items():
            (HERE / name).write_bytes(text)
    counts = ", ".join(f"{file.count} of {name}" for name, file in made.items())
    print(f"{counts}, {sum(map(len, texts.values())) // 1024} KiB: {'as generated' if sys.argv[1:] else 'written'}")


if __name__ == "__main__":
    main()
