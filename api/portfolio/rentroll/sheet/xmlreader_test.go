package sheet

import (
	"errors"
	"strings"
	"testing"
)

func TestElementsAttributesAndBytesAreCounted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		xml     string
		left    budget
		message string
	}{
		"within":     {"<x><a/><a b='' c=''/></x>", budget{bytes: 100, elements: 5}, ""},
		"elements":   {"<x><a/><a/><a/></x>", budget{bytes: 100, elements: 3}, notExcel},
		"attributes": {"<x><a b='' c='' d=''/></x>", budget{bytes: 100, elements: 4}, notExcel},
		"bytes":      {"<x><a/><a/><a/></x>", budget{bytes: 10, elements: 100}, tooLarge},
		"rest":       {"<x/>" + strings.Repeat(" ", 100_000), budget{bytes: 99_000, elements: 100}, tooLarge},
	} {
		x := newXMLReader(strings.NewReader(c.xml), &c.left)
		_, _, err := x.child()
		if err == nil {
			err = x.skip()
		}
		if err == nil {
			err = x.rest()
		}
		var p *Problem
		if c.message == "" && err == nil || errors.As(err, &p) && p.Message == c.message {
			continue
		}
		t.Errorf("%s: %v", name, err)
	}
}
