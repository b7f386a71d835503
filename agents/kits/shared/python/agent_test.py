"""Plays the saved moves in cases/: "python3 agent_test.py". "npx tartaglia match replay HISTORY --seat 0 --until 1
--save cases/NAME.json" adds one. "python3 agent.py --case cases/NAME.json" plays a single one, for a debugger.
"""

import json
import subprocess
import sys
from pathlib import Path

# The answer of an agent that plays at random.
ANY = object()

# A case fails if the agent needs more seconds for all its messages.
SECONDS = 20

# The folder of the agent and of its cases, from wherever the tests are run.
FOLDER = Path(__file__).resolve().parent


def play_case(path, answer):
    """Asks a new agent for a saved move. answer(message) answers a message as both are saved; None: the message asks for nothing.
    Ends the program, with 1 if the last answer is another than the saved one."""
    try:
        saved = json.loads(Path(path).read_text("utf-8"))
        messages, expected = list(saved["messages"]), saved["answer"]
    except (OSError, ValueError, LookupError, TypeError) as wrong:
        sys.exit(f"{path} is not a saved move: {wrong!r}")
    said = [each for each in map(answer, messages) if each is not None]
    if not said:
        sys.exit("the agent said nothing")
    if said[-1] is not ANY:
        # As it is written.
        last = json.loads(json.dumps(said[-1]))
        if last != expected:
            sys.exit(f"answered {json.dumps(last)}, and the saved answer is {json.dumps(expected)}")
    sys.exit(0)


def run_case(path):
    """Plays a saved case with an agent of its own. Returns true if it passes, and the text that the agent printed or the fault."""
    command = [sys.executable, "agent.py", "--case", str(path)]
    try:
        played = subprocess.run(
            command, cwd=FOLDER, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired as late:
        printed = late.stderr.decode(errors="replace") if late.stderr else ""
        return False, f"{printed}no answer within {SECONDS} s"
    return played.returncode == 0, played.stderr.rstrip()


def main():
    paths = sorted((FOLDER / "cases").glob("*.json"))
    failed = 0
    for path in paths:
        passed, said = run_case(path)
        failed += not passed
        print("passed " if passed else "FAILED ", path.name, flush=True)
        if said:
            print("   ", said.replace("\n", "\n    "))
    print(f"{len(paths) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not paths else 0)


if __name__ == "__main__":
    main()
