"""To whom bugs and weaknesses are reported, as a built program says in the last lines of --version: `make deb MAINTAINER='NAME <ADDRESS>' HOMEPAGE=URL`.

The packages, the archive, the container and the manual take it from there, so that all of them say the same.

    contact.py          checks the two values, which the Makefile exports, before a build
    contact.py PROGRAM  prints the two lines of a program, empty if it has none
"""

import os
import re
import subprocess
import sys

HEADING = "## Reporting a weakness\n"
NOBODY = "This program was built without a contact: report bugs and weaknesses to whoever built it."


class Contact:
    """The contact in the output of --version."""

    def __init__(self, version):
        rows = dict(line.split(None, 1) for line in version.splitlines() if re.match(r"(maintainer|homepage) +\S", line))
        self.maintainer, self.homepage = rows.get("maintainer"), rows.get("homepage")

    @property
    def words(self):
        """Whom to ask, in a sentence."""
        places = [each for each in (self.maintainer, self.homepage) if each]
        return f"Report bugs and weaknesses of this build to {', '.join(places)}." if places else NOBODY

    @property
    def address(self):
        """The maintainer in the form that a package needs. Nobody is behind a name that ends with .invalid (RFC 2606)."""
        return self.maintainer or "Whoever built this package <unknown@builder.invalid>"

    def page(self, text):
        """SECURITY.md as it goes with a build."""
        if text.count(HEADING) != 1:
            sys.exit(f"contact: SECURITY.md has no heading {HEADING.strip()}")
        # As text, an address between angle brackets would be taken for a link or for HTML.
        return text.replace(HEADING, f"{HEADING}\n**{self.words.replace('<', '&lt;').replace('>', '&gt;')}**\n")


def of(program):
    return Contact(subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout)


def check(environment):
    """Ends with a message if a value does not fit into the fields of a package."""
    maintainer, homepage = environment.get("SHCVERIFY_MAINTAINER", ""), environment.get("SHCVERIFY_HOMEPAGE", "")
    if maintainer and not re.fullmatch(r"[^<>\"\\,\x00-\x1f\x7f]*[^<>\"\\,\s\x00-\x1f\x7f] <[^<>@\"\\\s]+@[^<>@\"\\\s]+>", maintainer):
        sys.exit("contact: MAINTAINER must be a name and an address: MAINTAINER='Jane Doe <jane@clinic.example>'")
    if homepage and not re.fullmatch(r"https?://[^\s\"\\<>,]+", homepage):
        sys.exit("contact: HOMEPAGE must be a URL that begins with https:// or http://")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        found = of(sys.argv[1])
        print(found.maintainer or "", found.homepage or "", sep="\n")
    else:
        check(os.environ)
