"""The dialogue of Tartaglia's programs: one JSON object per line on stdin and stdout. Needs only Python 3.8.

Do not use print(), which would write into the dialogue. Use log() instead; only your team can read it.
"""

import json
import os
import random
import sys


def log(*words):
    """Prints for your own team."""
    print(*words, file=sys.stderr, flush=True)


def play(answer, case_answer=None):
    """Plays a match. answer(message) returns the answer to a question as a dictionary. case_answer(message) answers a saved
    message for agent_test.py; None: as answer does."""
    if sys.argv[1:2] == ["--case"]:
        from agent_test import play_case

        play_case(sys.argv[2], case_answer or answer)
    # With equal seeds this program plays equal matches.
    random.seed(os.environ.get("TARTAGLIA_SEED"))
    for line in sys.stdin:
        message = json.loads(line)
        # A "refused" line needs no answer: it gives the fault of the last answer, or says that it came too late.
        if message.get("type") == "refused":
            log("refused:", message["text"])
        elif message.get("question") is not None:
            reply = answer(message)
            if not isinstance(reply, dict):
                raise TypeError(f"the answer to {message['type']!r} must be a dictionary, and is {reply!r}")
            sys.stdout.write(json.dumps({**reply, "question": message["question"]}) + "\n")
            sys.stdout.flush()
