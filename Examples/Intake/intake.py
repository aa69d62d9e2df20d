#!/usr/bin/env python3
"""Verifies what a patient shows, prints the report for the desk, and hands the records over to a FHIR server.

    intake.py BASE INPUT... [-- OPTIONS OF SHCVERIFY]

BASE is the address of the FHIR server, such as https://fhir.clinic.example/r4. An access token is read from INTAKE_TOKEN. The address must
be https, or on this machine. INPUT is what shcverify takes: a file, a picture, a PDF. For example:

    intake.py https://fhir.clinic.example/r4 card.smart-health-card -- --directory vci --require-trusted

Each resource is created once: a second run with the same card creates nothing. The exit code is that of shcverify, or 70 if the server did
not take what was handed over. Nothing that failed is handed over. The program is found as SHCVERIFY, else as shcverify in PATH.
"""

import json
import os
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

LONGEST_ANSWER = 16 << 20


class Refused(Exception):
    """The server did not take the Bundle."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A health record goes to the named server, or nowhere."""

    def redirect_request(self, *arguments):
        return None


def post(base, bundle):
    """Posts a transaction. Returns how many resources were created, and how many were there already."""
    address = urllib.parse.urlsplit(base)
    is_local = address.hostname in ("localhost", "127.0.0.1", "::1")
    if address.scheme != "https" and not (address.scheme == "http" and is_local):
        raise Refused("the address of the server must be https")
    headers = {"Content-Type": "application/fhir+json", "Accept": "application/fhir+json"}
    if token := os.environ.get("INTAKE_TOKEN"):
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(base, data=bundle, headers=headers, method="POST")
    try:
        with urllib.request.build_opener(NoRedirect).open(request, timeout=60) as answer:
            text = answer.read(LONGEST_ANSWER)
    except urllib.error.HTTPError as error:
        raise Refused(f"the server answered with {error.code}: {why(error.read(LONGEST_ANSWER))}") from None
    except (urllib.error.URLError, OSError) as error:
        raise Refused(f"the server cannot be reached: {getattr(error, 'reason', error)}") from None
    return counted(text, len(json.loads(bundle)["entry"]))


def counted(text, wanted):
    """The resources that were created, and those that were there, as the server's answer says."""
    try:
        answer = json.loads(text)
        states = [str(entry["response"]["status"]).split()[0] for entry in answer["entry"]]
    except (ValueError, KeyError, TypeError, IndexError):
        raise Refused("the answer of the server is not that to a transaction, so look whether anything was stored") from None
    if len(states) != wanted or not all(state in ("200", "201") for state in states):
        raise Refused("the server did not store everything, although a transaction is all or nothing")
    return states.count("201"), states.count("200")


def why(text):
    """What an OperationOutcome says, on one line and printable."""
    try:
        issue = json.loads(text)["issue"][0]
        words = issue.get("diagnostics") or issue.get("details", {}).get("text") or issue.get("code")
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        words = "no reason"
    return "".join(letter if letter.isprintable() else " " for letter in str(words))[:300]


def main(arguments):
    options = []
    if "--" in arguments:
        place = arguments.index("--")
        arguments, options = arguments[:place], arguments[place + 1:]
    if len(arguments) < 2 or arguments[0].startswith("-"):
        sys.exit(__doc__)
    base, inputs = arguments[0], arguments[1:]
    program = os.environ.get("SHCVERIFY", "shcverify")
    # The report and the messages go to the person at the desk, and the Bundle to a folder that only this user can read.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bundle.json")
        run = subprocess.run([program, "--handover", path, *options, "--", *inputs])
        try:
            with open(path, "rb") as file:
                bundle = file.read()
        except FileNotFoundError:
            print("nothing was handed over")
            return run.returncode
    try:
        created, known = post(base, bundle)
    except Refused as refusal:
        print(f"not stored: {refusal}", file=sys.stderr)
        return 70
    print(f"stored: {created} new, {known} known before")
    return run.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
