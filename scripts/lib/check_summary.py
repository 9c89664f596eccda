"""Checks the summary of the smallest loop: check_summary.py SUMMARY.json."""

import json
import sys

summary = json.load(open(sys.argv[1]))
audit = summary["audit"]
wanted = {
    "a generation was made": summary["generations"] >= 1,
    "checkpoints were registered": summary["checkpoints"] >= 2,
    "rows were written": summary["training_rows"] > 0 and summary["audit_rows"] > summary["training_rows"],
    "no shard was refused": summary["rejected"] == 0,
    "every game replays": audit["games_replayed"] == summary["games"] > 0,
    "every row was derived again": audit["rows_checked"] == audit["rederived_equal"] == summary["training_rows"],
    "every world is valid": audit["worlds_invalid"] == 0 and audit["worlds_checked"] > 0,
    "no second truth differs": audit["differences"] == 0 and audit["two_world_pairs"] > 0,
    "the summary says what it does not show": "strength" in summary["note"],
}
failed = [what for what, holds in wanted.items() if not holds]
if failed:
    sys.exit("not so: " + "; ".join(failed) + "\n" + json.dumps(summary, indent=1))
print(f"{summary['games']} games, {summary['training_rows']} rows, all derived again")
