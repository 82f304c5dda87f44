// Package list is the shape of every list: what a caller may ask of it and the
// page that answers.
//
// It knows nothing of what is listed, nor how it is read.
package list

import "portal/api/clock"

// Default and Max bound the size of a page.
const (
	Default = 20
	Max     = 100
)

// Query is what every list takes. Rows come in ascending id, which is the order
// of their creation.
type Query struct {
	// How many records a page holds at most.
	Limit int `in:"query" name:"limit" min:"1" max:"100" default:"20"`
	// The next_cursor of the previous page. It works even if its record is gone.
	StartingAfter string `in:"query" name:"starting_after" format:"cursor" example:"prop_01KA5R2M7Q8D4E6F9G1H3J5K7M"`
	// Only records created after this moment.
	CreatedAfter *clock.Time `in:"query" name:"created_after"`
	// Only records changed after this moment.
	UpdatedAfter *clock.Time `in:"query" name:"updated_after"`
	Newest       bool        `json:"-"` // the other way round, for a page that people read
	Sort         Sort        `json:"-"` // the order of such a page, where it is another one
	Whole        bool        `json:"-"` // a page is as full as it can be, however long that takes
	Walk         *Walk       `json:"-"` // how far it was read, for who can go on from there; nil for Whole
}

// Walk is how far a list was read that leaves out most of the rows that it passes. Its page is then done with
// fewer records than its limit, or with none, and its next page goes on behind the last row that was passed.
type Walk struct {
	Reached string // the id of that row, "" where the page is full or the list is at its end
}

// Walked is a query whose page need not be full where it passes many rows over, see Walk.
func (q Query) Walked() Query {
	q.Walk = new(Walk)
	return q
}

// Span is what a list takes whose records are found by their creation alone.
type Span struct {
	// How many records a page holds at most.
	Limit int `in:"query" name:"limit" min:"1" max:"100" default:"20"`
	// The next_cursor of the previous page. It works even if its record is gone.
	StartingAfter string `in:"query" name:"starting_after" format:"cursor"`
	// Only records created after this moment.
	CreatedAfter *clock.Time `in:"query" name:"created_after"`
}

// Page is the envelope of every list.
type Page[T any] struct {
	// Always list.
	Object string `json:"object" const:"list"`
	// The records of this page, at most limit of them. There may be fewer, or none, while has_more is true.
	Data []T `json:"data"`
	// Whether another page follows.
	HasMore bool `json:"has_more"`
	// Pass it as starting_after to get the next page; null on the last one.
	NextCursor *string `json:"next_cursor" maxlen:"100"`

	cursor func(*T) string `json:"-"`
}

// Of makes a page of rows that were read with one row more than the limit, which
// reports whether another page follows.
func Of[T any](rows []T, limit int, cursor func(*T) string) *Page[T] {
	p := &Page[T]{Object: "list", Data: rows, cursor: cursor}
	if p.Data == nil {
		p.Data = []T{}
	}
	p.Cut(limit)
	return p
}

// Walked is Of for rows that may have been read as far as the walk of a query has reached.
func Walked[T any](rows []T, q *Query, cursor func(*T) string) *Page[T] {
	p := Of(rows, q.Limit, cursor)
	if q.Walk != nil && q.Walk.Reached != "" && !p.HasMore {
		p.HasMore, p.NextCursor = true, &q.Walk.Reached
	}
	return p
}

// Cut leaves the first n records, 1 or more; the others come with the next page.
func (p *Page[T]) Cut(n int) {
	if len(p.Data) > n {
		p.HasMore, p.NextCursor = true, new(p.cursor(&p.Data[n-1]))
		p.Data = p.Data[:n]
	}
}

// Count is how many records the page has.
func (p *Page[T]) Count() int { return len(p.Data) }

// Next is the cursor of the page that follows, if one does.
func (p *Page[T]) Next() (cursor string, more bool) {
	if p.NextCursor == nil {
		return "", false
	}
	return *p.NextCursor, true
}
