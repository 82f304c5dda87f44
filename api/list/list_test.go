package list

import (
	"slices"
	"testing"
)

func TestPageHonorsLimitAndReturnsNextCursor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rows, want []string
		limit      int
		next       string
	}{
		{nil, []string{}, 1, ""},
		{[]string{}, []string{}, 20, ""},
		{[]string{"a"}, []string{"a"}, 1, ""},
		{[]string{"a", "b"}, []string{"a"}, 1, "a"},
		{[]string{"a", "b"}, []string{"a", "b"}, 2, ""},
		{[]string{"a", "b", "c"}, []string{"a", "b"}, 2, "b"},
	} {
		p := Of(c.rows, c.limit, func(s *string) string { return *s })
		cursor, more := p.Next()
		if p.Object != "list" || p.Data == nil || !slices.Equal(p.Data, c.want) ||
			p.HasMore != (c.next != "") || more != p.HasMore || cursor != c.next || (p.NextCursor != nil) != more {
			t.Errorf("%d of %q make %+v, next %q", c.limit, c.rows, p, cursor)
		}
	}
}
