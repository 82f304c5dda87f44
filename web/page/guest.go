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

// GuestCookie is what the browser of a reader without an account keeps under a name, "" for nothing.
func (v *Request) GuestCookie(name string) string {
	c, err := v.Cookie(v.Shell.cookie(name))
	if err != nil {
		return ""
	}
	return c.Value
}

// KeepGuestCookie has the browser of a reader without an account keep something for a number of seconds; a negative
// one has it forgotten.
func (v *Request) KeepGuestCookie(name, value string, seconds int) {
	v.SetCookie(v.Shell.newCookie(name, value, seconds))
}

// NoLink is the answer for a link that opens nothing. Whoever opens many of them has to wait: nobody guesses one.
func (v *Request) NoLink(err error) error {
	if !fault.Is(err, fault.NoRecord) {
		return err
	}
	if err := withinMisses(v); err != nil {
		return err
	}
	return v.Notice(
		http.StatusNotFound,
		"",
		"This link doesn’t work",
		"Copy the whole link from the email, from http to its end. If it still doesn’t work, ask the sender for a new one.",
	)
}
