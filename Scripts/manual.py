"""Writes the manual pages of shcverify, as `man` reads them: manual.py PROGRAM FOLDER

Everything but the examples comes from the program: commands and options from the descriptions from which it makes its help, exit
codes and reasons from `shcverify explain`. The pages have the date of SOURCE_DATE_EPOCH (seconds since 1970).
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Packaging"))

from contact import Contact  # noqa: E402

NAME = "shcverify"

# Each example: what it is for, and the command. Those of the program itself and of verify are in their help.
EXAMPLES = {
    "batch": [
        ("Verify many cards, and keep the verdicts:", "shcverify batch cards.txt --directory vci > verdicts.ndjson"),
        ("Verify each line of another program's output as it comes:", "read-cards | shcverify batch - --jwks https://issuer-a.example/cards=keys.json --offline"),
        ("Print compact lines, and fail only if the run was not completed:",
         "shcverify batch cards.txt --directory vci --fields line,id,verdict,reason --fail-on none"),
        ("Continue a run that was interrupted:",
         "shcverify batch cards.txt --directory vci --resume state >> verdicts.ndjson"),
    ],
    "lint": [
        ("Check a card before it is issued, and require the rules of a profile:",
         "shcverify lint card.jws --jwks https://issuer-a.example/cards=keys.json --profile usa-covid19-immunization"),
        ("Check what an issuer publishes:", "shcverify lint --issuer https://issuer-a.example/cards"),
        ("Annotate files in a build, and let warnings fail it:", "shcverify lint cards/*.jws --format github --fail-on warning"),
    ],
    "inspect": [
        ("Show what a card says, without verifying it:", "shcverify inspect card.smart-health-card"),
        ("Show what is behind a SMART Health Link:", "shcverify inspect --follow link.txt"),
    ],
    "records": [
        ("Make a table for a spreadsheet:", "shcverify records cards/*.jws --directory vci --format csv > records.csv"),
    ],
    "fetch-cards": [
        ("Get a patient's cards, verify them and keep them:",
         "shcverify fetch-cards https://fhir.example.org/r4 --patient 123 --token-file token --output card.smart-health-card"),
    ],
    "directory": [
        ("Install VCI's directory, and trust the issuers in it:", "shcverify directory update\nshcverify card.jws --directory vci"),
    ],
    "directory update": [
        ("Install VCI's directory:", "shcverify directory update"),
        ("Install a copy of WHO's trust list:", "shcverify directory update --from did.json"),
    ],
    "directory show": [("Find issuers by a part of their name:", "shcverify directory show clinic")],
    "directory audit": [
        ("Check all issuers of the installed directory, and say what has changed since an earlier audit:",
         "shcverify directory audit --compare audit.json --format json > audit-new.json"),
    ],
    "directory collect": [
        ("Fetch the keys of some issuers, for verifying without a network:",
         "shcverify directory collect https://issuer-a.example/cards --output snapshot.json\n"
         "shcverify card.jws --directory snapshot.json --offline"),
    ],
    "directory diff": [
        ("Fail if two snapshots differ:", "shcverify directory diff old.json new.json --fail-on change"),
    ],
    "directory remove": [
        ("Remove WHO's list that was installed for this user:", "shcverify directory remove gdhcn"),
    ],
    "directory verify": [
        ("Check the signature of a snapshot:", "shcverify directory verify vci_snapshot.json --signature vci_snapshot.sig"),
    ],
    "codes": [("Get newer lists of vaccines from CDC:", "shcverify codes update")],
    "codes update": [
        ("Get CDC's tables, for all users of this machine:", "shcverify codes update --system"),
        ("Install tables from files, on a machine without a network:", "shcverify codes update --from cvx.txt TRADENAME.txt mvx.txt VG.txt"),
    ],
    "codes show": [
        ("List the lists in use:", "shcverify codes show"),
        ("Look for a vaccine:", "shcverify codes show 309\nshcverify codes show comirnaty"),
    ],
    "status": [
        ("Say what is installed, and how old it is:", "shcverify status"),
        ("Fail if a list is missing, or older than 30 days:", "shcverify status --require codes --require vci --max-age 30"),
    ],
    "explain": [
        ("Say what a reason means:", "shcverify explain signature-invalid"),
        ("List the reasons of an exit code:", "shcverify explain 12"),
    ],
    "schema": [("Print the JSON Schema of a line of batch:", "shcverify schema batch")],
}

ENVIRONMENT = {
    "SHCVERIFY_REQUIRE_REVOCATION": "If this is 1, a card that could have been revoked and was not looked up in any list is refused, as with --require-revocation.",
    "SHCVERIFY_REQUIRE_TRUSTED": "If this is 1, every run needs to say whom it trusts, as with --require-trusted.",
    "SHCVERIFY_PASSCODE": "The passcode of a SMART Health Link. --passcode-file comes first.",
    "SHCVERIFY_RECIPIENT": "Who asks for the content of a SMART Health Link. --recipient comes first.",
    "SHCVERIFY_TOKEN": "The access token for fetch-cards. --token-file comes first.",
    "SHCVERIFY_SYSTEM_DIR": "The folder with the lists for all users, instead of /var/lib/shcverify.",
    "NO_COLOR": "If this is set, reports have no colours.",
    "XDG_CACHE_HOME, XDG_DATA_HOME": "The folders of FILES, if they are not below the home folder.",
    "https_proxy, no_proxy": "The proxy for requests, and the hosts that are asked without it.",
}

FILES = {
    "~/.cache/shcverify/": "Keys and revocation lists that were fetched, as long as they are fresh. It can be removed at any time.",
    "~/.local/share/shcverify/": "The lists that \"shcverify directory update\" and \"shcverify codes update\" have installed.",
    "/var/lib/shcverify/": "The same for all users, installed with --system.",
}

# The exit codes that are not those of a reason, as `explain` knows them.
OTHER_EXIT_CODES = ["0", "1", "64", "130", "143"]


def escape(text):
    """Text in which roff changes nothing."""
    # Without UTF-8, as in cron, some characters would be left out.
    text = text.translate({ord("…"): "...", ord("×"): "x", ord("–"): "-", ord("§"): "section "})
    named = {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti", '"': r"\(dq"}
    return "".join(named.get(letter) or (letter if ord(letter) < 128 else rf"\[u{ord(letter):04X}]") for letter in text)


def running(text):
    """A paragraph, with options in bold. Each sentence begins on a line of its own."""
    lines = []
    for sentence in re.split(r"(?<=[.;:]) (?=[A-Z])", text.strip()):
        parts = re.split(r"((?<![\w-])--[a-z][a-z0-9-]*)", sentence)
        line = "".join(rf"\fB{escape(part)}\fR" if number % 2 else hyphenated(part) for number, part in enumerate(parts))
        lines.append(line if line[0] not in ".'" else rf"\&{line}")
    return lines


def hyphenated(text):
    """Running text, in which a hyphen between letters is a hyphen and not a minus sign."""
    return re.sub(r"(?<=[A-Za-z])\\-(?=[A-Za-z])", "-", escape(text))


def usage(text):
    """A line of the synopsis: words in bold, values in italics."""
    parts = re.split(r"(<(?:\[[^\]]*\])?[^>]*>)", text)
    return "".join(rf"\fI{escape(part[1:-1])}\fR" if part.startswith("<") else re.sub(
        r"[A-Za-z][\w-]*|--?[a-z][\w-]*", lambda word: rf"\fB{escape(word[0])}\fR", part) for part in parts)


class Program:
    """What the program says about itself."""

    def __init__(self, path):
        self.path = path
        said = self.run("--version")
        self.version, self.contact = said.split("\n")[0].split()[-1], Contact(said)
        self.root = json.loads(self.run("--experimental-dump-help"))["command"]

    def run(self, *arguments):
        return subprocess.run([self.path, *arguments], capture_output=True, text=True, check=True).stdout

    def synopsis(self, path):
        text = self.run("help", *path).split("\nUSAGE: ")[1].split("\n\n")[0]
        return [line.strip() for line in text.split("\n")]

    def reasons(self):
        """The reasons in the program's order: code, exit code, meaning and what to do."""
        for line in self.run("explain").splitlines():
            if match := re.match(r"(\S+) \(exit code ([0-9]+)", line):
                explanation = self.run("explain", match[1])
                remedy = re.search(r"What to do:\n((?:  .*\n)+)", explanation)[1]
                yield match[1], match[2], explanation.split("\n\n")[1], " ".join(remedy.split())


class Page:
    """A manual page, line by line."""

    def __init__(self, program, path, date):
        self.program = program
        self.name = "-".join([NAME, *path])
        self.lines = [f'.TH {self.name.upper()} 1 {date} "{NAME} {program.version}" "User Commands"', ".nh"]

    def add(self, *lines):
        self.lines += lines

    def section(self, title):
        self.add(f".SH {title}")

    def paragraph(self, text, is_first=False):
        self.add(*([] if is_first else [".PP"]), *running(text))

    def entry(self, head, *paragraphs):
        """A term and what it means."""
        self.add(".TP", head)
        for number, paragraph in enumerate(paragraphs):
            self.add(*([] if number == 0 else [".IP"]), *running(paragraph))

    def text(self):
        return "\n".join(self.lines) + "\n"


def option_head(argument):
    names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument.get("names", [])]
    head = ", ".join(rf"\fB{escape(name)}\fR" for name in names)
    return head + (rf" \fI{escape(argument['valueName'])}\fR" if argument["kind"] == "option" else "")


def option_text(argument):
    text = argument.get("abstract", "")
    if values := argument.get("allValues"):
        if not all(f"{value}:" in text for value in values):
            text += f" The values are {', '.join(values[:-1])} and {values[-1]}."
    if (default := argument.get("defaultValue")) and default not in ("-", ""):
        text += f" The default is {default.removesuffix('.0')}."
    return text


def options(page, command):
    shown = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    # Only the program itself has --version.
    if command is not page.program.root:
        shown = [argument for argument in shown if argument["valueName"] != "version"]
    operands = [argument for argument in shown if argument["kind"] == "positional"]
    if operands:
        page.section("ARGUMENTS")
        for argument in operands:
            page.entry(rf"\fI{escape(argument['valueName'])}\fR", argument.get("abstract", ""))
    named = [argument for argument in shown if argument["kind"] != "positional"]
    titles = list(dict.fromkeys(argument.get("sectionTitle") for argument in named))
    page.section("OPTIONS")
    for title in sorted(titles, key=lambda title: title is None):
        if len(titles) > 1:
            page.add(f".SS {title or 'Other options'}")
        for argument in named:
            if argument.get("sectionTitle") == title:
                page.entry(option_head(argument), option_text(argument))


def exit_status(page, command, path, exits):
    page.section("EXIT STATUS")
    if exits:
        text = exits.removeprefix("Exit codes: ")
        page.paragraph(text[0].upper() + text[1:], is_first=True)
    else:
        page.paragraph("0 if the command did what it was asked to do.", is_first=True)
    page.paragraph(f"The other exit codes, and the reasons, are in {NAME}(1).")


def all_exit_codes(page, exits, reasons):
    page.section("EXIT STATUS")
    words = dict(re.findall(r"\b([0-9]+) ([^,.]+)", exits))
    codes = {code: [] for code in OTHER_EXIT_CODES}
    for code, exit_code, _, _ in reasons:
        codes.setdefault(exit_code, []).append(code)
    for code in sorted(codes, key=int):
        if codes[code]:
            page.entry(rf"\fB{code}\fR", f"{words[code].capitalize()}: {', '.join(codes[code])}")
        else:
            page.entry(rf"\fB{code}\fR", page.program.run("explain", code).split("\n\n")[1])
    page.paragraph("Codes from 10 to 19 mean that the card is refused. Codes from 20 to 27 mean that there is no answer yet. "
                   "With several cards, the exit code is that of the first card that did not verify.")
    page.section("REASONS")
    page.paragraph(f"For each card that does not verify, standard error has a line with the reason. \"{NAME} explain CODE\" says more.",
                   is_first=True)
    for code, exit_code, meaning, remedy in reasons:
        page.entry(rf"\fB{escape(code)}\fR (exit code {exit_code})", meaning, remedy)


def write(program, command, path, folder, date, reasons):
    page = Page(program, path, date)
    page.section("NAME")
    abstract = command["abstract"].rstrip(".")
    page.add(rf"{escape(page.name)} \- {hyphenated(abstract[0].lower() + abstract[1:])}")
    page.section("SYNOPSIS")
    for number, line in enumerate(program.synopsis(path)):
        page.add(*([".br"] if number else []), usage(line))
    paragraphs = [paragraph for paragraph in command.get("discussion", "").split("\n\n") if paragraph]
    exits = next((paragraph for paragraph in paragraphs if paragraph.startswith("Exit codes: ")), None)
    page.section("DESCRIPTION")
    shown = next((paragraph for paragraph in paragraphs if paragraph.startswith("Examples:")), None)
    described = [paragraph for paragraph in paragraphs if paragraph not in (exits, shown)]
    for number, paragraph in enumerate(described or [command["abstract"]]):
        page.paragraph(paragraph, is_first=number == 0)
    commands = [child for child in command.get("subcommands", []) if child["commandName"] != "help"]
    if commands:
        page.section("COMMANDS")
        for child in commands:
            page.entry(rf"\fB{escape(child['commandName'])}\fR", child["abstract"])
        if not path:
            page.paragraph(f"If no command is named, it is \"verify\", whose options are in {NAME}-verify(1).")
    options(page, command)
    if path:
        exit_status(page, command, path, exits)
    else:
        all_exit_codes(page, exits, reasons)
        page.section("ENVIRONMENT")
        for name, meaning in ENVIRONMENT.items():
            page.entry(rf"\fB{escape(name)}\fR", meaning)
        page.section("FILES")
        for name, meaning in FILES.items():
            page.entry(rf"\fI{escape(name)}\fR", meaning)
    lines = shown.split("\n")[1:] if shown else []
    examples = EXAMPLES.get(" ".join(path)) or [(lines[i].strip(), lines[i + 1].strip()) for i in range(0, len(lines), 2)]
    if examples:
        page.section("EXAMPLES")
        for number, (purpose, line) in enumerate(examples):
            page.paragraph(purpose, is_first=number == 0)
            page.add(".PP", ".in +4n", ".nf", *(rf"$ {escape(part)}" for part in line.split("\n")), ".fi", ".in")
    page.section("REPORTING BUGS")
    page.paragraph(program.contact.words, is_first=True)
    page.section("SEE ALSO")
    others = [[]] + [each for _, each in every(program.root) if each]
    links = ["-".join([NAME, *each]) for each in others if each != path]
    page.add(*(rf"\fB{escape(link)}\fR(1)" + ("," if number < len(links) - 1 else "") for number, link in enumerate(links)))
    (folder / f"{page.name}.1").write_text(page.text())


def every(command, path=()):
    """All commands but help, each with the words that name it."""
    yield command, list(path)
    for child in command.get("subcommands", []):
        if child["commandName"] != "help":
            yield from every(child, (*path, child["commandName"]))


def main(path, folder):
    program = Program(path)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for page in folder.glob(f"{NAME}*.1"):
        page.unlink()
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())))
    reasons = list(program.reasons())
    for command, words in every(program.root):
        write(program, command, words, folder, date, reasons)


if __name__ == "__main__":
    main(*sys.argv[1:])
