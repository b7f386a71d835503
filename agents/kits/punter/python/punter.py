"""Lambda Punter for Python programs."""

from messages import Said, Told
from tartaglia import log, play


def play_punter(make_agent):
    """make_agent(map, settings) returns an object with the method move(moves), which returns a move, and optionally futures()."""
    agent = None

    def answer(message: Told) -> Said:
        nonlocal agent
        for note in message.get("notes", []):
            log(note)
        if message["type"] == "setup":
            settings = {**message.get("settings", {}), "punter": message["punter"], "punters": message["punters"]}
            agent = make_agent(message["map"], settings)
            bets = agent.futures() if settings.get("futures") and hasattr(agent, "futures") else []
            return {"ready": message["punter"], "futures": bets}
        return {"stopped": True} if message["type"] == "stop" else agent.move(message["moves"])

    play(answer)
