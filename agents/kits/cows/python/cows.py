"""Cows and Herders, as a Python program plays it: one program for all herders of a team."""

from tartaglia import play


def play_cows(make_team):
    """make_team(start) gives an object with act(body, perception): an action."""
    team = None

    def answer(message):
        nonlocal team
        if message["type"] == "start":
            # Each herder is told the same.
            team = team or make_team(message)
            answered = {"ready": True}
        else:
            answered = {"action": team.act(message["body"], message)}
        return {**answered, "body": message["body"]}

    play(answer)
