package rest

import "time"

// Pace sets how streams go on that begin from now on.
func (a *API) Pace(look, beat, patience time.Duration) {
	a.streams.pace = pace{look, beat, patience}
}

// Streams counts the open streams.
func (a *API) Streams() (n int) {
	a.streams.mu.Lock()
	defer a.streams.mu.Unlock()
	for _, one := range a.streams.open {
		n += one
	}
	return n
}
