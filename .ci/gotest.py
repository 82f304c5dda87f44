"""Reads `go test -json`, prints what go test prints, and fails on a skipped test."""

import json
import sys

output, skipped, ran = {}, [], 0
failed = False


def key(event):
    return event.get("Package", event.get("ImportPath")), event.get("Test")


def flush(package):
    """Prints what the failed tests of a package said."""
    for (where, test), lines in output.items():
        if where == package and test and lines["failed"]:
            print("".join(lines["text"]), end="")


for line in sys.stdin:
    try:
        event = json.loads(line)
    except ValueError:
        print(line, end="")  # a word of the go command itself
        continue
    action, test = event["Action"], event.get("Test")
    lines = output.setdefault(key(event), {"text": [], "failed": False})
    if action in ("output", "build-output"):
        if test:
            lines["text"].append(event["Output"])
        elif event["Output"] not in ("PASS\n", "FAIL\n"):
            lines["text"].append(event["Output"])
    elif action == "fail":
        lines["failed"] = failed = True
    elif action == "skip" and test:
        skipped.append(f"{event['Package']} {test}")
    if action in ("pass", "fail", "skip") and not test:
        flush(event["Package"])
    if action in ("pass", "fail", "skip", "build-fail") and not test:
        print("".join(lines["text"]), end="", flush=True)
    ran += action == "pass" and test is not None

for name in skipped:
    print(f"skipped: {name}")
print(f"{ran} tests passed, {len(skipped)} skipped")
sys.exit(1 if failed or skipped or ran == 0 else 0)
