"""The form of the files: the JSON schema of Project Wycheproof, with one case per line.

A case has a number, a comment, flags, what is judged, and `result`: `valid`; `invalid`; or `acceptable`, if the standard leaves it open or
readers differ. `notes` explains the flags.
"""

import json


class File:
    """A file of cases in groups."""

    def __init__(self, algorithm, schema, header, **notes):
        self.top = {"algorithm": algorithm, "schema": schema, "header": header}
        self.notes, self.groups, self.count = notes, [], 0

    def group(self, type, **members):
        """Begins a group. The cases after it belong to it."""
        self.groups.append(({"type": type, **members}, []))

    def case(self, comment, result, flags, **members):
        assert result in ("valid", "invalid", "acceptable"), result
        flags = [flags] if isinstance(flags, str) else list(flags)
        assert set(flags) <= set(self.notes), flags
        tests = self.groups[-1][1]
        self.count += 1
        tests.append({"tcId": self.count, "comment": comment, "flags": flags, **members, "result": result})

    def text(self):
        used = {flag for _, tests in self.groups for test in tests for flag in test["flags"]}
        assert used == set(self.notes), set(self.notes) - used
        line = lambda value: json.dumps(value, separators=(",", ":"))
        notes = ",\n".join(f"  {line(flag)}: {line({'description': words})}" for flag, words in self.notes.items())
        groups = []
        for group, tests in self.groups:
            assert tests, group
            cases = ",\n".join("    " + line(test) for test in tests)
            groups.append("  " + line(group)[:-1] + ',"tests": [\n' + cases + "\n  ]}")
        top = line({**self.top, "numberOfTests": self.count})[1:-1]
        return f'{{\n {top},\n "notes": {{\n{notes}\n }},\n "testGroups": [\n' + ",\n".join(groups) + "\n ]\n}\n"
