"""Reads `go test -json`, prints what go test prints and what took longest, and fails on
a skipped test."""

import json
import sys

SLOWEST = 30
NOISE = ("=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME ", "PASS\n", "FAIL\n")
said = {}  # by package (or what was built) and test
passed, failed, skipped, broken = 0, 0, 0, False
tests, packages = [], []  # (seconds, name)


def show_slowest(what, timed):
    print(f"the slowest {what}, in seconds:")
    for seconds, name in sorted(timed, reverse=True)[:SLOWEST]:
        print(f"{seconds:9.2f}  {name}")


for line in sys.stdin:
    try:
        event = json.loads(line)
    except ValueError:
        print(line, end="")  # a word of the go command itself
        continue
    action, test = event["Action"], event.get("Test", "")
    where = event.get("Package", event.get("ImportPath"))
    if action in ("output", "build-output"):
        if not event["Output"].startswith(NOISE):
            said.setdefault(where, {}).setdefault(test, []).append(event["Output"])
    elif action not in ("pass", "fail", "skip", "build-fail"):
        continue
    elif test:
        passed += action == "pass"
        failed += action == "fail"
        skipped += action == "skip"
        if "/" not in test:  # a subtest's time is within its test's
            tests.append((event.get("Elapsed", 0), f"{where} {test}"))
        if action == "pass":
            said.get(where, {}).pop(test, None)
    else:
        broken |= action.endswith("fail")
        packages.append((event.get("Elapsed", 0), where))
        for name, lines in sorted(said.pop(where, {}).items(), key=lambda item: (item[0] == "", item[0])):
            print("".join(lines), end="", flush=True)

show_slowest("packages", packages)
show_slowest("tests", tests)
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if broken or failed or skipped or not passed else 0)
