"""Vectors for lint: for each rule what departs from it, and what is just inside the line."""

from blocks import minify, pretty

AT = "2026-06-01T00:00:00Z"


class LintVectors:
    """Files and vectors, collected."""

    def __init__(self):
        self.files, self.vectors, self.options = {}, [], {}

    def add(self, rule, name, content, *others, departs=True, args=(), also=(), suffix=None):
        """One vector.

        rule: the rule's id, "code/name". name: tells the vector from the rule's others. content, others: what is linted, each bytes, a
        string, or a value to be written as minified JSON. departs: whether the rule is departed from (and, with `also`, these rules as
        well); if not, nothing but `also` is found. args: options. In them, a tuple (suffix, content) stands for a file.
        """
        files = [self.store(f"lint/{rule}/{name}" + (f"-{i}" if i else ""), each, suffix) for i, each in enumerate((content, *others))]
        options = []
        for i, each in enumerate(args):
            if isinstance(each, tuple):
                # Many vectors share a key set; it is stored once, under the name of the first.
                path = self.options.get(repr(each)) or self.store(f"lint/{rule}/{name}-option-{i}", each[1], each[0])
                self.options[repr(each)] = path
                each = "{" + path + "}"
            options.append(each)
        self.vectors.append({"id": f"{rule}/{name}", "rule": rule, "departs": departs, "files": files, "args": ["--offline", "--at", AT, *options],
                             "findings": sorted([rule, *also] if departs else also)})

    def store(self, path, content, suffix):
        if isinstance(content, str):
            content, ending = content.encode(), ".txt"
        elif isinstance(content, bytes):
            ending = ".bin"
        else:
            content, ending = minify(content), ".json"
        path += suffix or ending
        assert self.files.setdefault(path, content) == content, path
        return path
