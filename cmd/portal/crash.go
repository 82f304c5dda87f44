//go:build crash

package main

import (
	"os"
	"strconv"

	"portal/db"
)

// A binary for tests of crashes is told by its environment when to kill itself.
func init() {
	if n, err := strconv.Atoi(os.Getenv("PORTAL_CRASH_STEP")); err == nil {
		db.CrashAt(os.Getenv("PORTAL_CRASH_KEY"), n)
	}
}
