package live

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// List is the feed of the first page of a list, the newest first. It sends the rows that are new, those that
// have changed, and the ids of those that the filter finds no more.
type List[T any] struct {
	Read  func(ctx context.Context) ([]T, error) // the rows of the page as they are now
	Size  int                                    // how many rows a page has at most
	ID    func(row *T) string                    // is that of the row's element, and grows with time
	State func(row *T) string                    // what may change of a row
	Draw  func(ctx context.Context, changed []T, gone []string) (Component, error)
	known map[string]string // the state of each row by its id, nil before the first look
}

// Cursor is where the stream of a page begins that shows these rows.
func (l *List[T]) Cursor(rows []T) string {
	if len(rows) == 0 {
		return "-"
	}
	h := sha256.New()
	for i := range rows {
		h.Write([]byte(l.ID(&rows[i]) + "\n" + l.State(&rows[i]) + "\n"))
	}
	return l.ID(&rows[0]) + "~" + hex.EncodeToString(h.Sum(nil)[:8])
}

// Next implements Feed.
func (l *List[T]) Next(ctx context.Context, cursor string) (Component, string, error) {
	rows, err := l.Read(ctx)
	if err != nil {
		return nil, "", err
	}
	next, was := l.Cursor(rows), l.known
	l.known = make(map[string]string, len(rows))
	var changed []T
	for i := range rows {
		id, state := l.ID(&rows[i]), l.State(&rows[i])
		if before, is := was[id]; !is || before != state {
			changed = append(changed, rows[i])
		}
		l.known[id] = state
	}
	if next == cursor {
		return nil, cursor, nil
	}
	drawn, err := l.Draw(ctx, changed, l.gone(was, rows))
	return drawn, next, err
}

// gone are the rows that were there and are no more, but for those that newer ones have pushed off the page.
func (l *List[T]) gone(was map[string]string, rows []T) (ids []string) {
	oldest := ""
	if len(rows) >= l.Size {
		oldest = l.ID(&rows[len(rows)-1])
	}
	for id := range was {
		if _, is := l.known[id]; !is && id > oldest {
			ids = append(ids, id)
		}
	}
	return ids
}

// Whole is the feed of a part of a page that is replaced whole once it looks different.
type Whole func(ctx context.Context) (Component, error)

// Next implements Feed.
func (w Whole) Next(ctx context.Context, cursor string) (Component, string, error) {
	drawn, err := w(ctx)
	if err != nil {
		return nil, "", err
	}
	var b strings.Builder
	if err := drawn.Render(ctx, &b); err != nil {
		return nil, "", err
	}
	next := CursorOf(b.String())
	if next == cursor {
		return nil, cursor, nil
	}
	return drawn, next, nil
}

// CursorOf is where the stream of a page begins that shows this part.
func CursorOf(drawn string) string {
	sum := sha256.Sum256([]byte(drawn))
	return hex.EncodeToString(sum[:8])
}
