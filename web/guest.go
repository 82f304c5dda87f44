package web

import (
	"net/http"

	"portal/api/fault"
	"portal/static"
	"portal/views"
)

func letterhead(title, from string) views.Letterhead {
	return views.Letterhead{Title: title, From: from, Style: static.URL("style.css"), Icon: static.URL("icon.svg")}
}

// notice answers with a page that says one thing.
func (v *visit) notice(status int, from, title string, words ...string) error {
	n := views.Notice{Letterhead: letterhead(title, from), Title: title, Words: words}
	if status >= http.StatusBadRequest {
		n.Stamp = status
	}
	return v.showAs(status, views.NoticePage(n))
}

// noLink is the answer for a link that opens nothing.
func (v *visit) noLink(err error) error {
	if !fault.Is(err, fault.NoRecord) {
		return err
	}
	return v.notice(http.StatusNotFound, "", "This link opens nothing",
		"Copy the whole link from the e-mail, from http to its end. If it still opens nothing, ask whoever sent it for a new one.")
}
