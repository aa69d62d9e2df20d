"""Builds the packages of the current commit again, in another folder, and compares: reproduce.py DIST SHARE PACKAGES

The three folders have what `make deb` has made. Everything in them must be the same, byte for byte.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(*folders):
    # .ci/deep may have noted there what came of the steps before.
    if subprocess.run(["git", "status", "--porcelain", "--", ".", ":!.ci/deep.md"], capture_output=True, text=True, check=True, cwd=ROOT).stdout:
        sys.exit("reproduce: there are changes that are not committed, so the other build would be of something else")
    with tempfile.TemporaryDirectory() as name:
        # The path has another length.
        other = Path(name, "another/folder/of/shcverify")
        subprocess.run(["git", "clone", "--quiet", ROOT, other], check=True)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "SOURCE_DATE"))}
        log = Path(name, "log")
        with log.open("w") as file:
            if subprocess.run(["make", "deb"], cwd=other, stdout=file, stderr=file, env=environment).returncode != 0:
                sys.exit(f"reproduce: the other build has failed\n{log.read_text()[-5000:]}")
        different = []
        for folder in folders:
            mine, others = (
                {str(path.relative_to(base / folder)): path for path in (base / folder).rglob("*") if path.is_file()}
                for base in (ROOT, other))
            if not mine or mine.keys() != others.keys():
                sys.exit(f"reproduce: {folder} has other files: {', '.join(sorted(mine.keys() ^ others.keys()))}")
            different += [f"{folder}/{file}" for file, path in mine.items() if path.read_bytes() != others[file].read_bytes()]
            print(f"{folder}: {len(mine)} files")
        if different:
            sys.exit(f"reproduce: these files differ: {', '.join(different)}")
    print("both builds are the same")


if __name__ == "__main__":
    main(*sys.argv[1:])
