"""A simple referee of Lambda Punter for two punters that pass: no rules, no time limits, no history.

Usage: punter-referee.py MAP. Prints its port, plays one game and exits. As the organisers' server of 2017 does, it
writes each message in two parts and leaves Nagle's algorithm on.
"""

import json
import socket
import sys


class Punter:
    def __init__(self, connection):
        self.connection = connection
        self.unread = b""

    def send(self, message):
        text = json.dumps(message).encode()
        self.connection.sendall(b"%d:" % len(text))
        self.connection.sendall(text)

    def receive(self):
        while True:
            colon = self.unread.find(b":")
            if colon >= 0:
                end = colon + 1 + int(self.unread[:colon])
                if len(self.unread) >= end:
                    text = self.unread[colon + 1 : end]
                    self.unread = self.unread[end:]
                    return json.loads(text)
            more = self.connection.recv(65536)
            if not more:
                sys.exit("A punter has left.")
            self.unread += more


with open(sys.argv[1]) as file:
    river_map = json.load(file)
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
punters = [Punter(listener.accept()[0]) for _ in range(2)]
for punter in punters:
    punter.send({"you": punter.receive()["me"]})
for seat, punter in enumerate(punters):
    punter.send({"punter": seat, "punters": 2, "map": river_map})
for punter in punters:
    punter.receive()
moves = [{"pass": {"punter": seat}} for seat in range(2)]
for turn in range(len(river_map["rivers"])):
    seat = turn % 2
    punters[seat].send({"move": {"moves": moves}})
    moves[seat] = punters[seat].receive()
for punter in punters:
    punter.send({"stop": {"moves": moves, "scores": [{"punter": seat, "score": 0} for seat in range(2)]}})
