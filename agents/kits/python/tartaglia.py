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


def _say(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def _questions():
    for line in sys.stdin:
        message = json.loads(line)
        # A "refused" line wants no answer: it says what was wrong with the last one, or that it came too late.
        if message.get("type") == "refused":
            log("refused:", message["text"])
        elif message.get("question") is not None:
            yield message


def _seed():
    # Equal seeds give equal matches, as far as this program goes.
    random.seed(os.environ.get("TARTAGLIA_SEED"))


def play_specker(make_agent):
    """Plays the Specker Challenge Game. make_agent(start) gives an object with turn(view), which returns a list of actions."""
    _seed()
    agent = None
    for message in _questions():
        actions = []
        if message["type"] == "start":
            agent = make_agent(message)
        else:
            actions = agent.turn(message)
        _say({"question": message["question"], "actions": actions})


def play_haggle(make_agent):
    """Plays Haggling. make_agent(me, counts, values, max_rounds) gives an object with offer(o): what you demand, or None to
    accept; o is what the partner leaves you, None when nothing has been offered yet."""
    _seed()
    agent = None
    for message in _questions():
        if message["type"] == "start":
            opt = message["opt"]
            agent = make_agent(opt["me"], opt["counts"], opt["values"], opt["max_rounds"])
            _say({"type": "ready", "question": message["question"]})
        else:
            demand = agent.offer(message.get("offer"))
            answer = {"type": "offer", "question": message["question"]}
            if demand is not None:
                answer["offer"] = demand
            _say(answer)
