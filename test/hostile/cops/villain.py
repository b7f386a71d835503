"""A cop that registers and then does harm. usage: villain.py DEED [FILE]"""
import os
import signal
import sys
import time

deed = sys.argv[1]
out = sys.stdout.buffer


def say(data):
    try:
        out.write(data if isinstance(data, bytes) else data.encode())
        out.flush()
    except OSError:
        sys.exit(0)


def until(last):
    for line in sys.stdin:
        if line.rstrip("\n") == last:
            return
    sys.exit(0)


names = {"name-of-another": "Fox", "long-name": "x" * 100, "too-long-name": "x" * 101, "name-with-escape": "a\x1b[2J"}
say("reg: %s cop-foot\n" % names.get(deed, "Villain"))
if deed == "never-reads":
    time.sleep(600)
until("wsk/")
while True:
    until("wor/")
    if deed == "flood":
        while True:
            say("inf\\\ninf/\n" * 1000)
    if deed == "flood-without-lines":
        while True:
            say("x" * 65536)
    if deed == "flood-of-one-message":
        say("inf\\\n")
        while True:
            say("inf: a b robber 1 1\n" * 1000)
    if deed == "flood-of-stderr":
        while True:
            sys.stderr.write("x" * 65536)
    if deed == "huge-line":
        say("inf: " + "x" * 10_000_000 + "\n")
    if deed == "too-many-lines":
        say("inf\\\n" + "inf: a b robber 1 1\n" * 1001 + "inf/\n")
    if deed == "not-utf-8":
        say(b"inf\\\ninf: \xff\xfe\x80 b robber 1 1\ninf/\n")
    if deed == "controls":
        say(b"inf\\\ninf: \x1b]0;pwned\x07 \x00 robber 1 1\ninf/\n")
    if deed == "forged-block":
        say("inf\\\nfrom: Fox\ninf: Fox a robber 1 1\ninf/\n")
    if deed == "message-of-the-server":
        say("game-over\n")
    if deed == "half-a-message":
        say("inf\\\ninf: a b")
        sys.exit(0)
    if deed == "dies":
        sys.exit(1)
    if deed == "closes-its-output":
        os.close(1)
        time.sleep(600)
    if deed == "empty-line":
        say("\n")
    if deed == "two-at-once":
        say("inf\\\ninf/\nplan\\\nplan/\n")
        until("from/")
        until("from/")
    elif deed == "early":
        # All of this world's messages before the second question; the ballot names the others as they were told.
        say("inf\\\ninf/\nplan\\\nplan/\nvote\\\n" + "".join("vote: %s\n" % name for name in ("Ann", "Bob", "Max", "Villain", "Zed")) + "vote/\nmov: r0 cop-foot\n")
        continue
    else:
        say("inf\\\ninf/\n")
        until("from/")
        say("plan\\\nplan/\n")
        until("from/")
    mine = names.get(deed, "Villain") if deed != "name-of-another" else "Fox3"
    say("vote\\\n" + "".join("vote: %s\n" % name for name in ("Ann", "Bob", mine, "Max", "Zed")) + "vote/\n")
    sys.stdin.readline()
    say("mov: r0 cop-foot\n")
    if deed == "stays":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with open(sys.argv[2], "w") as file:
            file.write(str(os.getpid()))
        until("game-over")
        while True:
            time.sleep(1)
