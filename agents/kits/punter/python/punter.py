"""Lambda Punter, as a Python program plays it."""

from tartaglia import log, play


def play_punter(make_agent):
    """make_agent(map, settings) gives an object with move(moves): a move. Where it has futures(), that gives the futures."""
    agent = None

    def answer(message):
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
