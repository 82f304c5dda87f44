//go:build crash

package main

import (
	"os"
	"strconv"
	"strings"

	"portal/db/crash"
)

// init tells a binary for tests of crashes, by its environment, when to kill itself. The
// documentation, which no such test reads, is not in the way of its start.
func init() {
	lateDocs = true
	if n, err := strconv.Atoi(os.Getenv("PORTAL_CRASH_STEP")); err == nil {
		if texts := os.Getenv("PORTAL_CRASH_SQL"); texts != "" {
			crash.Through(strings.Split(texts, "|"), n)
		} else {
			crash.At(os.Getenv("PORTAL_CRASH_KEY"), n)
		}
	}
}
