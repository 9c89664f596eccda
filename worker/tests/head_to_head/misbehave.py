"""A player that plays its first legal actions and then does what its argument says, for the tests."""
import json
import os
import sys
import time

MODE, PIDS = sys.argv[1], sys.argv[2]
READY = {"type": "ready", "protocol": 2, "player": MODE}


def say(text):
    os.write(1, text.encode())


def misbehave(legal):
    good = json.dumps({"type": "action", "action": legal[0]}) + "\n"
    if MODE == "silent":
        time.sleep(1000)
    elif MODE == "partial":
        say(good[:-1])
        time.sleep(1000)
    elif MODE == "deaf":
        os.close(0)
        time.sleep(1000)
    elif MODE == "garbage":
        say("I resign!\n")
    elif MODE == "number":
        say("1\n")
    elif MODE == "binary":
        os.write(1, bytes(range(128, 256)) + b"\n")
    elif MODE == "ready-again":
        say(json.dumps(READY) + "\n")
    elif MODE == "illegal":
        say('{"type":"action","action":"fly:0,0"}\n')
    elif MODE == "twice":
        say(good + good)
    elif MODE == "huge":
        say("x" * 100_000 + "\n")
    elif MODE == "flood":
        while True:
            say("x" * 1000)
    elif MODE == "error":
        say('{"type":"error","message":"I do not know this card"}\n')
    elif MODE == "exit":
        sys.exit(7)
    elif MODE == "closed":
        os.close(1)
        time.sleep(1000)
    elif MODE == "memory":
        block = bytearray(2 << 30)
        say(good + chr(block[0]))
    elif MODE == "fork":
        if os.fork() == 0:
            with open(PIDS, "a") as file:
                print(os.getpid(), file=file)
            time.sleep(1000)
        os._exit(0)
    elif MODE == "stderr-flood":
        while True:
            os.write(2, b"y" * 4000 + b"\n")


with open(PIDS, "a") as file:
    print(os.getpid(), file=file)
print("hello from", MODE, file=sys.stderr, flush=True)
n_games = n_asked = 0
for message in map(json.loads, sys.stdin):
    if message["type"] == "hello":
        say(json.dumps(READY) + "\n")
    elif message["type"] == "start":
        n_games, n_asked = n_games + 1, 0
    elif message["type"] == "act":
        n_asked += 1
        if n_asked == 3 and (MODE != "second-game" or n_games == 2):
            MODE = "illegal" if MODE == "second-game" else MODE
            misbehave(message["legal"])
        else:
            say(json.dumps({"type": "action", "action": message["legal"][0]}) + "\n")
    elif message["type"] == "end":
        print("end", message["result"], message.get("forfeit"), file=sys.stderr, flush=True)
