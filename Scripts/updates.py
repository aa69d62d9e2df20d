"""Runs once what shcverify-update.service runs, in a chroot with an installed package, and uses the lists that it installs."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from releases import SUPPORT, serving, sign

UNITS = "usr/lib/systemd/system"
SERVICE, TIMER = "shcverify-update.service", "shcverify-update.timer"
ISSUER = "https://issuer.example/updates"
# A list from the future is refused.
YESTERDAY = time.gmtime(time.time() - 86_400)
DATE = time.strftime("%Y/%m/%d", YESTERDAY)
# A vaccine that no built-in list has, in tables as CDC publishes them.
CODE = "9990"
TABLES = {
    "cvx.txt": f"{CODE:<10}|COVID-19, of a later year |COVID-19 vaccine, of a later year |made up |Active |False |{DATE}\r\n",
    "TRADENAME.txt": f"Example vaccine |COVID-19, of a later year |{CODE} |Example Maker |EXA |Active |Active |{DATE} |\r\n",
    "mvx.txt": f"EXA |Example Maker |made up |Active |{DATE}\r\n",
    "VG.txt": f"COVID-19, of a later year |{CODE} |Active |COVID-19 |213\r\n",
}
# Nobody in particular.
OTHER_USER = 65534


def settings(text):
    """The lines NAME=VALUE of a unit, or of a file with an environment. A backslash at the end of a line continues it."""
    lines = [line for line in re.sub(r"\\\n\s*", "", text).splitlines() if re.match(r"[A-Za-z_]+=", line)]
    return [line.split("=", 1) for line in lines]


class Machine:
    """A chroot with the package."""

    def __init__(self, root, release, environment):
        self.root, self.release, self.environment = root, release, environment

    def fail(self, problem):
        sys.exit(f"check-packages: {self.release}: {problem}")

    def run(self, *command, code=0, user=0, environment={}):
        run = subprocess.run(["chroot", f"--userspec={user}:{user}", "--groups=", self.root, *command], capture_output=True, text=True,
                             env=self.environment | environment)
        if code is not None and run.returncode != code:
            self.fail(f"{' '.join(command)}: exit code {run.returncode}, not {code}\n{run.stdout}{run.stderr}")
        return run

    def place(self, path, mode=0o644):
        copy = self.root / "tmp" / Path(path).name
        shutil.copy(path, copy)
        copy.chmod(mode)
        return f"/tmp/{copy.name}"

    def check_units(self):
        """The units are right, and the timer is there without being enabled."""
        self.run("systemd-analyze", "verify", "--man=no", *(f"/{UNITS}/{unit}" for unit in (SERVICE, TIMER)))
        # Its exit code is 1 if the timer is not enabled.
        state = self.run("systemctl", "is-enabled", TIMER, code=None).stdout.strip()
        if state != "disabled":
            self.fail(f"after the installation, {TIMER} is {state}")
        self.run("systemctl", "enable", TIMER)

    def run_service(self, options):
        """Runs the service once, with these lines in its file of options, and as root without its rights, as systemd would."""
        unit = settings((self.root / UNITS / SERVICE).read_text())
        values = dict(unit)
        file = self.root / values["EnvironmentFile"].lstrip("-/")
        file.write_text("".join(f'{name}="{value}"\n' for name, value in options.items()))
        environment = {name: shlex.split(value)[0] for name, value in settings(file.read_text())}
        state = self.root / "var/lib" / values["StateDirectory"]
        if not state.exists():
            state.mkdir(mode=int(values["StateDirectoryMode"], 8))
        confined = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]
        commands = [value for name, value in unit if name == "ExecStart"]
        # systemd starts no further command after one that fails.
        for command in commands:
            words = [word.replace("$$", "$") for word in shlex.split(command)]
            old = os.umask(int(values["UMask"], 8))
            try:
                run = self.run(*confined, *words, code=None, environment=environment)
            finally:
                os.umask(old)
            print("  " + (run.stdout + run.stderr).strip().replace("\n", "\n  "))
            if run.returncode != 0:
                return run.returncode
        return 0

    def check_service(self):
        """A card with a code of a later year cannot be judged before the update, and can be by any user after it."""
        vaccination = {"resourceType": "Immunization", "status": "completed", "occurrenceDateTime": DATE.replace("/", "-"),
                       "vaccineCode": {"coding": [{"system": "http://hl7.org/fhir/sid/cvx", "code": CODE}]}, "patient": {"reference": "resource:0"}}
        person = {"resourceType": "Patient", "name": [{"text": "Jana T. Anyperson"}]}
        entries = [{"fullUrl": f"resource:{i}", "resource": resource} for i, resource in enumerate([person, vaccination])]
        signed = sign(ISSUER, bundle=json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}))
        with tempfile.TemporaryDirectory() as folder, serving() as served:
            for name, text in {"updates.jws": signed["cards"][0], "updates.jwks.json": json.dumps({"keys": signed["keys"]})}.items():
                Path(folder, name).write_text(text)
            card, keys = (self.place(Path(folder, name)) for name in ("updates.jws", "updates.jwks.json"))
            question = [card, "--offline", "--quiet", "--record-type", "covid19"]
            asked = self.run("shcverify", *question, "--jwks", f"{ISSUER}={keys}", code=26, user=OTHER_USER)
            print(f"  before: {asked.stderr.strip()}")
            self.run("shcverify", *question, "--directory", "vci", code=66, user=OTHER_USER)
            publish(Path(served["directory"]), folder, signed["keys"])
            network = f"--ca-file {self.place(served['authority'])} --allow-private-network"
            server = f"https://localhost:{served['ports']['good']}"
            options = {"DIRECTORY_OPTIONS": f"--url {server}/vci --certificate {self.place(f'{folder}/signed/signer.pem')} {network}"}
            # One of both fails: the other is installed, and the run says so.
            if self.run_service(options | {"CODES_OPTIONS": f"--url {server}/cdc/missing.txt {network}"}) == 0:
                self.fail("the service succeeds without the lists of codes")
            self.run("shcverify", *question, "--directory", "vci", code=26, user=OTHER_USER)
            codes = {"CODES_OPTIONS": " ".join(f"--url {server}/cdc/{name}" for name in TABLES) + f" {network}"}
            if self.run_service({"DIRECTORY_OPTIONS": options["DIRECTORY_OPTIONS"].replace("/vci", "/missing")} | codes) == 0:
                self.fail("the service succeeds without the directory")
            self.run("shcverify", *question, "--directory", "vci", user=OTHER_USER)
            if (code := self.run_service(options | codes)) != 0:
                self.fail(f"the service ends with exit code {code}")
        self.run("shcverify", *question, "--directory", "vci", user=OTHER_USER)
        shown = self.run("shcverify", "codes", "show", CODE, user=OTHER_USER).stdout
        print(f"  after: {shown.strip()}")
        for path in (self.root / "var/lib/shcverify", *(self.root / "var/lib/shcverify").rglob("*")):
            status = path.lstat()
            if status.st_uid != 0 or (not path.is_symlink() and status.st_mode & 0o022):
                self.fail(f"{path} belongs to {status.st_uid}, with mode {status.st_mode:o}")
        return lambda: self.run("shcverify", *question, "--directory", "vci", user=OTHER_USER)

    def left(self):
        """What has the name of the package, apart from what this check has copied."""
        found = []
        for folder, folders, files in os.walk(self.root):
            if Path(folder) == self.root:
                folders[:] = [name for name in folders if name not in ("proc", "sys", "dev", "tmp")]
            found += [os.path.join(folder, name) for name in folders + files if "shcverify" in name]
        return found


def publish(served, folder, keys):
    """Publishes CDC's tables and a directory, which is signed with a new key, at a server of this test."""
    (served / "cdc").mkdir()
    for name, text in TABLES.items():
        (served / "cdc" / name).write_text(text, newline="")
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", YESTERDAY)
    issuer = {"iss": ISSUER, "name": "Example Issuer"}
    signed = Path(folder, "signed")
    signed.mkdir()
    (signed / "vci-issuers.json").write_text(json.dumps({"participating_issuers": [issuer]}))
    (signed / "vci_snapshot.json").write_text(json.dumps({
        "directory": "https://directory.example", "time": moment,
        "issuerInfo": [{"issuer": issuer, "keys": keys, "lastRetrieved": moment}]}))
    subprocess.run([sys.executable, "-B", "-W", "ignore", SUPPORT / "sign_snapshot.py", signed], check=True)
    (served / "vci/logs").mkdir(parents=True)
    for name, place in (("vci-issuers.json", "vci"), ("vci_snapshot.json", "vci/logs"), ("vci_snapshot.sig", "vci/logs")):
        shutil.copy(signed / name, served / place / name)
