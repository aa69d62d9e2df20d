"""Compares the time for many screenshots with that of the decoders alone, on the same cores and in the same run.

The screenshots are those of a phone with one card each, as TestVectors/pictures makes them. They need Python's `PIL`, `numpy` and
`qrcode` (Debian: python3-pil, python3-numpy, python3-qrcode), and the decoders alone (decoder.cpp) a C++ compiler and the libraries of
pictures (SCANNER_LIBRARIES in the Makefile).
"""

import json
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
from pathlib import Path

from cards import NOW, Issuer, deflated, jws, payload

HERE = Path(__file__).resolve().parent
FORM = 1  # the version of the screenshots; if it changes, they are made again
CODES = 200  # different cards; each is on several screenshots, which differ otherwise
SOURCES = HERE.parent / "Sources/CPictures"
LIBRARIES = ["ZXing", "zbar", "png16", "jpeg", "webp", "webpdemux", "gif", "tiff", "heif"]


def _make(task):
    sys.path.insert(0, str(HERE.parent / "TestVectors/pictures"))
    import numpy
    import codes
    import sheets
    folder, number, count = task
    rng = random.Random(f"{FORM} {number}")
    issuer = Issuer(0)
    text = jws(issuer, deflated(payload(issuer.iss, rng)))
    array = codes.modules("shc:/" + "".join(f"{ord(each) - 45:02}" for each in text))
    for copy in range(number, count, CODES):
        picture, _ = sheets.phone(array, numpy.random.default_rng([FORM, copy]), 1010 // (array.shape[0] + 8))
        picture.save(f"{folder}/{copy:04}.png", compress_level=2)


class Screenshots:
    """The files of a number of screenshots. If they are missing, they are made."""

    def __init__(self, folder, count):
        self.folder = Path(f"{folder}/screenshots-{FORM}-{count}")
        self.keys = self.folder / "keys.json"
        if not self.keys.exists():
            print(f"making {count:,} screenshots", flush=True)
            self.folder.mkdir(exist_ok=True)
            with multiprocessing.Pool() as pool:
                list(pool.imap_unordered(_make, [(self.folder, number, count) for number in range(min(count, CODES))]))
            self.keys.write_text(json.dumps({"keys": [Issuer(0).jwk()]}))
        self.files = sorted(map(str, self.folder.glob("*.png")))


class Decoder:
    """The decoders alone."""

    def __init__(self, folder):
        self.program = f"{folder}/decoder-{os.getpid()}"
        sources = [path for path in sorted(SOURCES.glob("*.cpp")) if path.name not in ("grid.cpp", "attachments.cpp")]
        subprocess.run([os.environ.get("CXX", "clang++"), "-std=c++17", "-O2", f"-I{SOURCES}/include", *map(str, sources), HERE / "decoder.cpp",
                        *(f"-l{name}" for name in LIBRARIES), "-o", self.program], check=True)

    def seconds(self, files, cores):
        """The time with one process for each core."""
        processes = []
        for number, core in enumerate(cores):
            part = files[number::len(cores)]
            processes.append(subprocess.Popen(["taskset", "-c", str(core), self.program, *part], stdout=subprocess.PIPE, text=True))
        results = [process.communicate()[0].split() for process in processes]
        if sum(int(codes) for _, codes in results) != len(files):
            raise SystemExit("bench: the decoders alone do not read every screenshot")
        return max(float(seconds) for seconds, _ in results)


def measure(bench, run, cores):
    """Adds the rows about pictures.

    - run: starts a command and waits for it.
    """
    count = 200 if bench.options.quick else 1000
    screenshots, decoder = Screenshots(bench.folder, count), Decoder(bench.folder)
    command = [bench.program, "verify", *screenshots.files, "--quiet", "--jwks", screenshots.keys, "--offline", "--at", NOW]
    ours, alone, ratios = [], [], []
    try:
        for _ in range(bench.options.rounds):
            alone.append(decoder.seconds(screenshots.files, cores))
            result = run(command, set(cores))
            if result.code != 0:
                bench.wrong.append(f"{count:,} screenshots: exit code {result.code}")
            ours.append(result.seconds)
            ratios.append(ours[-1] / statistics.mean([alone[-1], decoder.seconds(screenshots.files, cores)]))
    finally:
        os.remove(decoder.program)
    bench.heading(f"{count:,} screenshots, {len(cores)} cores")
    bench.row("the decoders alone, one process for each core", statistics.median(alone), unit=" s")
    bench.row("verify", statistics.median(ours), unit=" s")
    bench.row("verify ÷ the decoders alone", statistics.median(ratios), at_least=1.4, aim=1.25, less=True)
