"""Completes command lines in a real shell: complete.py SHELL PROGRAM

Standard input has the lines as a JSON array. Standard output gets, for each line, what the shell makes of it if every
completion is inserted: a list of words. The folder is the current one. bash and zsh run on a terminal, as they do for people.
"""

import json
import os
import pty
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Readline inserts all completions at the place of the word, and the second key prints the line.
BASH = r"""
source "$SCRIPT"
bind 'set completion-query-items 0'
bind 'set disable-completion off'
bind '"\C-t": insert-completions'
answer() { printf '%s\n' "$READLINE_LINE" > "$ANSWER.part"; mv "$ANSWER.part" "$ANSWER"; READLINE_LINE=; }
bind -x '"\C-g": answer'
"""

# The completer _all_matches inserts all completions at the place of the word.
ZSH = r"""
fpath=("$FOLDER" $fpath)
autoload -Uz compinit
compinit -u -d "$FOLDER/dump"
zstyle ':completion:*' completer _complete
zle -C all-matches complete-word _generic
zstyle ':completion:all-matches:*' completer _all_matches _complete
zstyle ':completion:all-matches:*' insert true
answer() { print -r -- "$BUFFER" > "$ANSWER.part"; mv "$ANSWER.part" "$ANSWER"; BUFFER= }
zle -N answer
bindkey '^T' all-matches
bindkey '^G' answer
"""


class Terminal:
    """A shell on a terminal, in which the answer to each line goes to a file."""

    def __init__(self, command, environment, answer):
        self.answer = answer
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvpe(command[0], command, environment)

    def read(self, seconds):
        while select.select([self.terminal], [], [], seconds)[0]:
            os.read(self.terminal, 65536)
            seconds = 0

    def complete(self, line):
        self.answer.unlink(missing_ok=True)
        os.write(self.terminal, line.encode() + b"\x14\x07")
        end = time.monotonic() + 1800
        while not self.answer.exists():
            self.read(0.02)
            if time.monotonic() > end:
                sys.exit(f"complete.py: no answer to {line!r}")
        return self.answer.read_text()

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.process, 0)


def in_terminal(shell, script, lines, folder):
    answer, start = folder / "answer", folder / "start"
    start.write_text(BASH if shell == "bash" else ZSH)
    environment = dict(os.environ, SCRIPT=str(script), FOLDER=str(folder), ANSWER=str(answer), TERM="dumb", ZDOTDIR=str(folder))
    command = [shell, "--noprofile", "--rcfile", str(start), "-i"]
    if shell == "zsh":
        start.rename(folder / ".zshrc")
        command = [shell, "-d", "-i"]
    terminal = Terminal(command, environment, answer)
    try:
        return [terminal.complete(line).split() for line in lines]
    finally:
        terminal.close()


def in_fish(script, lines):
    def complete(line):
        answer = subprocess.run(["fish", "--no-config", "-c", "source $SCRIPT; complete -C $LINE"], capture_output=True, text=True,
                                check=True, env=dict(os.environ, SCRIPT=str(script), LINE=line))
        if answer.stderr:
            sys.exit(f"complete.py: {answer.stderr}")
        return [word.split("\t")[0] for word in answer.stdout.splitlines()]
    return [complete(line) for line in lines]


def main(shell, program):
    lines = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # zsh finds a function in the file of its name.
        script = folder / ("_shcverify" if shell == "zsh" else "script")
        text = subprocess.run([program, "--generate-completion-script", shell], capture_output=True, text=True, check=True).stdout
        script.write_text(text)
        os.environ["PATH"] = f"{Path(program).parent}:{os.environ['PATH']}"
        print(json.dumps(in_fish(script, lines) if shell == "fish" else in_terminal(shell, script, lines, folder)))


if __name__ == "__main__":
    main(*sys.argv[1:])
