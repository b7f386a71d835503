"""Haggling, as a Python program plays it."""

from tartaglia import play


def play_haggle(make_agent):
    """make_agent(me, counts, values, max_rounds) gives an object with offer(offered): what you demand, or None to accept.
    offered is what the partner leaves you, None when nothing has been offered yet."""
    agent = None

    def answer(message):
        nonlocal agent
        if message["type"] == "start":
            opt = message["opt"]
            agent = make_agent(opt["me"], opt["counts"], opt["values"], opt["max_rounds"])
            return {"type": "ready"}
        demand = agent.offer(message.get("offer"))
        return {"type": "offer"} if demand is None else {"type": "offer", "offer": demand}

    play(answer)
