#!/usr/bin/env python3
"""Checks that the code in the articles of the libraries (Sources/*/*.docc) is the code of Examples/Articles, which is compiled."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
shown = {block for article in ROOT.glob("Sources/*/*.docc/*.md") for block in re.findall(r"```swift\n(.*?)```", article.read_text(), re.S)}
compiled = {path.read_text() for path in (ROOT / "Examples" / "Articles").glob("*.swift")}
for code in shown - compiled:
    print(f"an article shows code that is not in Examples/Articles:\n{code}")
for code in compiled - shown:
    print(f"no article shows this code of Examples/Articles:\n{code}")
sys.exit(1 if shown != compiled else 0)
