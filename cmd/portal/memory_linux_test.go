package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// mostAtStart is what a demo keeps to itself after its start at most, in KiB: the pages of the
// program and of files, which the system can drop, are not counted.
const mostAtStart = 60e6 / 1024

func TestDemoUsesLittleMemoryAfterStart(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.build = crashing // without the race detector, which keeps several times as much
	s := h.serve(t)
	last := 0.0
	defer func() { t.Logf("%.1f MB", last*1024/1e6) }()
	eventually(t, "what the start used is given back", func() bool {
		last = anonymous(t, s.Process.Pid)
		return last <= mostAtStart
	})
}

// anonymous is the memory of a process that no file stands behind, in KiB.
func anonymous(t *testing.T, pid int) (kilobytes float64) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(status), "RssAnon:")
	if _, err := fmt.Sscan(after, &kilobytes); !found || err != nil {
		t.Fatalf("no RssAnon: %v", err)
	}
	return kilobytes
}
