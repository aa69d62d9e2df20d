"""The pages that go with a build, and the examples that they name. A link to a file of the repository that does not go with it becomes plain words."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ["Intake/intake.py", "Spark/README.md", "Spark/RESULTS.md", "Spark/requirements.txt", "Spark/verify_cards.py"]


def pages(reports, others):
    """The files by their names, which are those in the repository.

    `reports` is the contact of the build (contact.py). `others` has the places of other files that a page may name, by their names in the repository:
    those in the same place are among the pages.
    """
    names = ["README.md", "SECURITY.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))), *(f"Examples/{name}" for name in EXAMPLES),
             *(name for name, place in others.items() if place == name)]
    places = {name: name for name in names} | others
    files = {name: (ROOT / name).read_text() for name in names}
    files["SECURITY.md"] = reports.page(files["SECURITY.md"])
    return {name: linked(text, name, places) if name.endswith(".md") else text for name, text in files.items()}


def linked(text, name, places):
    """A page whose links lead to installed files."""
    def link(match):
        words, target = match.groups()
        path, mark, heading = target.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return match[0]
        place = places.get(os.path.normpath(os.path.join(os.path.dirname(name), path)))
        if place is None:
            return f"{words} (in the repository)"
        return f"[{words}]({os.path.relpath(place, os.path.dirname(name) or '.')}{mark}{heading})"

    return re.sub(r"\[([^]\[]*)\]\(([^()\s]+)\)", link, text)
