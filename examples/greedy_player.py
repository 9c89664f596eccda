#!/usr/bin/env python3
"""A War Chest player that knows nothing but Muster's player protocol (docs/player-protocol.md): it takes control
where it can, else attacks, else comes nearer to a location that it does not control.

    muster arena exec:"python3 examples/greedy_player.py" random --pairs 10
"""
import json
import random
import sys

STARTS = [{(4, 0), (6, 1)}, {(0, 5), (2, 6)}]
LOCATIONS = {(2, 1), (3, 2), (5, 3), (1, 3), (3, 4), (4, 5)}.union(*STARTS)


def hexes(action):
    return [tuple(map(int, part.split(","))) for part in action.split(":") if "," in part]


def to_go(place, mine):
    """Steps from a hex to the nearest location that is not mine."""
    steps = [(x - place[0], y - place[1]) for x, y in LOCATIONS - mine]
    return min((abs(dx) + abs(dy) + abs(dx + dy)) // 2 for dx, dy in steps)


def appeal(action, mine):
    verb, places = action.split(":")[0], hexes(action)
    if "control" in verb:
        return 100
    if "attack" in verb or verb in ("tactic_archer", "tactic_crossbowman", "tactic_lancer", "tactic_marshal"):
        return 50
    if "deploy" in verb and places:
        return 30 - to_go(places[0], mine)
    if len(places) == 2:  # a move from one hex to another
        return 10 + 5 * (to_go(places[0], mine) - to_go(places[1], mine))
    return {"recruit": 9, "bolster": 8}.get(verb, 0)


def answer(message):
    print(json.dumps(message), flush=True)


for message in map(json.loads, sys.stdin):
    if message["type"] == "hello":
        answer({"type": "ready", "protocol": 2, "player": "greedy_player.py"})
    elif message["type"] == "start":
        seat, mine = message["seat"], set(STARTS[message["seat"]])
        random.seed(message["game"])  # the same game again gives the same answers
    elif message["type"] == "event":
        who, what, _coin = message["event"].split()
        if "control" in what.split(":")[0]:
            (mine.update if who == ["white", "black"][seat] else mine.difference_update)(hexes(what))
    elif message["type"] == "act":
        best = max(message["legal"], key=lambda action: (appeal(action, mine), random.random()))
        answer({"type": "action", "action": best})
