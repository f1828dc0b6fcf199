#!/usr/bin/env python3
"""A player that chooses at random: the smallest program that can take a seat.

It reads JSON lines and answers each "choose" with one line:

    {"hello": {"game": "cluedo", "version": "0.1.0", "options": {}, "seat": 2, "seats": 6}}
    {"sight": {...}}                      what this seat saw; the first one is the deal
    {"choose": ["suggest plum rope hall", ...]}      ->  {"action": "suggest plum rope hall"}

At the end of the match the input is closed.
    ken play cluedo --against "exec:python3 examples/external/random_player.py"
"""
import json
import random
import sys

chance = random.Random()
memory = []

for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        # An optional argument makes the choices repeatable; the match never tells its own seed.
        chance.seed(f"{sys.argv[1]} {message['hello']['seat']}" if len(sys.argv) > 1 else None)
    elif "sight" in message:
        memory.append(message["sight"])
    elif "choose" in message:
        print(json.dumps({"action": chance.choice(message["choose"])}), flush=True)
