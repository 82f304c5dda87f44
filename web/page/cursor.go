package page

import (
	"net/url"
	"slices"
	"strings"

	"portal/views/kit"
)

// MaxPreviousPages bounds how far back one gets a page at a time; from further on it is the
// first page that the way back leads to.
const MaxPreviousPages = 20

// Cursor is the page of a list that is shown: the cursor after which it begins, and
// those of the pages before it, by which one gets back.
type Cursor struct {
	After string
	trail []string
	at    *url.URL
}

// Cursor is what the address says: after=CURSOR, and before it trail=CURSOR,CURSOR.
func (v *Request) Cursor() Cursor { return CursorAt(v.Request().URL) }

// CursorAt is what an address says, as Request.Cursor does for that of a request.
func CursorAt(u *url.URL) Cursor {
	q := u.Query()
	t := Cursor{After: Clip(q.Get("after"), 100), at: u}
	if trail := Clip(q.Get("trail"), 101*MaxPreviousPages); trail != "" {
		t.trail = strings.Split(trail, ",")
	}
	return t
}

// Pages leads to the pages before and after this one. next is the cursor of the one
// after it, "" where there is none.
func (t Cursor) Pages(next string) kit.Pages {
	var p kit.Pages
	if next != "" {
		trail := t.trail
		if t.After != "" {
			trail = append(slices.Clip(trail), t.After)
		}
		p.Next = t.to(next, trail)
	}
	if t.After != "" {
		p.First = t.to("", nil)
		p.Previous = p.First
		if n := len(t.trail); n > 0 {
			p.Previous = t.to(t.trail[n-1], t.trail[:n-1])
		}
	}
	return p
}

// to is the same address, with the same filters, at another page.
func (t Cursor) to(after string, trail []string) string {
	q := t.at.Query()
	q.Del("after")
	q.Del("trail")
	if after != "" {
		q.Set("after", after)
	}
	if len(trail) > 0 {
		q.Set("trail", strings.Join(trail[max(0, len(trail)-MaxPreviousPages):], ","))
	}
	if len(q) == 0 {
		return t.at.Path
	}
	return t.at.Path + "?" + q.Encode()
}

// Clip bounds what an address may hand on.
func Clip(s string, most int) string {
	if len(s) > most {
		return ""
	}
	return s
}
