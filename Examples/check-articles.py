#!/usr/bin/env python3
"""Checks that the code in the articles of the libraries (Sources/*/*.docc) is the code of Examples/Articles and
Examples/Tests, which is compiled."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
shown = {block for article in ROOT.glob("Sources/*/*.docc/*.md") for block in re.findall(r"```swift\n(.*?)```", article.read_text(), re.S)}
compiled = {path.read_text() for folder in ("Articles", "Tests") for path in (ROOT / "Examples" / folder).glob("*.swift")}
for code in shown - compiled:
    print(f"an article shows code that is not in Examples/Articles or Examples/Tests:\n{code}")
for code in compiled - shown:
    print(f"no article shows this code of Examples/:\n{code}")
sys.exit(1 if shown != compiled else 0)
