"""Tests the GitHub action and the hook of pre-commit as shell scripts: ci.py PROGRAM

PROGRAM is the shcverify to run. The steps of action.yml run as GitHub runs them: the script of a step is saved to a file, and its
expressions are replaced by values in the environment only.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "TestVectors"
PROGRAM = Path(sys.argv.pop(1)).resolve()
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
EXPRESSION = re.compile(r"\$\{\{ inputs\.([a-z0-9-]+) \}\}")

# Names that a shell, an option parser or a log could misread.
HOSTILE = [
    "a b.jws", "$(touch pwned).jws", "`touch pwned`.jws", "; touch pwned;.jws", "&& touch pwned", "--help", "-", "-q.jws", "new\nline.jws",
    "*.jws", "'\".jws", "::error::x.jws", "é.jws", "${{ github.token }}.jws", "\\.jws", " ",
]

# Programs that write down their arguments, one JSON array on each line.
RECORDER = """#!/usr/bin/python3
import json, os, sys
# The start that lint.sh tries first.
if sys.argv[1:] == ["--version"] and "LINT_DEB" not in os.environ:
    sys.exit(0)
with open(os.environ["RECORD"], "a") as record:
    record.write(json.dumps([os.path.basename(sys.argv[0])] + sys.argv[1:]) + "\\n")
print("a report")
sys.exit(int(os.environ.get("RECORDER_CODE", "0")))
"""


class Folder(unittest.TestCase):
    """A test in an empty folder, with a copy of the scripts in a folder whose name has a space."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        top = Path(temporary.name)
        self.work, self.copy, self.bin, self.record = top / "work", top / "a copy", top / "bin", top / "record"
        for folder in (self.work, self.copy, self.bin):
            folder.mkdir()
        shutil.copytree(ROOT / "Packaging" / "ci", self.copy / "Packaging" / "ci")
        self.good = (VECTORS / "cards" / "inputs" / "jws.jws").read_bytes()
        self.bad = (VECTORS / "cards" / "signature" / "der.jws").read_bytes()

    def run_script(self, script, environment=None, recorded=(), code=0):
        """Runs a script as GitHub does, with programs that only record their arguments, or with the real one."""
        for name in recorded:
            program = self.bin / name
            program.write_text(RECORDER)
            program.chmod(0o755)
        file = self.bin.parent / "step.sh"
        file.write_text(script)
        folders = [str(self.bin), *([] if "shcverify" in recorded else [str(PROGRAM.parent)]), "/usr/bin", "/bin"]
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(file)], cwd=self.work, capture_output=True, timeout=1800,
            stdin=subprocess.DEVNULL,
            env={"PATH": ":".join(folders), "GITHUB_ACTION_PATH": str(self.copy), "RECORD": str(self.record), "LC_ALL": "C.UTF-8",
                 "RECORDER_CODE": str(code), "XDG_CACHE_HOME": "/dev/null", "TMPDIR": str(self.bin.parent), **(environment or {})})

    def step(self, name, inputs, **options):
        values = {key: value.get("default", "") for key, value in ACTION["inputs"].items()} | inputs
        environment = {key: EXPRESSION.sub(lambda match: values[match[1]], value) for key, value in STEPS[name]["env"].items()}
        return self.run_script(STEPS[name]["run"], environment, **options)

    def calls(self):
        return [json.loads(line) for line in self.record.read_text().splitlines()] if self.record.exists() else []

    def write_hostile(self):
        for name in HOSTILE:
            (self.work / name).write_bytes(self.good)
        (self.work / "folder").mkdir()
        (self.work / "folder" / "inner card.jws").write_bytes(self.good)

    def assert_nothing_ran(self):
        self.assertFalse((self.work / "pwned").exists())


class ActionTests(Folder):
    def test_no_input_is_part_of_a_script(self):
        used = set()
        for step in STEPS.values():
            self.assertEqual(step["shell"], "bash")
            self.assertNotIn("${{", step["run"])
            for value in step["env"].values():
                self.assertRegex(value, f"^{EXPRESSION.pattern}$")
                used.add(EXPRESSION.match(value)[1])
        self.assertEqual(used, set(ACTION["inputs"]))
        self.assertEqual(STEPS["Install shcverify"]["if"], "inputs.deb != ''")

    def test_named_files_reach_the_program_unchanged(self):
        self.write_hostile()
        names = [name for name in HOSTILE if "\n" not in name]
        result = self.step("Lint", {"files": "\n".join(names) + "\n\n"}, recorded=["shcverify"])
        self.assertEqual(result.returncode, 0, result.stderr)
        expected = ["./-" if name == "-" else name for name in names]
        self.assertEqual(self.calls(), [["shcverify", "lint", "--fail-on=error", "--format=github", "--", *expected]])
        self.assert_nothing_ran()

    def test_patterns_match_any_names(self):
        self.write_hostile()
        for pattern, expected in [
            ("*", HOSTILE), ("**/*.jws", [name for name in HOSTILE if name.endswith(".jws")] + ["folder/inner card.jws"]),
            ("folder/*card.jws", ["folder/inner card.jws"]), ("[-]", ["-"]),
        ]:
            self.record.unlink(missing_ok=True)
            if pattern == "*":
                # A file with the name of a pattern is meant by that name. Here there is none.
                self.assertFalse((self.work / "*").exists())
            self.step("Lint", {"files": pattern}, recorded=["shcverify"])
            [call] = self.calls()
            names = call[call.index("--") + 1:]
            self.assertEqual(sorted(names), sorted("./-" if name == "-" else name for name in expected), pattern)
        self.assert_nothing_ran()

    def test_patterns_match_hidden_files_but_nothing_of_git(self):
        names = ["ok/jwks.json", ".well-known/jwks.json", "a/.b/jwks.json", ".jwks.json", ".github/jwks.json", "x.git/jwks.json"]
        for name in [*names, ".git/jwks.json", "module/.git/objects/jwks.json"]:
            (self.work / name).parent.mkdir(parents=True, exist_ok=True)
            (self.work / name).write_bytes(self.good)
        for pattern, expected in [("**/*jwks.json", names), ("*/jwks.json", [names[0], names[1], names[4], names[5]]), ("*", [".jwks.json"]),
                                  (".git/jwks.json", [".git/jwks.json"])]:
            self.record.unlink(missing_ok=True)
            self.step("Lint", {"files": pattern}, recorded=["shcverify"])
            [call] = self.calls()
            self.assertEqual(sorted(call[call.index("--") + 1:]), sorted(expected), pattern)
        self.assertEqual(self.step("Lint", {"files": ".git/*"}, recorded=["shcverify"]).returncode, 66)

    def test_match_that_cannot_be_read_is_not_dropped(self):
        (self.work / "good.jws").write_bytes(self.good)
        (self.work / "folder.jws").mkdir()
        (self.work / "dangling.jws").symlink_to("nowhere")
        for files in ["*.jws", "dangling.jws", "good.jws\nfolder.jws"]:
            result = self.step("Lint", {"files": files, "args": "--offline"})
            self.assertEqual(result.returncode, 66, (files, result.stderr))
        (self.work / "dangling.jws").unlink()
        self.assertEqual(self.step("Lint", {"files": "*.jws", "args": "--offline"}).returncode, 0)
        # Nobody writes to the pipe.
        os.mkfifo(self.work / "\033[2Jpipe.jws")
        for files in ["*.jws", "\033[2Jpipe.jws"]:
            result = self.step("Lint", {"files": files, "args": "--offline"})
            self.assertEqual(result.returncode, 66, (files, result.stderr))
            self.assertIn(b"not a regular file", result.stderr)
            self.assertNotIn(b"\033", result.stderr)

    def test_options_stay_whole(self):
        (self.work / "a.jws").write_bytes(self.good)
        options = ["--jwks=my keys.json", "--exclude=$(touch pwned)", "--exclude=*", "--at", "2026-06-01T00:00:00Z"]
        self.step("Lint", {"files": "a.jws", "args": "\n".join(options) + "\n", "fail-on": "; touch pwned"}, recorded=["shcverify"])
        self.assertEqual(
            self.calls(), [["shcverify", "lint", *options, "--fail-on=; touch pwned", "--format=github", "--", "a.jws"]])
        self.assert_nothing_ran()

    def test_sarif_is_a_file_of_its_own(self):
        (self.work / "a.jws").write_bytes(self.bad)
        result = self.step("Lint", {"files": "a.jws", "args": "--offline", "sarif": "$(touch pwned) report.sarif"})
        self.assertEqual(result.returncode, 10, result.stderr)
        self.assertIn(b"::error file=a.jws,line=1,", result.stdout)
        report = json.loads((self.work / "$(touch pwned) report.sarif").read_text())
        self.assertEqual(report["version"], "2.1.0")
        self.assertEqual(report["runs"][0]["results"][0]["ruleId"], "signature-format-error/length")
        self.assert_nothing_ran()

    def test_junit_and_baseline(self):
        (self.work / "a.jws").write_bytes(self.bad)
        inputs = {"files": "a.jws", "args": "--offline"}
        result = self.step("Lint", inputs | {"sarif": "a.sarif", "junit": "$(touch pwned) a.xml"})
        self.assertEqual(result.returncode, 10, result.stderr)
        self.assertIn("<testsuite", (self.work / "$(touch pwned) a.xml").read_text())
        result = self.step("Lint", inputs | {"baseline": "a.sarif", "junit": "b.xml"})
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertNotIn(b"::error", result.stdout)
        self.assertNotIn("<failure", (self.work / "b.xml").read_text())
        for name in ["a.jws", "link.xml"]:
            if name == "link.xml":
                (self.work / name).symlink_to(self.bin.parent / "outside.xml")
            self.assertEqual(self.step("Lint", inputs | {"junit": name}).returncode, 64)
        (self.work / "baseline.json").symlink_to(self.bin.parent / "outside.json")
        self.assertEqual(self.step("Lint", inputs | {"baseline": "baseline.json"}).returncode, 64)
        self.assertEqual(self.step("Lint", inputs | {"baseline": "missing.json"}).returncode, 66)
        self.assertEqual((self.work / "a.jws").read_bytes(), self.bad)
        self.assert_nothing_ran()

    def test_report_in_the_place_of_the_baseline_keeps_it(self):
        """The baseline is read by all runs before the report takes its place, and the report is the next baseline."""
        (self.work / "a.jws").write_bytes(self.bad)
        inputs = {"files": "*.jws", "args": "--offline"}
        self.assertEqual(self.step("Lint", inputs | {"sarif": "a.sarif"}).returncode, 10)
        first = (self.work / "a.sarif").read_text()
        os.link(self.work / "a.sarif", self.work / "same.sarif")
        for baseline in ["a.sarif", "./a.sarif", "same.sarif"]:
            result = self.step("Lint", inputs | {"baseline": baseline, "sarif": "a.sarif", "junit": "a.xml"})
            self.assertEqual((result.returncode, result.stdout), (0, b""), result.stderr)
            self.assertEqual(self.results("a.sarif"), len(json.loads(first)["runs"][0]["results"]))
            self.assertNotIn("<failure", (self.work / "a.xml").read_text())
        (self.work / "b.jws").write_bytes(self.bad)
        result = self.step("Lint", inputs | {"baseline": "a.sarif", "sarif": "a.sarif"})
        self.assertEqual(result.returncode, 10)
        self.assertNotIn(b"a.jws", result.stdout)
        self.assertIn(b"b.jws", result.stdout)
        self.assertEqual(self.results("a.sarif"), 2 * len(json.loads(first)["runs"][0]["results"]))
        # A baseline among the options is read before too.
        result = self.step("Lint", {"files": "*.jws", "args": "--offline\n--baseline=a.sarif", "sarif": "a.sarif"})
        self.assertEqual((result.returncode, result.stdout), (0, b""), result.stderr)
        kept = (self.work / "a.sarif").read_text()
        result = self.step("Lint", inputs | {"baseline": "a.sarif", "junit": "./a.sarif"})
        self.assertEqual(result.returncode, 64)
        self.assertIn(b"would overwrite the baseline", result.stderr)
        self.assertEqual((self.work / "a.sarif").read_text(), kept)

    def results(self, name):
        return len(json.loads((self.work / name).read_text())["runs"][0]["results"])

    def test_report_overwrites_no_file_that_is_linted(self):
        (self.work / "a.jws").write_bytes(self.bad)
        (self.work / "link").symlink_to("a.jws")
        for name in ["a.jws", "./a.jws", "link"]:
            result = self.step("Lint", {"files": "*.jws", "args": "--offline", "sarif": name})
            self.assertEqual(result.returncode, 64, result.stderr)
            self.assertIn(b"would overwrite", result.stderr)
            self.assertEqual((self.work / "a.jws").read_bytes(), self.bad)

    def test_report_is_not_written_through_a_link(self):
        (self.work / "a.jws").write_bytes(self.good)
        outside = self.bin.parent / "outside.txt"
        outside.write_text("mine")
        (self.work / "lint.sarif").symlink_to(outside)
        (self.work / "inside.sarif").symlink_to("report.sarif")
        (self.work / "folder").symlink_to(self.bin.parent)
        for name in ["lint.sarif", "inside.sarif", "folder/outside.txt", str(self.work / "folder" / "new.sarif")]:
            result = self.step("Lint", {"files": "a.jws", "args": "--offline", "sarif": name})
            self.assertEqual(result.returncode, 64, (name, result.stderr))
            self.assertIn(b"through a link", result.stderr)
        self.assertEqual(outside.read_text(), "mine")
        # A path outside that the workflow names is its own choice.
        result = self.step("Lint", {"files": "a.jws", "args": "--offline", "sarif": str(outside)})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(outside.read_text())["version"], "2.1.0")

    def test_links_out_of_the_checkout_are_skipped(self):
        (self.work / "a.jws").write_bytes(self.good)
        outside = self.bin.parent / "outside.jws"
        outside.write_text('{"iss":"a secret of this machine"}')
        (self.work / "out.jws").symlink_to(outside)
        (self.work / "folder").symlink_to(self.bin.parent)
        (self.work / "in.jws").symlink_to("a.jws")
        for files in ["*.jws", "a.jws\nout.jws", "a.jws\nfolder/outside.jws"]:
            result = self.step("Lint", {"files": files, "args": "--offline"})
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(b"skipped", result.stderr)
            self.assertNotIn(b"a secret", result.stdout + result.stderr)
        result = self.step("Lint", {"files": "*.jws"}, recorded=["shcverify"])
        [call] = self.calls()
        self.assertEqual(call[call.index("--") + 1:], ["a.jws", "in.jws"])
        self.assertEqual(self.step("Lint", {"files": "out.jws"}).returncode, 66)

    def test_files_of_options_are_no_links_out_of_the_checkout(self):
        (self.work / "a.jws").write_bytes(self.good)
        outside = self.bin.parent / "outside.json"
        outside.write_text('{"keys":[{"kty":"EC","crv":"a secret of this machine"}]}')
        (self.work / "keys.json").symlink_to(outside)
        for args in ["--jwks\nkeys.json", "--jwks=keys.json", "--jwks=https://a.example=keys.json", "--jwks\nhttps://a.example=keys.json"]:
            result = self.step("Lint", {"files": "a.jws", "args": args})
            self.assertEqual(result.returncode, 64, result.stderr)
            self.assertNotIn(b"a secret", result.stdout + result.stderr)

    def test_report_is_written_only_if_there_is_one(self):
        (self.work / "a.jws").write_bytes(self.good)
        (self.work / "report.sarif").write_text("an earlier report")
        result = self.step("Lint", {"files": "a.jws", "fail-on": "nothing", "sarif": "report.sarif"})
        self.assertEqual(result.returncode, 64)
        self.assertEqual((self.work / "report.sarif").read_text(), "an earlier report")
        self.assertEqual(self.step("Lint", {"files": "a.jws", "args": "--offline", "sarif": "report.sarif"}).returncode, 0)
        self.assertEqual(json.loads((self.work / "report.sarif").read_text())["version"], "2.1.0")
        # The scripts leave nothing in the folder for temporary files.
        self.assertEqual({path.name for path in self.bin.parent.iterdir()}, {"a copy", "bin", "step.sh", "work"})

    def test_exit_code_is_that_of_lint(self):
        (self.work / "good.jws").write_bytes(self.good)
        (self.work / "bad.jws").write_bytes(self.bad)
        for inputs, code in [
            ({"files": "good.jws"}, 0), ({"files": "good.jws", "fail-on": "unchecked"}, 10), ({"files": "*.jws"}, 10),
            ({"files": "missing.jws"}, 66), ({"files": "good.jws\nmissing*.jws"}, 66), ({"files": ""}, 64),
            ({"files": "good.jws", "fail-on": "nothing"}, 64), ({"files": "good.jws", "fail-on": "nothing", "sarif": "a.sarif"}, 64),
        ]:
            result = self.step("Lint", {"args": "--offline"} | inputs)
            self.assertEqual(result.returncode, code, (inputs, result.stderr))

    def test_real_program_reads_hostile_names(self):
        self.write_hostile()
        result = self.step("Lint", {"files": "**", "args": "--offline", "sarif": "report.sarif"})
        self.assertEqual(result.returncode, 0, (result.stdout, result.stderr))
        for line in result.stdout.splitlines():
            self.assertRegex(line, rb"^::(notice|warning) file=")
        report = json.loads((self.work / "report.sarif").read_text())
        self.assertEqual(len({result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                              for result in report["runs"][0]["results"]}), len(HOSTILE) + 1)
        self.assert_nothing_ran()

    def test_missing_program_is_said(self):
        (self.work / "a.jws").write_bytes(self.good)
        result = self.run_script(f"PATH=/usr/bin:/bin; {STEPS['Lint']['run']}", {"LINT_FILES": "a.jws"})
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"not on the PATH", result.stderr)


    def test_program_that_cannot_run_says_what_it_needs(self):
        (self.work / "a.jws").write_bytes(self.good)
        words = "shcverify: /lib/x86_64-linux-gnu/libc.so.6: version 'GLIBC_2.36' not found (required by shcverify)"
        (self.bin / "shcverify").write_text(f'#!/bin/sh\necho "{words}" >&2\nexit 1\n')
        (self.bin / "shcverify").chmod(0o755)
        result = self.step("Lint", {"files": "a.jws", "sarif": "out.sarif"})
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.decode().splitlines()[0], words)
        self.assertIn(b"lint.sh: shcverify cannot run on this system: a release needs a C library", result.stderr)
        self.assertFalse((self.work / "out.sarif").exists())


class PageTests(Folder):
    """The jobs that docs/pipelines.md has to copy."""

    BLOCKS = [yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```$", (ROOT / "docs/pipelines.md").read_text(), re.M | re.S)]

    def test_workflow_calls_the_action(self):
        steps = self.BLOCKS[0]["jobs"]["lint"]["steps"]
        [step] = [step for step in steps if step["uses"].startswith("OWNER/shcverify@")]
        self.assertLessEqual(set(step["with"]), set(ACTION["inputs"]))
        for name in ["cards/a/b.smart-health-card", "cards/c.smart-health-card", ".well-known/jwks.json"]:
            (self.work / name).parent.mkdir(parents=True, exist_ok=True)
            (self.work / name).write_bytes((VECTORS / "keys/issuer-a.jwks.json").read_bytes() if "jwks" in name else self.good)
        inputs = {name: value for name, value in step["with"].items() if not name.startswith("deb")}
        result = self.step("Lint", inputs)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertTrue((self.work / "lint.sarif").exists())

    def test_script_of_gitlab_is_that_of_the_page(self):
        [command] = self.BLOCKS[1]["lint-cards"]["script"]
        page = (ROOT / "docs/pipelines.md").read_text()
        self.assertIn(f"# usage: {command.split()[0].removeprefix('./')} ISSUER=KEYS FILE", page)
        self.assertIn(self.BLOCKS[1]["lint-cards"]["artifacts"]["reports"]["junit"], page.split("```sh")[1].split("```")[0])


class InstallTests(Folder):
    RECORDED = ["apt-get", "sudo", "curl", "shcverify"]
    DIGEST = "bc4a71180870f7945155fbb02f4b0a2e3faa2a62d6d31b7039013055ed19869a"

    def install(self, **inputs):
        return self.step("Install shcverify", {key.replace("_", "-"): value for key, value in inputs.items()}, recorded=self.RECORDED)

    def test_packages_are_installed_from_paths(self):
        for names in [["-o APT::Fault=$(touch pwned).deb"], ["a b.deb"], ["a b.deb", "c.deb", "-o APT::Fault=$(touch pwned).deb"]]:
            for name in names:
                (self.work / name).write_bytes(b"package")
            self.record.unlink(missing_ok=True)
            result = self.install(deb="\n".join(names) + "\n\n")
            self.assertEqual(result.returncode, 0, result.stderr)
            update, install, version = self.calls()
            self.assertIn("update", update)
            self.assertIn("install", install)
            self.assertIn("--yes", install)
            self.assertEqual([os.path.basename(word) for word in install if word.endswith(".deb")], [f"{place}.deb" for place in range(len(names))])
            self.assertEqual(version, ["shcverify", "--version"])
        self.assert_nothing_ran()

    def test_old_package_lists_do_not_stop_the_installation(self):
        (self.work / "a.deb").write_bytes(b"package")
        for name in self.RECORDED:
            (self.bin / name).unlink(missing_ok=True)
        for name in ["apt-get", "sudo"]:
            (self.bin / name).write_text('#!/bin/sh\ncase "$*" in *update*) exit 100 ;; esac\n')
            (self.bin / name).chmod(0o755)
        result = self.step("Install shcverify", {"deb": "a.deb"}, recorded=["shcverify"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(b"not all package lists could be updated", result.stderr)

    def test_packages_for_a_newer_system_are_refused(self):
        (self.work / "a.deb").write_bytes(b"package")
        for need, code in [("99.36", 1), ("2.3", 0)]:
            (self.bin / "dpkg-deb").write_text(f'#!/bin/sh\necho "libssl3 (>= 3.0.0), libc6 (>= {need}), zlib1g (>= 1:1.1.4)"\n')
            (self.bin / "dpkg-deb").chmod(0o755)
            self.record.unlink(missing_ok=True)
            result = self.install(deb="a.deb")
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertEqual(self.record.exists(), code == 0)
            self.assertEqual(b"package 1 needs a C library (libc6) of version 99.36, and this system has 2." in result.stderr, code == 1)

    def test_digests_must_agree(self):
        (self.work / "a.deb").write_bytes(b"package")
        (self.work / "b.deb").write_bytes(b"package")
        wrong = self.DIGEST[:-1] + "b"
        for deb, digests, code in [
            ("a.deb", self.DIGEST, 0), ("a.deb", self.DIGEST.upper(), 0), ("a.deb", f" {self.DIGEST} \n", 0), ("a.deb", wrong, 64),
            ("a.deb\nb.deb", f"{self.DIGEST}\n{self.DIGEST}", 0), ("a.deb\nb.deb", f"{self.DIGEST}\n{wrong}", 64),
            ("a.deb\nb.deb", self.DIGEST, 64), ("a.deb", f"{self.DIGEST}\n{self.DIGEST}", 64), ("a.deb", "*", 64), ("\n", self.DIGEST, 64),
        ]:
            self.record.unlink(missing_ok=True)
            result = self.install(deb=deb, deb_sha256=digests)
            self.assertEqual(result.returncode, code, (deb, digests, result.stderr))
            self.assertEqual(bool(self.calls()), code == 0)

    def test_url_needs_https_and_a_digest(self):
        for inputs in [
            {"deb": "http://example.org/a.deb", "deb_sha256": "0"}, {"deb": "file:///a.deb"}, {"deb": "https://example.org/a.deb"},
            {"deb": "a.deb\nhttps://example.org/a.deb"}, {"deb": "https://example.org/a.deb\nhttps://example.org/b.deb", "deb_sha256": "0"},
        ]:
            self.assertEqual(self.install(**inputs).returncode, 64)
            self.assertEqual(self.calls(), [])

    def test_url_is_one_argument_after_the_options(self):
        url = "https://example.org/a.deb; touch pwned"
        self.assertNotEqual(self.install(deb=url, deb_sha256="0").returncode, 0)
        [call] = self.calls()
        self.assertEqual((call[0], call[-2:]), ("curl", ["--", url]))
        self.assertIn("=https", call)
        self.assert_nothing_ran()


class HookTests(Folder):
    def hook(self, identifier, files, args=None, **options):
        """Calls a hook as pre-commit does: the entry, the args and then the files."""
        hook = next(hook for hook in HOOKS if hook["id"] == identifier)
        words = [str(self.copy / hook["entry"]), *(hook["args"] if args is None else args), *files]
        return self.run_script(shlex.join(words), **options)

    def test_hostile_names_are_files(self):
        self.write_hostile()
        self.assertEqual(self.hook("shcverify-lint", HOSTILE, recorded=["shcverify"]).returncode, 0)
        expected = ["./-" if name == "-" else name for name in HOSTILE]
        self.assertEqual(self.calls(), [["shcverify", "lint", "--offline", "--", *expected]])
        self.assert_nothing_ran()

    def test_real_program_judges_changed_files(self):
        (self.work / "-good.jws").write_bytes(self.good)
        (self.work / "-bad.jws").write_bytes(self.bad)
        shutil.copy(VECTORS / "keys" / "issuer-a.jwks.json", self.work / "jwks.json")
        self.assertEqual(self.hook("shcverify-lint", ["-good.jws"]).returncode, 0)
        self.assertEqual(self.hook("shcverify-lint", ["-good.jws", "-bad.jws"]).returncode, 10)
        self.assertEqual(self.hook("shcverify-lint-keys", ["jwks.json"]).returncode, 0)
        private = next((VECTORS / "keys").glob("*issuer-a.private.jwk.json")).read_text()
        (self.work / "jwks.json").write_text('{"keys":[' + private + "]}")
        self.assertEqual(self.hook("shcverify-lint-keys", ["jwks.json"]).returncode, 10)

    def test_args_must_end_the_options(self):
        result = self.hook("shcverify-lint", ["--help"], args=["--offline"])
        self.assertEqual(result.returncode, 64)
        self.assertIn(b'put "--" between', result.stderr)
        self.assertEqual(result.stdout, b"")

    def test_hooks_take_files_by_name(self):
        taken = {
            "shcverify-lint": ["card.smart-health-card", "a/b.jws", "a b.hc1"],
            "shcverify-lint-keys": ["jwks.json", ".well-known/jwks.json", "keys/issuer-a.jwks.json"],
        }
        for hook in HOOKS:
            for identifier, names in taken.items():
                for name in names:
                    self.assertEqual(bool(re.search(hook["files"], name)), identifier == hook["id"], (hook["id"], name))
            self.assertTrue(os.access(ROOT / hook["entry"], os.X_OK))
            self.assertEqual((hook["language"], hook["args"][-1]), ("script", "--"))
            for name in ["notes.txt", "xjws", "my-jwks.json.bak", "package.json"]:
                self.assertIsNone(re.search(hook["files"], name), name)


unittest.main()
