"""Verifies the record of a case: python3 verify-case.py case-1.jsonl class.pub

The chain and the signatures of all entries, each step by the rules of the stages, the lots, the votes and the rulings, as
docs/hearings.md describes them. Needs Python's standard library and the openssl command. Without a key the signatures are
not checked.
"""

import datetime, decimal, hashlib, json, pathlib, re, subprocess, sys, tempfile

ORDER = ["filed", "answer", "election", "hearing", "voting", "opening", "ruling", "appeal"]


MOMENT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"
SETTINGS = {
    *("mode", "times", "panel", "volunteersFirst", "chair", "quorum", "majority", "castingVote", "hideNames"),
}
CHOICES = {
    "mode": ("live", "writing"),
    "panel": ("all", 3, 5, 7),
    "chair": ("drawn", "elected"),
    "majority": ("half", "two-thirds"),
}
# The members of each step, beside its name.
ACTS = {
    "filed": "contest filer other against evidence rule asks text settings people lots",
    "admitted": "reason penalties",
    "dismissed": "reason",
    "answered": "text evidence salt",
    "volunteered": "salt",
    "conflict": "reason",
    "elected": "chair",
    "asked": "to text",
    "replied": "to text",
    "exhibited": "exhibit",
    "ended": "stage",
    "voted": "question commitment",
    "deadline": "to reason",
    "ruled": "broken penalty text",
    "appealed": "text salt",
    "withdrawn": "reason",
    "undone": "n",
    "opened": "question choice reason nonce fits",
    "refused": "person salt",
    "drawn": "seed panel filled",
    "lapsed": "stage",
    "left": "person",
    "barred": "person because",
    "clock": "ahead",
}


class NotGenuine(Exception):
    pass


def require(holds, why):
    if not holds:
        raise NotGenuine(why)


def canonical(value):
    """The text of RFC 8785. Numbers of a record have at most six decimals, and its names are ASCII."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float):
        return "" if value.is_integer() else format(decimal.Decimal(repr(value)), "f")
    return json.dumps(value, ensure_ascii=False)


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def signed(key, text, signature):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        # The key as DER: a fixed beginning and its 32 bytes.
        (path / "key").write_bytes(bytes.fromhex("302a300506032b6570032100" + key))
        (path / "text").write_bytes(text.encode())
        (path / "signature").write_bytes(bytes.fromhex(signature))
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", "key", "-rawin", "-in", "text"]
        return subprocess.run(command + ["-sigfile", "signature"], cwd=folder, capture_output=True).returncode == 0


def members(pairs):
    value = dict(pairs)
    require(len(value) == len(pairs), "a member is there twice")
    return value


def read(line, previous, key):
    """An entry whose hash, place and signature hold."""
    form = re.fullmatch(r'\{"b":(.*),"h":"([0-9a-f]{64})","s":"([0-9a-f]{128})"\}', line, re.DOTALL)
    require(form, "form")
    body, head, signature = form.groups()
    try:
        entry = json.loads(body, object_pairs_hook=members)
    except ValueError:
        raise NotGenuine("form")
    # One spelling only, so that a changed byte is never read as the same entry.
    require(canonical(entry) == body, "form")
    require(set(entry) == {"k", "case", "n", "class", "at", "by", "previous", "act"} and entry["k"] == "case", "form")
    require(type(entry["n"]) is int and "0001" <= entry["at"] < "9001", "form")
    act = entry["act"]
    for at in [entry["at"], act["to"]] if act["do"] == "deadline" else [entry["at"]]:
        # A date that does not exist is a ValueError.
        require(re.fullmatch(MOMENT, at) and time_of(at), "form")
    optional = {"admitted": {"settings"}, "lapsed": {"unopened"}}.get(act["do"], set())
    require(set(act) - optional == {"do", *ACTS[act["do"]].split()}, "form")
    require(act["do"] != "ended" or act["stage"] in ("answer", "election", "hearing"), "form")
    require(act.get("question", "broken") in ("broken", "penalty"), "form")
    require(("unopened" in act) == (act.get("stage") == "opening"), "form")
    require(act.get("because", "joined") in ("joined", "former", "ruling"), "form")
    ahead = act.get("ahead", 1)
    require(type(ahead) is int and 1 <= ahead <= 8640000000000000, "form")
    if "settings" in act:
        require(set(act["settings"]) == SETTINGS and set(act["settings"]["times"]) == set(ORDER), "form")
        quorum, times = act["settings"]["quorum"], act["settings"]["times"].values()
        require(type(quorum) is int and 1 <= quorum <= 100, "form")
        require(all(type(time) is int and 10 <= time <= 31536000 for time in times), "form")
        require(all(act["settings"][name] in values for name, values in CHOICES.items()), "form")
        switches = ("volunteersFirst", "castingVote", "hideNames")
        require(all(type(act["settings"][name]) is bool for name in switches), "form")
    for person in act.get("people", []):
        require(set(person) == {"id", "role", "side"} and re.fullmatch("[0-9a-f]{16}", person["id"]), "form")
        require(person["role"] in ("educator", "assistant", "student"), "form")
        require(person["side"] in (None, "filer", "other"), "form")
    for secret in ("salt", "seed", "nonce", "commitment"):
        given = act.get(secret) is not None or (secret in act and secret != "salt")
        require(not given or re.fullmatch("[0-9a-f]{64}", act[secret]), "form")
    require(head == sha256(entry["previous"] + "-" + sha256(body)), "hash")
    require(entry["previous"] == previous, "order")
    if key:
        require(entry["class"] == hashlib.sha256(bytes.fromhex(key)).hexdigest(), "key")
        text = canonical({"case": entry["case"], "head": head, "n": entry["n"], "signs": "tartaglia case"})
        require(signed(key, text, signature), "signature")
    return entry, head


def time_of(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f%z")


def later(at, seconds):
    moved = time_of(at) + datetime.timedelta(seconds=seconds)
    return moved.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moved.microsecond // 1000:03}Z"


def draw(seed, salts, people, out, volunteers, first, panel, earlier):
    """The panel, those who fill it, and the reserve."""
    seed, counter = sha256(" ".join([seed, *salts])), 0

    def below(n):
        nonlocal counter
        while True:
            word = int(sha256(f"{seed} {counter}")[:8], 16)
            counter += 1
            if word < 2**32 - 2**32 % n:
                return word % n

    free = [p for p in people if p["side"] is None]
    others = [p for p in free if p["id"] not in earlier]
    students = [p for p in others if p["role"] == "student"]
    groups = [
        [p for p in students if first and p["id"] in volunteers],
        [p for p in students if not (first and p["id"] in volunteers)],
        [p for p in others if p["role"] == "assistant"],
        [p for p in others if p["role"] == "educator"],
        [p for p in free if p["id"] in earlier],
    ]
    order = []
    for group in groups:
        ids = sorted(p["id"] for p in group)
        for last in range(len(ids) - 1, 0, -1):
            other = below(last + 1)
            ids[last], ids[other] = ids[other], ids[last]
        order += [i for i in ids if i not in out]
    own = {p["id"] for p in students} - out
    if panel == "all":
        size = len(order) if earlier else max(len(own), 3)
    else:
        size = panel + 2 if earlier else panel
    return order[:size], [i for i in order[:size] if i not in own], order[size:]


def has_quorum(settings, panel, present):
    return bool(panel) and present * 100 >= settings["quorum"] * len(panel)


def tally(settings, panel, chair, votes, present):
    """Quorum, whether the rule was broken, and the place of the penalty. A vote that was not opened is an abstention of a member present."""
    broken, penalty = votes["broken"], votes["penalty"]
    if not has_quorum(settings, panel, present):
        return {"quorum": False, "broken": False, "penalty": 0}
    chairs = {q: v.get(chair) if settings["castingVote"] else None for q, v in votes.items()}
    yes, no = list(broken.values()).count("yes"), list(broken.values()).count("no")
    if settings["majority"] == "half":
        found = chairs["broken"] == "yes" if yes == no and yes > 0 and chairs["broken"] in ("yes", "no") else yes > no
    else:
        found = yes > 0 and yes * 3 >= (yes + no) * 2
    if not found:
        return {"quorum": True, "broken": False, "penalty": 0}
    cast = list(penalty.values())
    choices = sorted({c for c in cast if c != "abstain"})
    leading = [c for c in choices if cast.count(c) == max(map(cast.count, choices))]
    chosen = chairs["penalty"] if chairs["penalty"] in leading else (leading[0] if leading else "0")
    return {"quorum": True, "broken": True, "penalty": int(chosen)}


class Case:
    """A case after its entries so far."""

    def __init__(self, entry):
        act = entry["act"]
        require(act["do"] == "filed" and entry["n"] == 1, "a record begins with the complaint")
        ids = [p["id"] for p in act["people"]]
        self.filed, self.settings, self.people = act, act["settings"], {p["id"]: p for p in act["people"]}
        require(sha256(act["rule"]["text"]) == act["rule"]["sha256"], "the text of the rule was changed")
        require(ids == sorted(set(ids)), "its people are not in their order")
        require(self.side(entry["by"]) == "filer", "it was not filed by the side that files it")
        self.id, self.of, self.n, self.at = entry["case"], entry["class"], 1, entry["at"]
        self.instance, self.penalties, self.answered, self.salts = 1, None, None, []
        self.volunteers, self.out, self.gone, self.refusals = set(), set(), set(), {}
        self.panel, self.reserve, self.chair, self.nominations, self.earlier = [], [], None, {}, []
        self.questions, self.ballots, self.rulings, self.outcome = [], [], [], "open"
        self.enter("filed")

    def side(self, person):
        return self.people.get(person, {}).get("side")

    def staff(self, person):
        return self.people[person]["role"] != "student"

    def enter(self, stage):
        self.stage, self.steps, self.made, self.extended, self.moves = stage, {}, {}, False, []
        self.deadline = later(self.at, self.settings["times"][stage]) if stage in ORDER else None

    def close(self, outcome):
        self.enter("closed")
        self.outcome = outcome

    def close_as_ruled(self):
        """An appeal that nobody judges keeps the first ruling."""
        self.close(("upheld" if self.rulings[-1] else "rejected") if self.rulings else "unheard")

    def apply(self, entry):
        act, by = entry["act"], entry["by"]
        require(entry["case"] == self.id and entry["class"] == self.of, "it belongs to another case")
        require(entry["n"] == self.n + 1, f"entry {self.n + 1} is missing")
        require(entry["at"] >= self.at, "it is dated before the entry before it")
        due = self.deadline is not None and entry["at"] >= self.deadline
        require(not due or act["do"] == "lapsed", "the deadline of the stage has passed")
        require(self.stage != "closed", "the case is closed")
        require(self.stage != "draw" or act["do"] in ("drawn", "left", "barred"), "the panel is being drawn")
        self.n, self.at = entry["n"], entry["at"]
        if by is None:
            require(act["do"] in ("drawn", "left", "lapsed", "barred", "clock"), "the program does not do this")
            if act["do"] == "left":
                require(act["person"] in self.people, "nobody of the case left")
                self.gone.add(act["person"])
                self.leave(act["person"])
            elif act["do"] == "barred":
                person = act["person"]
                free = person in self.people and self.side(person) is None and person not in self.out
                require(free, "only somebody who could be drawn is left out")
                self.leave(person)
            elif act["do"] == "drawn":
                self.drawn(act)
            elif act["do"] == "lapsed":
                require(act["stage"] == self.stage and due, "the deadline has not passed")
                unopened = self.unopened() if self.stage == "opening" else None
                require(act.get("unopened") == unopened, "it names others than those who have not opened their votes")
                self.lapsed()
            # A clock that was set back is told, and changes nothing: the times of the entries count.
            return
        require(by in self.people, "nobody of the case did it")
        require(by not in self.gone, "they have left the class")
        step = getattr(self, "do_" + act["do"], None)
        require(step, "only the program does this")
        free = act["do"] in ("voted", "opened", "ruled", "appealed") or (act["do"] == "replied" and act["to"] is not None)
        if not free:
            self.made[by] = self.made.get(by, 0) + 1
            require(self.made[by] <= 50, "they have made 50 entries in this stage already")
        step(act, by, entry)

    def penalties_asked(self):
        return [[], self.filed["asks"]] if self.filed["asks"] else [[]]

    def lapsed(self):
        if self.stage == "filed":
            self.penalties = self.penalties_asked()
            self.enter("answer")
        elif self.stage == "answer":
            self.enter("draw")
        elif self.stage == "election":
            self.elect()
        elif self.stage == "hearing":
            self.begin_vote()
        elif self.stage == "voting":
            self.begin_opening()
        elif self.stage == "opening":
            self.count()
        elif self.stage == "ruling":
            self.rule()
        else:
            self.close_as_ruled()

    def drawn(self, act):
        require(self.stage == "draw", "no panel is to be drawn now")
        commitment = sha256("tartaglia lot " + act["seed"])
        require(commitment == self.filed["lots"][self.instance - 1], "the seed of the lot is not the one that was committed to")
        out = self.out | {person for person in self.refusals.values() if person is not None}
        first, kind = self.settings["volunteersFirst"], self.settings["panel"]
        lot = draw(act["seed"], self.salts, self.filed["people"], out, self.volunteers, first, kind, self.earlier)
        require(lot[:2] == (act["panel"], act["filled"]), "the lot draws another panel")
        if not lot[0]:
            return self.close_as_ruled()
        self.panel, _, self.reserve = lot
        self.chair, self.nominations = self.panel[0], {}
        if self.settings["chair"] == "drawn" or len(self.panel) == 1:
            return self.enter("hearing")
        self.chair = None
        self.enter("election")

    def elect(self):
        cast = list(self.nominations.values())
        self.chair = max(self.panel, key=cast.count, default=None)
        self.enter("hearing")

    def in_office(self):
        return [member for member in self.panel if member not in self.out]

    def complete(self):
        votes = self.ballots[-1]["votes"]
        return all((member, question) in votes for member in self.in_office() for question in ("broken", "penalty"))

    def begin_vote(self):
        # Those who left after their vote were counted as present; in the next one they are missing.
        self.panel = self.in_office()
        if not self.panel:
            return self.close_as_ruled()
        self.ballots.append({"instance": self.instance, "votes": {}, "tally": None})
        self.enter("voting")

    def present(self):
        return sum(question == "broken" for _, question in self.ballots[-1]["votes"])

    def unopened(self):
        sealed = {voter for (voter, _), vote in self.ballots[-1]["votes"].items() if vote["state"] == "sealed"}
        return [member for member in self.in_office() if member in sealed]

    def begin_opening(self):
        if not has_quorum(self.settings, self.panel, self.present()):
            return self.count()
        self.enter("opening")
        self.count_if_open()

    def count_if_open(self):
        if not self.unopened():
            self.count()

    def count(self):
        ballot = self.ballots[-1]
        votes = {"broken": {}, "penalty": {}}
        for (voter, question), vote in ballot["votes"].items():
            if vote["state"] == "valid":
                votes[question][voter] = vote["choice"]
        ballot["tally"] = tally(self.settings, self.panel, self.chair, votes, self.present())
        first = sum(b["instance"] == self.instance for b in self.ballots) == 1
        if ballot["tally"]["quorum"] or (self.instance == 1 and not first):
            self.enter("ruling")
        elif first:
            self.begin_vote()
        else:
            self.close_as_ruled()

    def rule(self):
        broken = self.ballots[-1]["tally"]["broken"]
        self.rulings.append(broken)
        self.enter("appeal") if self.instance == 1 else self.close("upheld" if broken else "rejected")

    def leave(self, person):
        self.out.add(person)
        if person not in self.panel or self.stage == "draw":
            return
        heard = self.stage in ("election", "hearing")
        voting = self.stage == "voting"
        self.reserve = [i for i in self.reserve if i not in self.out]
        # Whoever has voted stays on the panel as somebody present.
        if heard or (voting and (person, "broken") not in self.ballots[-1]["votes"]):
            self.panel = [i for i in self.panel if i != person]
            if heard and self.settings["panel"] != "all" and self.reserve:
                self.panel.append(self.reserve.pop(0))
            if voting:
                self.ballots[-1]["votes"] = {k: v for k, v in self.ballots[-1]["votes"].items() if k[0] != person}
        if self.chair == person:
            self.chair = next(iter(self.in_office()), None)
        self.nominations = {k: v for k, v in self.nominations.items() if person not in (k, v)}
        self.steps = {n: s for n, s in self.steps.items() if s["by"] != person or s["act"]["do"] != "voted"}
        if not self.in_office() and not self.judged():
            self.close_as_ruled()
        elif self.stage == "election" and len(self.nominations) == len(self.panel):
            self.elect()
        elif voting and self.complete():
            self.begin_opening()
        elif self.stage == "opening":
            self.count_if_open()

    def judged(self):
        if self.stage == "opening":
            return any(vote["state"] != "sealed" for vote in self.ballots[-1]["votes"].values())
        return self.stage in ("ruling", "appeal")

    def salt(self, act, by):
        if act["salt"] is not None and not self.staff(by):
            self.salts.append(act["salt"])

    def do_admitted(self, act, by, entry):
        require(self.staff(by), "only educators and assistants admit or dismiss a case")
        require(self.stage == "filed", "the case was admitted already")
        require(act["penalties"][0] == [], "the first penalty has to be none")
        as_asked = act["penalties"] == self.penalties_asked() and "settings" not in act
        require(self.side(by) is None or as_asked, "a party admits a case only with what was asked for")
        self.penalties, self.settings = act["penalties"], act.get("settings", self.settings)
        self.enter("answer")

    def do_dismissed(self, act, by, entry):
        require(self.staff(by), "only educators and assistants admit or dismiss a case")
        require(self.stage == "filed", "the case was admitted already")
        require(self.side(by) is None, "nobody dismisses a case to which they are a party")
        self.close("dismissed")

    def do_answered(self, act, by, entry):
        require(self.stage == "answer" and self.side(by) == "other" and self.answered is None, "the other side answers once")
        self.salt(act, by)
        self.answered = self.n
        self.steps[self.n] = entry

    def do_volunteered(self, act, by, entry):
        require(self.stage == "answer" and self.side(by) is None and by not in self.volunteers, "out of turn")
        self.salt(act, by)
        self.volunteers.add(by)
        self.steps[self.n] = entry

    def do_refused(self, act, by, entry):
        side, person = self.side(by), act["person"]
        require(self.stage == "answer" and side is not None and side not in self.refusals, "each side refuses once")
        known = person is None or (person in self.people and self.side(person) is None)
        require(known, "only somebody who could be drawn can be refused")
        self.salt(act, by)
        self.refusals[side] = person
        if not self.settings["hideNames"]:
            self.steps[self.n] = entry

    def do_conflict(self, act, by, entry):
        require(self.side(by) is None and by not in self.out, "they are left out already")
        if self.stage == "answer":
            self.out.add(by)
            self.steps[self.n] = entry
            return
        require(by in self.panel and self.stage in ("election", "hearing"), "a conflict is declared before the vote")
        self.leave(by)

    def do_exhibited(self, act, by, entry):
        require(self.side(by) is not None and self.stage in ("answer", "hearing"), "out of turn")
        self.steps[self.n] = entry

    def do_asked(self, act, by, entry):
        require(self.stage == "hearing" and by in self.panel, "only the panel asks, in the hearing")
        self.questions.append({"n": self.n, "open": ["filer", "other"] if act["to"] == "both" else [act["to"]]})
        self.steps[self.n] = entry

    def do_replied(self, act, by, entry):
        side = self.side(by)
        require(self.stage == "hearing" and side is not None, "only the two sides reply, in the hearing")
        if act["to"] is not None:
            due = next((q for q in self.questions if side in q["open"]), None)
            require(due and due["n"] == act["to"], "the oldest open question to that side is answered first")
            due["open"].remove(side)
        self.steps[self.n] = entry

    def do_elected(self, act, by, entry):
        require(self.stage == "election" and by in self.panel and act["chair"] in self.panel, "out of turn")
        self.nominations[by] = act["chair"]
        self.steps[self.n] = entry
        if len(self.nominations) == len(self.panel):
            self.elect()

    def do_ended(self, act, by, entry):
        require(act["stage"] == self.stage, "that stage is not the present one")
        if self.stage == "hearing":
            require(by == self.chair, "the chair ends the hearing")
            require(not any(q["open"] for q in self.questions), "a question has no reply yet")
            spoken = {self.side(s["by"]) for s in self.steps.values() if s["act"]["do"] in ("replied", "exhibited")}
            require({"filer", "other"} <= spoken, "both sides have until the deadline to be heard")
            return self.begin_vote()
        require(self.staff(by) and self.side(by) is None, "educators and assistants who are not a party end this stage")
        if self.stage == "election":
            require(self.nominations, "nobody has voted for a chair yet")
            return self.elect()
        require(self.answered is not None or self.instance == 2, "the other side has not answered yet")
        require({"filer", "other"} <= self.refusals.keys(), "both sides may refuse a person first, or nobody")
        self.enter("draw")

    def do_voted(self, act, by, entry):
        votes, key = self.ballots[-1]["votes"] if self.ballots else {}, (by, act["question"])
        require(self.stage == "voting" and by in self.in_office(), "only the panel votes")
        require(key not in votes, "they have voted already")
        votes[key] = {"commitment": act["commitment"], "n": self.n, "state": "sealed"}
        self.steps[self.n] = entry
        if self.complete():
            self.begin_opening()

    def do_opened(self, act, by, entry):
        require(self.stage == "opening" and by in self.in_office(), "votes are not opened now")
        vote = self.ballots[-1]["votes"].get((by, act["question"]))
        require(vote and vote["state"] == "sealed", "they have not voted on this, or opened it already")
        text = {name: act[name] for name in ("choice", "nonce", "question", "reason")}
        text |= {"ballot": len(self.ballots), "case": self.id, "voter": by}
        choice, number = act["choice"], len(self.penalties)
        if act["question"] == "broken":
            known = choice in ("abstain", "yes", "no")
        else:
            known = choice == "abstain" or (re.fullmatch("[0-9]", choice) and int(choice) < number)
        fits = known and sha256(canonical(text)) == vote["commitment"]
        require(bool(fits) == act["fits"], "the record says otherwise whether the vote fits its commitment")
        vote["state"], vote["choice"] = "valid" if fits else "void", choice
        self.count_if_open()

    def do_deadline(self, act, by, entry):
        require(self.staff(by) and self.deadline is not None and act["to"] > self.at, "out of turn")
        require(act["to"] <= later(self.at, 31536000), "a deadline is moved by at most a year from now")
        before = (self.n, self.deadline, self.extended)
        if self.side(by) is not None:
            most = later(self.deadline, self.settings["times"][self.stage])
            once = not self.extended and self.deadline <= act["to"] <= most
            require(once, "a party can only give more time, once, and at most that of the stage")
            self.extended = True
        self.moves.append(before)
        self.deadline, self.steps[self.n] = act["to"], entry

    def do_ruled(self, act, by, entry):
        require(self.stage == "ruling" and by == self.chair, "the chair writes the ruling")
        result = self.ballots[-1]["tally"]
        same = (act["broken"], act["penalty"]) == (result["broken"], result["penalty"])
        require(same, "the votes have another result")
        self.rule()

    def do_appealed(self, act, by, entry):
        require(self.stage == "appeal" and self.side(by) is not None, "a ruling can be appealed once, in time")
        self.salt(act, by)
        self.instance, self.earlier, self.panel, self.reserve, self.chair = 2, self.panel, [], [], None
        self.out |= {person for person in self.refusals.values() if person is not None}
        self.refusals, self.questions = {}, []
        self.enter("answer")

    def do_withdrawn(self, act, by, entry):
        require(self.side(by) == "filer" and self.instance == 1, "only the side that filed the case can withdraw it")
        require(self.stage in ("filed", "answer", "election", "hearing"), "a case can be withdrawn until the vote begins")
        self.close("withdrawn")

    def do_undone(self, act, by, entry):
        step = self.steps.get(act["n"])
        require(step and step["by"] == by, "that entry cannot be taken back")
        n, what, side = act["n"], step["act"], self.side(by)
        if what["do"] == "answered":
            self.answered = None
        elif what["do"] == "volunteered":
            self.volunteers.discard(by)
        elif what["do"] == "conflict":
            self.out.discard(by)
        elif what["do"] == "refused":
            self.refusals.pop(side, None)
        elif what["do"] == "elected":
            newer = (s for m, s in self.steps.items() if m > n and s["by"] == by and s["act"]["do"] == "elected")
            if not any(newer):
                self.nominations.pop(by, None)
        elif what["do"] == "asked":
            question = next(q for q in self.questions if q["n"] == n)
            require(len(question["open"]) == (2 if what["to"] == "both" else 1), "the question has a reply already")
            self.questions.remove(question)
        elif what["do"] == "replied":
            for question in self.questions:
                if question["n"] == what["to"]:
                    question["open"].append(side)
        elif what["do"] == "deadline":
            moved, deadline, extended = self.moves.pop()
            require(moved == n, "the deadline was moved again since: that is taken back first")
            require(deadline > self.at, "the deadline before it has passed already")
            soon = side is None or self.at <= later(step["at"], 60)
            require(soon, "a party takes back time that it gave within 60 seconds")
            self.deadline, self.extended = deadline, extended
        elif what["do"] == "voted":
            votes = self.ballots[-1]["votes"]
            self.ballots[-1]["votes"] = {k: v for k, v in votes.items() if v["n"] != n}
        del self.steps[n]


def main(file, key=None):
    public = pathlib.Path(key).read_text().strip().removeprefix("tartaglia-ed25519:") if key else None
    lines = pathlib.Path(file).read_bytes().split(b"\n")
    case, head, number = None, "", 0
    for number, line in enumerate(lines[:-1] if lines[-1] == b"" else lines, 1):
        try:
            entry, head = read(line.decode(), head, public)
            if case is None:
                case = Case(entry)
            else:
                require(entry["act"]["do"] != "filed", "the case was filed already")
                case.apply(entry)
        except NotGenuine as why:
            sys.exit(f"{file}:{number}: not genuine: {why}")
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError):
            sys.exit(f"{file}:{number}: not genuine: form")
    if case is None:
        sys.exit(f"{file}:1: not genuine: it is empty")
    verdict = "genuine" if key else "intact, signatures not checked"
    print(f"{file}: {verdict}, {case.id}, {number} entries, stage {case.stage}, {case.outcome}, head {head}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
