"""Vectors for lint: for each rule, inputs that break it, and inputs that just follow it."""

from blocks import minify, pretty

AT = "2026-06-01T00:00:00Z"


class LintVectors:
    """A collection of files and vectors."""

    def __init__(self):
        self.files, self.vectors, self.options = {}, [], {}

    def add(self, rule, name, content, *others, departs=True, args=(), also=(), suffix=None):
        """One vector.

        rule: the rule's id, "code/name". name: distinguishes the rule's vectors. content, others: the inputs, each bytes, a string,
        or a value to be written as minified JSON. departs: whether the inputs break the rule, and also the rules in `also`; if not,
        only the rules in `also` are broken. args: options, in which a tuple (suffix, content) stands for a file; a third element is written before it.
        """
        files = [self.store(f"lint/{rule}/{name}" + (f"-{i}" if i else ""), each, suffix) for i, each in enumerate((content, *others))]
        options = []
        for i, each in enumerate(args):
            if isinstance(each, tuple):
                # Many vectors share a key set. It is stored once, under the name of the first vector.
                path = self.options.get(repr(each[:2])) or self.store(f"lint/{rule}/{name}-option-{i}", each[1], each[0])
                self.options[repr(each[:2])] = path
                each = "".join(each[2:]) + "{" + path + "}"
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
