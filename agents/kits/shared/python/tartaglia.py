"""The dialogue of Tartaglia's programs: one JSON object a line on stdin and stdout. Needs nothing but Python 3.8.

print() would end up in the dialogue: what you want to see goes to log(), and only your team reads it.
"""

import json
import os
import random
import sys


def log(*words):
    """Prints for your own team."""
    print(*words, file=sys.stderr, flush=True)


def play(answer):
    """Plays a match. answer(message) gives the answer to each question, as a dictionary."""
    # Equal seeds give equal matches, as far as this program goes.
    random.seed(os.environ.get("TARTAGLIA_SEED"))
    for line in sys.stdin:
        message = json.loads(line)
        # A "refused" line wants no answer: it says what was wrong with the last one, or that it came too late.
        if message.get("type") == "refused":
            log("refused:", message["text"])
        elif message.get("question") is not None:
            sys.stdout.write(json.dumps({**answer(message), "question": message["question"]}) + "\n")
            sys.stdout.flush()
