"""Compares muster's solvers with OpenSpiel's: compare_open_spiel.py MUSTER [--json] [--games …] [--seconds S] [--long].

What must agree: the numbers of information sets and histories; the value of the average strategy after 100 iterations
and NashConv up to iteration 100, to 1e-9; later NashConv within a factor of 1.3, since it then depends on the order of
summation. Both sides use alternating updates. Exit code 3 if something differs.
"""

import argparse
import json
import subprocess
import sys
import time

import pyspiel
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import discounted_cfr, exploitability

EXACT_UNTIL = 100
TOLERANCE = 1e-9
FACTOR = 1.3
ROUND_TIMES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

GOOFSPIEL = "goofspiel(imp_info=True,num_cards=%d,points_order=descending,players=2,returns_type=win_loss)"
# Name in reports; muster's game and options; OpenSpiel's game.
GAMES = {
    "kuhn": ("kuhn", [], "kuhn_poker"),
    "leduc": ("leduc", [], "leduc_poker"),
    "leduc-isomorphic": ("leduc", ["suits=isomorphic"], "leduc_poker(suit_isomorphism=True)"),
    "liars-dice": ("liars-dice", [], "liars_dice"),
    "goofspiel-3": ("goofspiel", ["cards=3"], GOOFSPIEL % 3),
    "goofspiel-4": ("goofspiel", ["cards=4"], GOOFSPIEL % 4),
}
# The last iteration to compare, by game: for the C++ solvers and for the Python ones. OpenSpiel makes about 5
# iterations a second of liar's dice in C++, and one in ten seconds in Python.
LAST = {"liars-dice": (100, 0), "leduc": (1000, 50), "leduc-isomorphic": (1000, 100), "goofspiel-4": (1000, 200)}
LAST_LONG = {"liars-dice": (1000, 2), "leduc": (5000, 200), "leduc-isomorphic": (5000, 500)}
SOLVERS = {
    "cfr": (pyspiel.CFRSolver, "C++"),
    "cfr+": (pyspiel.CFRPlusSolver, "C++"),
    "lcfr": (discounted_cfr.LCFRSolver, "Python"),
    "dcfr": (discounted_cfr.DCFRSolver, "Python"),
}


def load(name):
    game = pyspiel.load_game(GAMES[name][2])
    is_turn_based = game.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    return game if is_turn_based else pyspiel.convert_to_turn_based(game)


def muster(binary, words):
    ran = subprocess.run([binary, *words, "--json"], capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"error: {' '.join([binary, *words])}: {ran.stderr.strip()}")
    return json.loads(ran.stdout)


def solve(binary, name, algorithm, iterations):
    game, options, _ = GAMES[name]
    rules = [word for option in options for word in ("--rule", option)]
    return muster(binary, ["solve", game, *rules, "--algorithm", algorithm, "--iterations", str(iterations)])


def count_histories(state):
    nodes, frontier = 0, [state]
    while frontier:
        state = frontier.pop()
        nodes += 1
        if not state.is_terminal():
            frontier.extend(state.child(action) for action in state.legal_actions())
    return nodes


def nash_conv(game, policy, language):
    if language == "C++":
        return pyspiel.nash_conv(game, policy)
    return float(exploitability.nash_conv(game, policy))


def value(state, policy):
    """The first player's expected utility, by OpenSpiel's rules and policy."""
    if state.is_terminal():
        return state.returns()[0]
    if state.is_chance_node():
        return sum(p * value(state.child(action), policy) for action, p in state.chance_outcomes())
    if isinstance(policy, policies.Policy):
        probabilities = policy.action_probabilities(state).items()
    else:
        probabilities = policy.get_state_policy(state)
        probabilities = probabilities.items() if isinstance(probabilities, dict) else probabilities
    return sum(p * value(state.child(action), policy) for action, p in probabilities if p > 0)


class Report:
    def __init__(self, is_json):
        self.is_json = is_json
        self.rows = {"sizes": [], "values": [], "points": [], "speeds": []}
        self.n_different = 0

    def add(self, kind, row, text, agrees=True):
        row["agrees"] = agrees
        self.rows[kind].append(row)
        self.n_different += not agrees
        if not self.is_json:
            print(text + ("" if agrees else "   DIFFERS"), flush=True)

    def end(self):
        if self.is_json:
            print(json.dumps({**self.rows, "different": self.n_different, "open_spiel": OPEN_SPIEL}))
        else:
            n = sum(len(rows) for kind, rows in self.rows.items() if kind != "speeds")
            print(f"{n} comparisons, {self.n_different} different")
        sys.exit(3 if self.n_different else 0)


OPEN_SPIEL = "2.0.2"


def compare_sizes(report, binary, name, game):
    ours = solve(binary, name, "uniform", 1)
    theirs = {
        "information_sets": len(policies.TabularPolicy(game).state_lookup),
        "histories": count_histories(game.new_initial_state()),
    }
    for what, number in theirs.items():
        row = {"game": name, "what": what, "open_spiel": number, "muster": ours[what]}
        report.add("sizes", row, f"{name:17} {what:17} {number:>9,} {ours[what]:>9,}", number == ours[what])


def compare_curve(report, binary, name, game, algorithm, last):
    solver_class, language = SOLVERS[algorithm]
    times = [t for t in ROUND_TIMES + [2000, 5000] if t <= last]
    if not times:
        return
    ours = {p["iteration"]: p["nash_conv"] for p in solve(binary, name, algorithm, times[-1])["curve"]}
    solver, done = solver_class(game), 0
    for t in times:
        for _ in range(t - done):
            solver.evaluate_and_update_policy()
        done = t
        average = solver.average_policy()
        theirs = nash_conv(game, average, language)
        if t <= EXACT_UNTIL:
            agrees = abs(ours[t] - theirs) <= TOLERANCE
        else:
            agrees = theirs / FACTOR <= ours[t] <= theirs * FACTOR
        row = {"game": name, "algorithm": algorithm, "iteration": t, "open_spiel": theirs, "muster": ours[t]}
        text = f"{name:17} {algorithm:5} {t:>5} {theirs:>18.12f} {ours[t]:>18.12f} {ours[t] - theirs:>+10.1e}"
        report.add("points", row, text, agrees)
        if t == min(EXACT_UNTIL, times[-1]):
            theirs, found = value(game.new_initial_state(), average), solve(binary, name, algorithm, t)["value"]
            row = {"game": name, "algorithm": algorithm, "iteration": t, "open_spiel": theirs, "muster": found}
            text = f"{name:17} {algorithm:5} {t:>5} {theirs:>18.12f} {found:>18.12f}   (value)"
            report.add("values", row, text, abs(found - theirs) <= TOLERANCE)


def fastest(run, seconds, n_parts=10):
    """Iterations a second of the fastest of ten parts, as `muster bench cfr` counts."""
    best = 0.0
    run()
    for _ in range(n_parts):
        n, begun = 0, time.perf_counter()
        while n == 0 or time.perf_counter() - begun < seconds / n_parts:
            run()
            n += 1
        best = max(best, n / (time.perf_counter() - begun))
    return best


def compare_speed(report, binary, name, game, algorithm, seconds, turns=3):
    """By turns, so that whatever else the machine does falls on both."""
    muster_game, options, _ = GAMES[name]
    ours, theirs = 0.0, 0.0
    solver = SOLVERS[algorithm][0](game)
    words = ["bench", "cfr", "--games", ":".join([muster_game, *options]), "--algorithms", algorithm]
    for _ in range(turns):
        theirs = max(theirs, fastest(solver.evaluate_and_update_policy, seconds))
        found = muster(binary, [*words, "--seconds", str(seconds)])["rows"][0]
        ours = max(ours, found["iterations_per_s"])
    row = {"game": name, "algorithm": algorithm, "open_spiel": theirs, "muster": ours, "ratio": ours / theirs}
    language = SOLVERS[algorithm][1]
    text = f"{name:17} {algorithm:5} {theirs:>12,.1f} ({language}) {ours:>12,.0f} iterations a second: {ours / theirs:,.0f} times"
    report.add("speeds", row, text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("muster")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--games", default=",".join(GAMES), help=", ".join(GAMES))
    parser.add_argument("--seconds", type=float, default=5.0, help="of each timed part")
    parser.add_argument("--long", action="store_true", help="liar's dice further, and the slow Python solvers")
    args = parser.parse_args()
    names = args.games.split(",")
    for name in names:
        if name not in GAMES:
            parser.error(f"unknown game {name}; there is {', '.join(GAMES)}")
    report = Report(args.json)
    last = {**LAST, **(LAST_LONG if args.long else {})}
    games = {name: load(name) for name in names}
    for name, game in games.items():
        compare_sizes(report, args.muster, name, game)
    for name, game in games.items():
        for algorithm, (_, language) in SOLVERS.items():
            in_cpp, in_python = last.get(name, (1000, 1000))
            compare_curve(report, args.muster, name, game, algorithm, in_cpp if language == "C++" else in_python)
    for name, game in games.items():
        for algorithm in ("cfr", "cfr+"):
            compare_speed(report, args.muster, name, game, algorithm, args.seconds)
    report.end()


main()
