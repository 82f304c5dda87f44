package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// mostAtInit is what the packages of the program may allocate together before main runs, which
// every command pays for.
const mostAtInit = 6e6

func TestPackagesAllocateLittleBeforeMainRuns(t *testing.T) {
	t.Parallel()
	binary, err := crashing()
	orFail(t, err)
	version := exec.CommandContext(t.Context(), binary, "version")
	version.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	version.Stderr = &trace
	orFail(t, version.Run())
	all := 0
	for line := range strings.Lines(trace.String()) {
		// init PACKAGE @1.2 ms, 0.34 ms clock, 5678 bytes, 90 allocs (package runtime)
		if f := strings.Fields(line); len(f) == 11 && f[0] == "init" {
			n := 0
			_, err := fmt.Sscan(f[7], &n)
			orFail(t, err)
			all += n
		}
	}
	if all == 0 || all > mostAtInit {
		t.Errorf("%d bytes, at most %.0f:\n%s", all, mostAtInit, &trace)
	}
}
