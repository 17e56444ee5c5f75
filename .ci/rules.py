"""Precision per rule: rules.py ORACLE NAME=EDGES.jsonl …

Joins each edge with the oracle's verdict and prints, for every rule, how many
judged edges it made and how many of them are right.
"""
import collections
import os
import sys

sys.path.insert(0, sys.argv[1])
import score  # noqa: E402

RIGHT = {"tp"}


def verdicts(pair):
    name, _, path = pair.partition("=")
    gold = score.Gold(os.path.join(sys.argv[1], "gold"), name)
    for edge in score.rd(path):
        edge = score.norm(edge)
        if edge is None:
            continue
        verdict, why, _, _ = score.judge(edge, gold, 0)
        if verdict == "dispatch":
            verdict = "tp" if edge["resolution"] == "candidate" or why == 1 else "wrong"
        if verdict != "unjudged":
            yield edge, verdict in RIGHT


def main():
    right, judged = collections.Counter(), collections.Counter()
    for pair in sys.argv[2:]:
        for edge, ok in verdicts(pair):
            key = (edge["rule"], edge["resolution"])
            judged[key] += 1
            right[key] += ok
    print("\n| rule | resolution | judged | right | precision |\n| --- | --- | ---: | ---: | ---: |")
    for key in sorted(judged):
        print("| %s | %s | %d | %d | %.1f %% |" % (*key, judged[key], right[key], 100.0 * right[key] / judged[key]))


if __name__ == "__main__":
    main()
