#!/usr/bin/env python3
"""Checks the dossier in whose folder this file lies, with nothing but Python 3.8 or newer.

    python3 verify.py [FOLDER] [--key KEY]

KEY is the public key of the class, as you got it from the class itself: tartaglia-ed25519:... or a file of it.
The key in the folder proves nothing, because whoever made the folder has put it there.

Verdicts on each history and on the dossier, and the exit code (the worst counts):
  0  genuine: unchanged, and signed with the given key
  4  intact, signer unknown: unchanged, but nobody has said whose key it is
  1  not genuine: changed, incomplete, or not signed with the given key
  2  the folder or the key cannot be read

It does not play matches again through the rules, and checks neither the signed statements of schools about their
entries nor that a class gave the phrase it promised: `tartaglia dossier verify` does.
"""
import hashlib, hmac, json, os, re, sys

GENUINE, UNKNOWN, FALSE = "genuine", "intact, signer unknown", "not genuine"
FORMAT = "tartaglia-dossier/1"
# Kinds of items that say what an agent did when the program of the class ran it again.
AGAIN = ("asked-again", "played-again")
HEX = re.compile(r"[0-9a-f]{64}\Z")
SAFE = re.compile(r"(?!\.)[A-Za-z0-9._-]+(/(?!\.)[A-Za-z0-9._-]+)*\Z")


class Wrong(Exception):
    """Something that does not hold, as a clause for people."""


def need(holds, clause):
    if not holds:
        raise Wrong(clause)


def sha(data):
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()


def canonical(value):
    """RFC 8785, for texts, whole numbers, lists and objects with names in ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def unique(pairs):
    named = dict(pairs)
    need(len(named) == len(pairs), "a name occurs twice in an object")
    return named


def parsed(data):
    return json.loads(data.decode("utf-8"), object_pairs_hook=unique)


# Ed25519, as in RFC 8032.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def add(a, b):
    x, y = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    z, t = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = y - x, t - z, t + z, y + x
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    total = (0, 1, 1, 0)
    while number > 0:
        if number & 1:
            total = add(total, point)
        point, number = add(point, point), number >> 1
    return total


def decoded(data):
    """The point of 32 bytes; None: they are none."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT % P
    if (x * x - square) % P != 0 or (x == 0 and sign == 1):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


BASE = decoded(bytes.fromhex("58" + "66" * 31))


def signed_by(key, text, signature):
    """True if the signature, in hex, over the text was made with the key, in hex."""
    # One spelling only, so that a changed byte is never read as the same value.
    if not HEX.match(key) or not re.match(r"[0-9a-f]{128}\Z", signature):
        return False
    key, signature = bytes.fromhex(key), bytes.fromhex(signature)
    a, r, s = decoded(key), decoded(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + text.encode()).digest(), "little") % L
    left, right = times(s, BASE), add(r, times(k, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def signer_fault(key, wanted):
    """The clause about a key that is not the given one; None: it is, or none was given."""
    if wanted is None or key == wanted:
        return None
    return "it was signed with another key, whose fingerprint is " + sha(bytes.fromhex(key))


def node(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def checked_history(data):
    """Steps 1 to 7 of docs/histories.md. Returns the facts of the match; raises Wrong."""
    need(data.endswith(b"\n"), "it ends in the middle of a line")
    chain, count, values, salts, lines, moves = "", 0, {}, [], {}, 0
    header = outcome = b = None
    previous = ""
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        where = "line %d: " % number
        need(b is None or b["k"] != "proof", where + "the file continues after its proof")
        body, h = line[5:-72], line[-66:-2].decode("ascii", "replace")
        need(HEX.match(h) and line == b'{"b":' + body + b',"h":"' + h.encode() + b'"}', where + "it has not the form of a line")
        b = parsed(body)
        need(isinstance(b, dict) and isinstance(b.get("k"), str), where + "it has no kind")
        kind = b["k"]
        if kind == "blob":
            need(header is None, where + "a value after the header")
            need(h == sha("-" + sha(body)), where + "the hash does not match the line")
            text = body[len('{"k":"blob","sha256":"","value":') + 64 : -1]
            need(b["sha256"] == sha(text), where + "the value does not match its hash")
            values[b["sha256"]] = text
            continue
        need((kind == "header") == (header is None), where + "a line before the header, or a second header")
        need((kind == "proof") == (outcome is not None), where + "a line after the outcome, or a proof before it")
        need(kind in ("header", "input", "fault", "console", "redacted", "checkpoint", "outcome", "proof"), where + "an unknown kind")
        digest = b["digest"] if kind == "redacted" else sha(body)
        previous, chain = chain, sha(chain + ("+" if kind in ("console", "redacted") else "-") + digest)
        need(h == chain, where + "the hash does not match the line and those before it")
        if kind == "header":
            header = b
            need({b["config"], b["description"]} == set(values), where + "the values are not those of the header")
        if kind == "proof":
            continue
        need(b["n"] == count and b["r"] == header["r"], where + "a line is missing or too many")
        if kind == "input":
            need((b["audience"] == "public") == ("salt" not in b), where + "an input has a salt if it is not public")
            if "salt" in b:
                salts.append((where, b))
        moves += kind in ("input", "fault", "console", "redacted")
        lines[count] = (h, "console" if kind == "redacted" else kind, moves, b.get("at"), body)
        if kind == "outcome":
            outcome = b
        count += 1
    need(b is not None and b["k"] == "proof", "it ends before its proof")
    need(b["head"] == previous and b["contest"] == header["contest"] and b["match"] == header["match"], "the proof is for another match")
    need(header["commitment"] == sha(outcome["seed"] + outcome["nonce"]), "seed and nonce do not match the commitment")
    for where, s in salts:
        wanted = hmac.new(outcome["nonce"].encode(), ("salt %d" % s["n"]).encode(), "sha256").hexdigest()
        need(s["salt"] == wanted, where + "the salt does not match the nonce")
    reveal(b, header, outcome, values)
    value, at, last, path = hashlib.sha256(b"\0" + bytes.fromhex(previous)).digest(), b["index"], b["count"] - 1, list(b["path"])
    need(0 <= at <= last < 2**53, "the place under the root of the contest is impossible")
    while last > 0:
        if at % 2 == 1 or at != last:
            need(path, "the path to the root of the contest is too short")
            sibling = bytes.fromhex(path.pop(0))
            value = node(sibling, value) if at % 2 == 1 else node(value, sibling)
        at, last = at // 2, last // 2
    need(value.hex() == b["root"] and path == [], "the match is not under the root of the contest")
    root = {"contest": b["contest"], "count": b["count"], "root": b["root"], "signs": "tartaglia contest root"}
    need(signed_by(b["key"], canonical(root), b["signature"]), "the signature is not by the key")
    return {"contest": b["contest"], "match": b["match"], "head": previous, "key": b["key"], "lines": lines, "header": header}


def reveal(proof, header, outcome, values):
    if "reveal" not in proof:
        return
    contest, seed = parsed(values[header["description"]]), proof["reveal"]["seed"]
    if not HEX.match(str(contest.get("seed", ""))):
        return
    need(contest["seed"] == sha("seed:" + proof["reveal"]["nonce"] + seed), "the seed of the contest is not the one committed to")
    if "phrase" in contest:
        seed = sha("phrase:" + sha(seed) + contest["phrase"])
    number = header["match"]
    derived = hmac.new(seed.encode(), ("match %d" % number).encode(), "sha256").hexdigest()
    if "seeds" not in header:
        derived = sha("match:%d:%s" % (number, seed))
    need(outcome["seed"][8:] == derived[8:], "the seed of the match does not follow from that of the contest")


def path_of(contest, match):
    return "histories/%s/match-%04d.jsonl" % (contest, match)


def item_fault(item, histories, files):
    """Why an item does not hold; None: it does."""
    if item["kind"] == "rule":
        text = files.get("rules/%s.txt" % item["sha256"])
        if text is None:
            return "the text of the rule is missing"
        return None if sha(text) == item["sha256"] == sha(item["text"]) else "the text of the rule was changed"
    if item["kind"] == "note":
        return None
    need(item["kind"] in ("event", "verdict") + AGAIN, "it is of an unknown kind")
    place = item if item["kind"] == "verdict" else item["reference"]
    history = histories.get(path_of(place["contest"], place["match"]))
    if history is None:
        return "its history is missing, or not genuine"
    if history["head"] != place["head"]:
        return "its history is another one"
    if item["kind"] == "verdict":
        return None
    line = history["lines"].get(place["line"])
    if line is None or line[0] != place["hash"]:
        return "the history has no such line"
    facts, (_, kind, moves, at, body) = item["facts"], line
    if place["move"] != moves or facts["kind"] != kind or facts["at"] != at:
        return "the line is another kind of event, or of another time"
    if kind != "console" and not body.decode().startswith(facts["record"]):
        return "the line says something else than the dossier"
    if facts["players"] != [seat["name"] for seat in history["header"]["seats"]]:
        return "the match has other players"
    return agent_fault(item, history["header"]["seats"]) if item["kind"] in AGAIN else None


def agent_fault(item, seats):
    """Why the match does not have the agent in a seat that an item says played there; None: it has."""
    need(0 <= item["seat"] < len(seats), "the match has no such seat")
    played = seats[item["seat"]]["agent"] == item["agent"]
    if played == item["isPinned"]:
        return None
    return "another version played the seat" if item["isPinned"] else "this version did play the seat"


def told_lines(item):
    """An item that holds, in lines for people."""
    if "reference" not in item:
        return []
    lines = ["as recorded: " + item["reference"]["sentence"]]
    if item["kind"] == "asked-again":
        lines.append("the signer states that it asked %s again, version %s:" % (item["name"], item["agent"]))
        if item["failed"] is not None:
            lines.append("it failed: " + item["failed"]["text"])
        else:
            lines.append("it answered the same" if item["same"] else "it answered otherwise: " + " ".join(item["instead"]))
    if item["kind"] == "played-again":
        lines.append("the signer states that the match was played again with %s, version %s:" % (item["name"], item["agent"]))
        lines.append("it ended in the same way" if item["same"] else "it ended otherwise: " + item["result"])
    return lines


def read_folder(folder):
    """All files by their paths, with forward slashes."""
    files = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    files[os.path.relpath(path, folder).replace(os.sep, "/")] = file.read()
    return files


def checked_manifest(files):
    """The manifest; raises Wrong if it or a file is not as it was signed."""
    need("manifest.json" in files, "manifest.json is missing")
    manifest = parsed(files["manifest.json"])
    need(files["manifest.json"] == (canonical(manifest) + "\n").encode(), "manifest.json was changed: it is not in canonical form")
    need(set(manifest) == {"files", "format", "key", "signature"} and manifest["format"] == FORMAT, "manifest.json is of another format")
    listed = manifest["files"]
    for path in ("dossier.json", "index.html", "verify.py"):
        need(path in listed, path + " is not listed")
    for path, wanted in listed.items():
        need(SAFE.match(path), "manifest.json lists a file with an unsafe name")
        need(path in files, path + " is missing")
        need(sha(files[path]) == wanted, path + " was changed")
    text = canonical({"files": listed, "format": FORMAT, "signs": "tartaglia dossier"})
    need(signed_by(manifest["key"], text, manifest["signature"]), "the signature of manifest.json is not by its key")
    return manifest


def say(*words):
    """Prints text of strangers without characters that a terminal would obey."""
    print("".join(c if c.isprintable() else "\\u{%x}" % ord(c) for c in " ".join(words)))


def verdict_of(check):
    """The result of a check, or the clause about what is wrong."""
    try:
        return check(), None
    except Wrong as wrong:
        return None, str(wrong)
    except (ArithmeticError, AttributeError, KeyError, IndexError, LookupError, RecursionError, TypeError, ValueError) as error:
        return None, "it cannot be read (%s)" % type(error).__name__


def check_all(files, wanted):
    verdicts, histories = [], {}
    manifest, fault = verdict_of(lambda: checked_manifest(files))
    for path in sorted(path for path in files if path.startswith("histories/") and path.endswith(".jsonl")):
        match, wrong = verdict_of(lambda: checked_history(files[path]))
        if wrong is None:
            wrong = signer_fault(match["key"], wanted)
        if wrong is None and path != path_of(match["contest"], match["match"]):
            wrong = "it lies under the name of another match"
        if wrong is None:
            histories[path] = match
        verdicts.append(FALSE if wrong else UNKNOWN if wanted is None else GENUINE)
        say(path + ":", verdicts[-1] + (": " + wrong if wrong else ""))
    dossier, unread = verdict_of(lambda: parsed(files["dossier.json"]))
    wrong = fault or unread or signer_fault(manifest["key"], wanted)
    items = dossier.get("items") if isinstance(dossier, dict) else None
    for number, item in enumerate(items if isinstance(items, list) else [], 1):
        why, unreadable = verdict_of(lambda: item_fault(item, histories, files))
        why = why or unreadable
        told, untold = verdict_of(lambda: told_lines(item)) if why is None else ([], None)
        why = why or untold
        for at, line in enumerate(told or []):
            say("  %d. %s" % (number, line) if at == 0 else "     " + line)
        if why is not None:
            wrong = wrong or "item %d does not hold: %s" % (number, why)
            say("  %d. DOES NOT HOLD: %s" % (number, why))
    if manifest is not None:
        for path in sorted(set(files) - set(manifest["files"]) - {"manifest.json"}):
            say("note: %s is not a part of the dossier" % path)
    verdicts.append(FALSE if wrong else UNKNOWN if wanted is None else GENUINE)
    say("The dossier:", verdicts[-1] + (": " + wrong if wrong else ""))
    if manifest is not None and not wrong:
        say("Signed with tartaglia-ed25519:%s, fingerprint %s." % (manifest["key"], sha(bytes.fromhex(manifest["key"]))))
    if wanted is None:
        say("Give the key of the class, as you got it from the class itself, with --key.")
    return 1 if FALSE in verdicts else 4 if UNKNOWN in verdicts else 0


def given_key(text):
    if os.path.isfile(text):
        with open(text, encoding="utf-8") as file:
            text = file.read(1000)
    found = re.match(r"\s*tartaglia-ed25519:([0-9a-f]{64})\s*\Z", text)
    return None if found is None else found.group(1)


def main(arguments):
    # A name that the terminal, a file or a pipe cannot show must not end the program.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    wanted = None
    if "--help" in arguments or "-h" in arguments:
        print(__doc__)
        return 0
    if "--key" in arguments:
        at = arguments.index("--key")
        try:
            wanted = given_key(arguments[at + 1]) if at + 1 < len(arguments) else None
        except (OSError, ValueError):
            wanted = None
        if wanted is None:
            print("--key: expected tartaglia-ed25519: and 64 hex digits, or a file with that.", file=sys.stderr)
            return 2
        del arguments[at : at + 2]
    folder = arguments[0] if arguments else os.path.dirname(os.path.abspath(__file__))
    if len(arguments) > 1 or not os.path.isdir(folder):
        print("Expected one folder.", file=sys.stderr)
        return 2
    try:
        files = read_folder(folder)
    except (OSError, ValueError) as error:
        print("The folder cannot be read (%s)." % type(error).__name__, file=sys.stderr)
        return 2
    return check_all(files, wanted)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
