"""A team in one process and one thread, with select() and an event parser, in the manner of the Jason team of 2008: it answers
sim-start with an action that has no type, pings now and then, and signs in anew when no pong comes.

Usage: sax_agents.py PORT USER:PASSWORD... Prints one JSON object: what each agent was told.
"""

import json
import select
import socket
import sys
import xml.sax


class Reader(xml.sax.ContentHandler):
    def __init__(self):
        super().__init__()
        self.kind = None
        self.first = None
        self.cells = []

    def startElement(self, name, attrs):
        if name == "message":
            self.kind = attrs["type"]
        elif self.first is None:
            self.first = (name, dict(attrs))
        elif name == "cell":
            self.cells.append((int(attrs["x"]), int(attrs["y"]), []))
        elif self.cells:
            self.cells[-1][2].append((name, dict(attrs)))


class Agent:
    def __init__(self, port, user, password):
        self.port, self.user, self.password = port, user, password
        self.told = {"simulations": [], "requests": [], "pongs": 0, "cows": 0, "enemies": 0, "signIns": 0, "bye": False}
        self.connect()

    def connect(self):
        self.told["signIns"] += 1
        self.socket = socket.create_connection(("127.0.0.1", self.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""
        self.write('<authentication password="%s" username="%s"/>' % (self.password, self.user), "auth-request")

    def write(self, body, kind):
        text = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<message type="%s">%s</message>' % (kind, body)
        self.socket.sendall(text.encode() + b"\0")

    def readable(self):
        """False: the connection has ended."""
        data = self.socket.recv(65536)
        if not data:
            return False
        *messages, self.rest = (self.rest + data).split(b"\0")
        for message in messages:
            reader = Reader()
            xml.sax.parseString(message, reader)
            self.heard(reader)
        return True

    def heard(self, reader):
        attributes = {} if reader.first is None else reader.first[1]
        if reader.kind == "sim-start":
            self.told["simulations"].append([attributes["id"], attributes["opponent"]])
            self.write('<action id="%s"/>' % attributes["id"], "action")
        elif reader.kind == "request-action":
            step = int(attributes["step"])
            self.told["requests"].append(step)
            for x, y, contents in reader.cells:
                for name, of in contents:
                    self.told["cows"] += name == "cow" and of["ID"].isdigit()
                    self.told["enemies"] += name == "agent" and of["type"] == "enemy"
            if step % 7 == 3:
                self.write('<payload value="test:%d"/>' % step, "ping")
            kind = ["east", "west", "north", "south"][(step // 3) % 4]
            self.write('<action id="%s" type="%s"/>' % (attributes["id"], kind), "action")
            # Drops in the middle of the simulation, once.
            if step == 20 and self.told["signIns"] == 1 and self.user.endswith("1"):
                self.socket.close()
                self.connect()
        elif reader.kind == "pong":
            self.told["pongs"] += 1
        elif reader.kind == "sim-end":
            self.told["simulations"][-1] += [attributes["result"], attributes["score"]]
        elif reader.kind == "bye":
            self.told["bye"] = True


def main():
    port = int(sys.argv[1])
    agents = [Agent(port, *pair.split(":")) for pair in sys.argv[2:]]
    playing = list(agents)
    while playing:
        ready, _, _ = select.select([agent.socket for agent in playing], [], [])
        for agent in list(playing):
            if agent.socket in ready and not agent.readable():
                playing.remove(agent)
    print(json.dumps({agent.user: agent.told for agent in agents}))


main()
