"""Runs a program on a terminal of its own, types a text, and prints what the terminal showed.

    terminal.py TEXT PROGRAM ARGUMENT...

The text is typed when the program has asked for something. If it has two parts, with U+001E between them, the first one is typed when the program
waits for a scanner. The last line says whether the terminal echoes at the end. The exit
code is that of the program, or 128 and the number of the signal that ended it.
"""

import fcntl
import os
import pty
import select
import sys
import termios
import time


def take(other):
    """Makes the terminal the one of this process."""
    os.setsid()
    fcntl.ioctl(other, termios.TIOCSCTTY, 0)
    for stream in (0, 1, 2):
        os.dup2(other, stream)


texts, command = sys.argv[1].split("\x1e"), sys.argv[2:]
# This handle keeps the terminal open when the program has ended.
terminal, other = pty.openpty()
pid = os.fork()
if pid == 0:
    os.login_tty(other) if hasattr(os, "login_tty") else take(other)
    os.execv(command[0], command)
shown, status = b"", None
deadline = time.monotonic() + 1800
while time.monotonic() < deadline:
    if select.select([terminal], [], [], 0.05)[0]:
        shown += os.read(terminal, 65536)
        # The prompt has ended, so echo is off.
        if texts and (b": " if len(texts) == 1 else b"Ctrl-D ends") in shown:
            os.write(terminal, texts.pop(0).encode())
        continue
    if status is not None:
        break
    ended, found = os.waitpid(pid, os.WNOHANG)
    if ended:
        status = found
if status is None:
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    sys.exit(99)
is_on = bool(termios.tcgetattr(other)[3] & termios.ECHO)
print(shown.decode(errors="replace").replace("\r\n", "\n").rstrip("\n"))
print("echo is on" if is_on else "echo is off")
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
