#!/usr/bin/env python3
"""Makes pictures of QR codes of health cards, from easy to hard ones, to measure how well a scanner reads them.

    python3 TestVectors/pictures/generate.py --output DIR [--per-class 12] [--class NAME ...] [--seed 1] [--jobs 1]
    python3 TestVectors/pictures/generate.py --committed

The first form writes the pictures and DIR/manifest.json. The second writes the small set in this folder and pictures.json.
Debian packages: python3-qrcode, python3-pil, python3-numpy, python3-cryptography, fonts-dejavu-core, and libheif-examples for
HEIC. README.md explains the files.
"""

import argparse
import ctypes
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True

from classes import CLASSES, Job  # noqa: E402


def keep_memory():
    """Tells glibc to keep freed memory for the next picture. Otherwise a third of the time goes to the kernel."""
    try:
        libc = ctypes.CDLL("libc.so.6")
        libc.mallopt(-3, 1 << 30)  # M_MMAP_THRESHOLD
        libc.mallopt(-1, 2 ** 31 - 1)  # M_TRIM_THRESHOLD
    except OSError:
        pass


def made(arguments):
    name, index, count, seed, folder = arguments
    job = Job(name, index, count, seed, folder)
    CLASSES[name](job)
    return job.entry()


def main():
    parser = argparse.ArgumentParser(description="Makes pictures of QR codes of health cards.")
    parser.add_argument("--output", type=Path, help="the folder for the pictures")
    parser.add_argument("--per-class", type=int, default=12, metavar="N")
    parser.add_argument("--class", dest="names", nargs="+", choices=CLASSES, metavar="NAME", help="only these classes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--committed", action="store_true", help="make the small set in this folder")
    options = parser.parse_args()
    if options.committed:
        import committed
        committed.write()
        return
    if not options.output:
        parser.error("give --output or --committed")
    options.output.mkdir(parents=True, exist_ok=True)
    work = [(name, index, options.per_class, options.seed, options.output)
            for name in options.names or CLASSES for index in range(options.per_class)]
    with ProcessPoolExecutor(options.jobs, initializer=keep_memory) as pool:
        entries = list(pool.map(made, work))
    manifest = options.output / "manifest.json"
    # With --class, the entries of the other classes stay.
    if options.names and manifest.exists():
        kept = {name: [entry for entry in json.loads(manifest.read_text()) if entry["class"] == name] for name in CLASSES}
        for name in options.names:
            kept[name] = [entry for entry in entries if entry["class"] == name]
        entries = [entry for name in CLASSES for entry in kept[name]]
    lines = ",\n".join(" " + json.dumps(entry, ensure_ascii=False) for entry in entries)
    manifest.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(f"{len(entries)} entries in {manifest}")


if __name__ == "__main__":
    main()
