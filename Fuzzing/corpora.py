"""The corpora of the fuzz targets: inputs that together run all code that any input was found to run.

usage: corpora.py unpack BUILD_FOLDER
       corpora.py make BUILD_FOLDER PROGRAM [TARGET,…]

Each target has a packed file in Corpora/. `unpack` unpacks all of them. `make` makes them again from everything in the build folder: the
unpacked corpora, the seeds, and what `make fuzz` found.
"""

import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKED = HERE / "Corpora"
# In bytes. Larger inputs are cut off.
LONGEST = 16 << 10


def unpack(build):
    """Unpacks each corpus into a folder with the name of its target."""
    shutil.rmtree(build / "corpora", ignore_errors=True)
    for file in sorted(PACKED.glob("*.tar.xz")):
        folder = build / "corpora" / file.name.removesuffix(".tar.xz")
        folder.mkdir(parents=True)
        with tarfile.open(file) as archive:
            for member in archive:
                (folder / Path(member.name).name).write_bytes(archive.extractfile(member).read())


def pack(target, inputs):
    """Writes a corpus. The same inputs give the same bytes."""
    with tarfile.open(PACKED / f"{target}.tar.xz", "w:xz", format=tarfile.USTAR_FORMAT, preset=9) as archive:
        # Similar inputs that are near to each other are packed better.
        for contents in sorted(inputs, key=lambda contents: (contents[:24], len(contents), contents)):
            member = tarfile.TarInfo(hashlib.sha256(contents).hexdigest()[:16])
            member.size = len(contents)
            archive.addfile(member, io.BytesIO(contents))


def merge(target, build, program):
    """Chooses the inputs of a target that run something no other one does, small ones first."""
    merged = build / "merged" / target
    merged.mkdir(parents=True)
    found = [folder / target for folder in (build / "corpora", build / "seeds", build / "corpus", HERE / "Regressions")]
    # How often a line runs does not count: it would keep ten times as many inputs.
    failures = build / "crashes" / target
    failures.mkdir(parents=True, exist_ok=True)
    command = [program, "-merge=1", "-use_counters=0", f"-max_len={LONGEST}", "-timeout=300", "-rss_limit_mb=2048",
               f"-artifact_prefix={failures}/", merged]
    environment = os.environ | {"FUZZ_TARGET": target, "SWIFT_BACKTRACE": "enable=no", "LLVM_PROFILE_FILE": "/dev/null",
                                "ASAN_OPTIONS": "handle_sigill=0:detect_leaks=0"}
    written = build / f"{target}.merge.log"
    with written.open("wb") as log:
        subprocess.run([*command, *filter(Path.is_dir, found)], env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                       check=True)
    inputs = [file.read_bytes() for file in merged.iterdir()]
    pack(target, inputs)
    packed = (PACKED / f"{target}.tar.xz").stat().st_size
    print(f"{target}: {len(inputs)} inputs, {sum(map(len, inputs))} bytes, packed {packed}", flush=True)
    # libFuzzer leaves out inputs that fail, and goes on.
    failed = written.read_bytes().count(b"Test unit written to")
    if failed:
        print(f"{target}: failed {failed} times; its whole output is in {written}, the inputs are in {failures}", flush=True)
    return failed


def main(command, build, program=None, wanted=""):
    build = Path(build).resolve()
    if command == "unpack":
        unpack(build)
        return 0
    shutil.rmtree(build / "merged", ignore_errors=True)
    PACKED.mkdir(exist_ok=True)
    targets = wanted.split(",") if wanted else sorted(folder.name for folder in (build / "seeds").iterdir())
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        failures = sum(threads.map(lambda target: merge(target, build, Path(program).resolve()), targets))
    print(f"all corpora: {sum(file.stat().st_size for file in PACKED.iterdir())} bytes")
    return 1 if failures else 0


sys.exit(main(*sys.argv[1:]))
