package web

import (
	"net/url"
	"slices"
	"strings"

	"portal/views"
)

// mostTurns bounds how far back one gets a page at a time; from further on it is the
// first page that the way back leads to.
const mostTurns = 20

// turn is the page of a list that is shown: the cursor after which it begins, and
// those of the pages before it, by which one gets back.
type turn struct {
	after string
	trail []string
	at    *url.URL
}

// turn is what the address says: after=CURSOR, and before it trail=CURSOR,CURSOR.
func (v *visit) turn() turn { return turnAt(v.Request().URL) }

func turnAt(u *url.URL) turn {
	q := u.Query()
	t := turn{after: clip(q.Get("after"), 100), at: u}
	if trail := clip(q.Get("trail"), 101*mostTurns); trail != "" {
		t.trail = strings.Split(trail, ",")
	}
	return t
}

// pages leads to the pages before and after this one. next is the cursor of the one
// after it, "" where there is none.
func (t turn) pages(next string) views.Pages {
	var p views.Pages
	if next != "" {
		trail := t.trail
		if t.after != "" {
			trail = append(slices.Clip(trail), t.after)
		}
		p.Next = t.to(next, trail)
	}
	if t.after != "" {
		p.First = t.to("", nil)
		p.Previous = p.First
		if n := len(t.trail); n > 0 {
			p.Previous = t.to(t.trail[n-1], t.trail[:n-1])
		}
	}
	return p
}

// to is the same address, with the same filters, at another page.
func (t turn) to(after string, trail []string) string {
	q := t.at.Query()
	q.Del("after")
	q.Del("trail")
	if after != "" {
		q.Set("after", after)
	}
	if len(trail) > 0 {
		q.Set("trail", strings.Join(trail[max(0, len(trail)-mostTurns):], ","))
	}
	if len(q) == 0 {
		return t.at.Path
	}
	return t.at.Path + "?" + q.Encode()
}

// clip bounds what an address may hand on.
func clip(s string, most int) string {
	if len(s) > most {
		return ""
	}
	return s
}
