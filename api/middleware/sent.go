package middleware

import (
	"cmp"
	"net/http"
	"slices"

	"portal/api/developer"
)

// kept reports whether the log keeps headers, body and answer of the request: of writes and
// errors of a valid key (docs/operations.md).
func (x *Request) kept() bool {
	return x.Caller != nil && (x.Keep || x.Fault != nil || x.Status >= http.StatusBadRequest)
}

// sent is what is kept, nil where nothing is.
func (x *Request) sent() *developer.Sent {
	if !x.kept() {
		return nil
	}
	r := x.HTTP
	s := &developer.Sent{Target: r.URL.EscapedPath(),
		Request: developer.SentMessage{Headers: lines(r.Header), Body: x.body, Size: int64(len(x.body))},
		Answer:  developer.SentMessage{Headers: lines(x.Writer.Header()), Body: x.answer, Size: int64(x.plain)}}
	if r.URL.RawQuery != "" {
		s.Target += "?" + r.URL.RawQuery
	}
	if x.body == nil && r.ContentLength != 0 {
		s.Request.Unread, s.Request.Size = true, r.ContentLength
	}
	return s
}

// lines are the lines of a header in the order of their names. The map is not kept: others
// may write to it when the request is over.
func lines(h http.Header) []developer.Header {
	all := make([]developer.Header, 0, len(h))
	for name, values := range h {
		for _, v := range values {
			all = append(all, developer.Header{Name: name, Value: v})
		}
	}
	slices.SortStableFunc(all, func(a, b developer.Header) int { return cmp.Compare(a.Name, b.Name) })
	return all
}
