package rows

import (
	"fmt"
	"strings"
	"time"

	"portal/api/clock"
	"portal/api/id"
)

// Bit is 1 for true and 0 for false.
func Bit(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// BitInto reads a column of 1 for true and 0 for false.
type BitInto bool

// Scan is sql.Scanner.
func (b *BitInto) Scan(src any) error {
	bit, is := src.(int64)
	if !is {
		return fmt.Errorf("a column of 1 and 0 holds a %T", src)
	}
	*b = bit == 1
	return nil
}

// Text is the text that a driver reads from a column of text.
func Text(src any) (string, error) {
	switch src := src.(type) {
	case string:
		return src, nil
	case []byte:
		return string(src), nil
	}
	return "", fmt.Errorf("a column of text holds a %T", src)
}

// Span is the positions between which lie the records of a prefix that were made from one
// moment on, before another, and before a record.
func Span(prefix string, from, to *clock.Time, before string) (after, end string) {
	end = prefix + "_~"
	if from != nil {
		after = id.After(prefix, from.Std().Add(-time.Millisecond))
	}
	if to != nil {
		end = id.After(prefix, to.Std().Add(-time.Millisecond))
	}
	if before != "" {
		end = min(end, before)
	}
	return after, end
}

// SpanFrom is Span for a list that may ascend: the position is behind the end of its page, in either order. order
// is what the list is sorted by.
func SpanFrom(prefix string, from, to *clock.Time, position string, ascending bool) (after, end, order string) {
	if !ascending {
		after, end = Span(prefix, from, to, position)
		return after, end, "id DESC"
	}
	after, end = Span(prefix, from, to, "")
	return max(after, position), end, "id"
}

// OneOf is the condition that a column has one of some statuses. They are the closed sets of
// the business packages, and stand in the query as they are: SQLite uses an index with a
// condition only where a query has the very same words.
func OneOf[T ~string](column string, statuses []T) string {
	quoted := make([]string, len(statuses))
	for i, s := range statuses {
		quoted[i] = Literal(s)
	}
	return column + " IN (" + strings.Join(quoted, ", ") + ")"
}

// Is is the condition that a column has a status, in the words that an index may have, too.
func Is[T ~string](column string, status T) string { return column + " = " + Literal(status) }

// IsNot is the condition that a column has another status.
func IsNot[T ~string](column string, status T) string { return column + " <> " + Literal(status) }

// Literal is a status as it stands in a query. It is one of a closed set: what a caller says never
// comes here.
func Literal[T ~string](status T) string { return "'" + string(status) + "'" }

// Null is NULL for a zero value.
func Null[T comparable](v T) any {
	if v == *new(T) {
		return nil
	}
	return v
}
