package page

import (
	"context"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
)

// Opening is how the page of a record is found by its id, for records that are none of the portfolio's books:
// what a section knows and the search of everything shows.
type Opening struct {
	Path string // of the page, up to the id, as in Navigation
	Icon string
	Name string // of the kind
	// There is an error where the reader has no record of the id: fault.NoRecord.
	There func(v *Request, id string) error
}

// OpenedBy makes the There of an Opening from the rule that reads the record.
func OpenedBy[T any](read func(context.Context, access.Actor, string) (*T, error)) func(*Request, string) error {
	return func(v *Request, id string) error {
		_, err := read(v.Ctx(), v.Actor(), id)
		return err
	}
}

// Opens notes how the records with a prefix are opened.
func (s *Shell) Opens(prefix string, o Opening) {
	if s.openings == nil {
		s.openings = map[string]Opening{}
	}
	s.openings[prefix] = o
}

// Opening is how the record of an id is opened, with the address of its page; "" where the reader has none.
func (v *Request) Opening(record string) (of Opening, path string, err error) {
	prefix, _, _ := strings.Cut(record, "_")
	of, is := v.Shell.openings[prefix]
	if !is || !id.Valid(prefix, record) {
		return of, "", nil
	}
	switch err = of.There(v, record); {
	case fault.Is(err, fault.NoRecord):
		return of, "", nil
	case err != nil:
		return of, "", err
	}
	if own, inMode := strings.CutPrefix(of.Path, "/{mode}"); inMode {
		return of, v.In(own + record), nil
	}
	return of, of.Path + record, nil
}
