.PHONY: prove

# prove runs whole what CI samples: every loop of kills on both databases, the race
# detector over everything, and the fuzzers for longer. It takes hours, and wants what
# CONTRIBUTING.md names for nothing to be skipped.
prove:
	PORTAL_PROVE=1 go test -race -count=1 -timeout 6h ./...
	PORTAL_FUZZ_INPUTS=100000 bash .ci/run fuzz
