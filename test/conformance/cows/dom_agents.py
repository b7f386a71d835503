"""Agents in the manner of the organisers' demo agents of 2008, written from the description of the protocol alone.

They read messages with a DOM parser and take the second child of a cell as its content, which is there only because each tag is
followed by a newline. A connection for each user, a thread for each connection. Usage: dom_agents.py PORT USER:PASSWORD...
Prints one JSON object: what each agent was told.
"""

import json
import socket
import sys
import threading
from xml.dom import minidom

DIRECTIONS = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]


class Agent:
    def __init__(self, port, user, password):
        self.user = user
        self.told = {"simulations": [], "steps": 0, "cells": {}, "bye": False}
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.send("auth-request", "authentication", username=user, password=password)

    def send(self, kind, element, **attributes):
        document = minidom.Document()
        root = document.createElement("message")
        root.setAttribute("type", kind)
        inner = document.createElement(element)
        for name, value in attributes.items():
            inner.setAttribute(name, value)
        root.appendChild(inner)
        document.appendChild(root)
        self.socket.sendall(document.toxml(encoding="UTF-8") + b"\0")

    def receive(self):
        while b"\0" not in self.buffer:
            data = self.socket.recv(8192)
            if not data:
                return None
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return minidom.parseString(message).documentElement

    def run(self):
        while True:
            root = self.receive()
            if root is None:
                return
            kind = root.getAttribute("type")
            if kind == "auth-response":
                result = root.getElementsByTagName("authentication")[0].getAttribute("result")
                if result != "ok":
                    raise SystemExit("not let in: " + self.user)
            elif kind == "sim-start":
                start = root.getElementsByTagName("simulation")[0]
                names = ["id", "opponent", "steps", "gsizex", "gsizey", "corralx0", "corralx1", "corraly0", "corraly1"]
                self.told["simulations"].append({name: start.getAttribute(name) for name in names})
            elif kind == "request-action":
                self.act(root.getElementsByTagName("perception")[0])
            elif kind == "sim-end":
                result = root.getElementsByTagName("sim-result")[0]
                self.told["simulations"][-1]["result"] = result.getAttribute("result")
                self.told["simulations"][-1]["score"] = result.getAttribute("score")
            elif kind == "bye":
                self.told["bye"] = True

    def act(self, perception):
        self.told["steps"] += 1
        free = []
        for cell in perception.getElementsByTagName("cell"):
            # As the demo agents did: the first child is the text behind the tag.
            content = cell.childNodes[1].nodeName
            self.told["cells"][content] = self.told["cells"].get(content, 0) + 1
            place = (int(cell.getAttribute("x")), int(cell.getAttribute("y")))
            if content in ("empty", "corral") and max(abs(place[0]), abs(place[1])) == 1:
                free.append(place)
        step = int(perception.getAttribute("step"))
        x, y = int(perception.getAttribute("posx")), int(perception.getAttribute("posy"))
        places = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
        wanted = (x * 7 + y * 3 + step // 5) % 8
        kind = DIRECTIONS[wanted] if places[wanted] in free else "skip"
        self.send("action", "action", id=perception.getAttribute("id"), type=kind)


def main():
    port = int(sys.argv[1])
    agents = [Agent(port, *pair.split(":")) for pair in sys.argv[2:]]
    threads = [threading.Thread(target=agent.run) for agent in agents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({agent.user: agent.told for agent in agents}))


main()
