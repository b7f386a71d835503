"""Cows and Herders for Python programs: one program plays all herders of a team."""

from messages import Told
from tartaglia import play


def play_cows(make_team):
    """make_team(start) returns an object with the method act(body, perception), which returns an action."""
    team = None

    def answer(message: Told):
        nonlocal team
        if message["type"] == "start":
            # Each herder receives the same message.
            team = team or make_team(message)
            answered = {"ready": True}
        else:
            answered = {"action": team.act(message["body"], message)}
        return {**answered, "body": message["body"]}

    def case_answer(saved):
        said = answer({"body": 0, **saved})
        return {name: value for name, value in said.items() if name != "body"}

    play(answer, case_answer)
