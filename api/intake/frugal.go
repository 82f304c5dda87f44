package intake

import (
	"runtime/debug"
	"sync"
)

// frugalPercent is how much garbage may come on top of what is in use while something large is
// worked on, in percent; Go's own choice is 100.
const frugalPercent = 15

// frugal is how many work on something large, and what was set before the first of them.
var frugal struct {
	sync.Mutex
	working, before int
}

// Frugally has garbage collected sooner until end is called. It costs time, and is worth it where
// something takes many times the memory that the process has otherwise.
func Frugally() (end func()) {
	frugal.Lock()
	defer frugal.Unlock()
	if frugal.working++; frugal.working == 1 {
		frugal.before = debug.SetGCPercent(frugalPercent)
		if 0 <= frugal.before && frugal.before < frugalPercent {
			debug.SetGCPercent(frugal.before) // somebody wants less still
		}
	}
	return func() {
		frugal.Lock()
		defer frugal.Unlock()
		if frugal.working--; frugal.working == 0 {
			debug.SetGCPercent(frugal.before)
		}
	}
}
