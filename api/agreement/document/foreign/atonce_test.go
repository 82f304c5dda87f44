package foreign_test

import (
	"bytes"
	"sync"
	"testing"
	"time"

	"portal/api/agreement/document/foreign"
)

// Many send files at once: each gets what it would get alone, and others may read what a cleaner has made of one.
func TestFilesThatComeAtOnceAreCleanedAlike(t *testing.T) {
	t.Parallel()
	filled := build().page("/Annots[7 0 R]").
		with(7, "<</Subtype/Widget/FT/Tx/F 4/Rect[20 20 120 40]/V(Jane Roe)>>").file()
	files := [][]byte{build().file(), filled, printed(t, html)}
	var want [][]byte
	for _, file := range files {
		want = append(want, cleaned(t, file).Content)
	}
	cleaners := []*foreign.Cleaner{foreign.NewCleaner(time.Minute), foreign.NewCleaner(time.Minute)}
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			d, err := cleaners[i%2].Clean(t.Context(), files[i%3])
			if err != nil || !bytes.Equal(d.Content, want[i%3]) {
				t.Errorf("file %d: %d bytes, want %d: %v", i%3, len(d.Content), len(want[i%3]), err)
				return
			}
			if _, err := foreign.Open(d.Content); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
