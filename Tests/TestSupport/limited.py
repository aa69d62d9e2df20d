"""Runs a program with low limits, or with unusual signal settings.

    limited.py [SETTING=VALUE …] PROGRAM [ARGUMENT …]

Settings: `files`, `inherited` (files that are open at the start), `addresses` and `data` (in MiB), `threads` (for a user without
other threads; this needs root), `ignored` and `blocked` (names of signals, separated by commas).
"""

import os
import resource
import signal
import sys

LIMITS = {
    "files": (resource.RLIMIT_NOFILE, 1),
    "addresses": (resource.RLIMIT_AS, 1 << 20),
    "data": (resource.RLIMIT_DATA, 1 << 20),
}

settings = {}
arguments = sys.argv[1:]
while "=" in arguments[0]:
    name, _, value = arguments.pop(0).partition("=")
    settings[name] = value

for name, (limit, unit) in LIMITS.items():
    if name in settings:
        value = int(settings[name]) * unit
        resource.setrlimit(limit, (value, value))
for _ in range(int(settings.get("inherited", 0))):
    os.set_inheritable(os.open("/dev/null", os.O_RDONLY), True)
if "ignored" in settings:
    for name in settings["ignored"].split(","):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
if "blocked" in settings:
    signal.pthread_sigmask(signal.SIG_BLOCK, {getattr(signal, name) for name in settings["blocked"].split(",")})
if "threads" in settings:
    os.setgroups([])
    user = 1_000_000 + os.getpid()
    os.setgid(user)
    os.setuid(user)
    resource.setrlimit(resource.RLIMIT_NPROC, (int(settings["threads"]),) * 2)
os.execv(arguments[0], arguments)
