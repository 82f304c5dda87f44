//go:build unix

package attachment

import (
	"syscall"
	"time"
)

// worked is how long processors have worked for this process.
func worked() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return time.Since(started)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
