"""Haggling for Python programs."""

from messages import Said, Told
from tartaglia import play


def play_haggle(make_agent):
    """make_agent(me, counts, values, max_rounds) returns an object with the method offer(offered), which returns what you
    demand, or None to accept. offered is what the partner leaves you; None: there has been no offer yet."""
    agent = None

    def answer(message: Told) -> Said:
        nonlocal agent
        if message["type"] == "start":
            opt = message["opt"]
            agent = make_agent(opt["me"], opt["counts"], opt["values"], opt["max_rounds"])
            return {"type": "ready"}
        demand = agent.offer(message.get("offer"))
        return {"type": "offer"} if demand is None else {"type": "offer", "offer": demand}

    def case_answer(saved):
        if saved["type"] == "turn":
            return {"value": answer({"type": "offer", "offer": saved["offer"]}).get("offer")}
        answer({"type": "start", "opt": {**saved, "max_rounds": saved["maxRounds"]}})
        return None

    play(answer, case_answer)
