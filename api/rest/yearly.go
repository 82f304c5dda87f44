package rest

import (
	"sync"

	"portal/api/compress"
)

// yearly is a text that is made once a year.
type yearly struct {
	mu   sync.Mutex
	year int
	text *compress.Document
}

// of is the text of a year.
func (y *yearly) of(year int, describe func(year int) []byte) *compress.Document {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.text == nil || y.year != year {
		y.year, y.text = year, compress.NewDocument(describe(year))
	}
	return y.text
}
