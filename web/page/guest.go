package page

import (
	"net/http"

	"portal/api/fault"
	"portal/static"
	"portal/views/kit"
)

// GuestHeader is what surrounds a page that a link from an email opens.
func GuestHeader(title, from string) kit.GuestHeader {
	return kit.GuestHeader{
		Title: title,
		From:  from,
		Style: static.URL("style.css"),
		Icon:  static.URL("icon.svg"),
	}
}

// Notice answers with a page that says one thing.
func (v *Request) Notice(status int, from, title string, words ...string) error {
	n := kit.GuestNotice{GuestHeader: GuestHeader(title, from), Title: title, Words: words}
	if status >= http.StatusBadRequest {
		n.Stamp = status
	}
	return v.ShowAs(status, kit.NoticePage(n))
}

// NoLink is the answer for a link that opens nothing.
func (v *Request) NoLink(err error) error {
	if !fault.Is(err, fault.NoRecord) {
		return err
	}
	return v.Notice(
		http.StatusNotFound,
		"",
		"This link opens nothing",
		"Copy the whole link from the email, from http to its end. If it still opens nothing, ask the sender for a new one.",
	)
}
