package page

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/middleware"
)

// answer takes a request through what stands before every page, to its handler.
func (s *Shell) answer(v *Request) error {
	defer v.Upload.end()
	return s.fail(v, middleware.Contain(func() error {
		if err := v.admit(); err != nil {
			if v.route.oversized != nil && tooLarge(err) {
				return v.route.oversized(v)
			}
			return err
		}
		if sure, err := v.confirmedOrAsked(); err != nil || !sure {
			return err
		}
		if v.route.TakenOnce {
			return handleOnce(v)
		}
		return v.route.handle(v)
	}))
}

// tooLarge reports whether a form was not read since it holds more than its route takes.
func tooLarge(err error) bool {
	r, is := errors.AsType[Refusal](err)
	return is && r.Status == http.StatusRequestEntityTooLarge
}

// admit checks where the request comes from, who asks and what they may. Anybody who has
// the secret address needs nothing else.
func (v *Request) admit() error {
	if v.route.Audience == Public || v.route.Audience == LinkHolder {
		return nil
	}
	if err := v.Shell.origins.Check(v.Request()); err != nil {
		return notOurs
	}
	if path := v.Request().URL.Path; !utf8.ValidString(path) || strings.Contains(path, "\x00") {
		return NotFound // PostgreSQL refuses to search for invalid UTF-8
	}
	if err := v.recognize(); err != nil {
		return err
	}
	if err := v.permitted(); err != nil {
		if v.Person == nil {
			if failed := keepTyped(v); failed != nil {
				return failed
			}
		}
		return err
	}
	if v.route.Method == http.MethodGet {
		return withinGenerated(v)
	}
	if err := withinLimit(v); err != nil {
		return err
	}
	if err := withinGuestLimit(v); err != nil {
		return err
	}
	if v.route.files {
		if err := v.Upload.enter(v); err != nil {
			return err
		}
	}
	if status := v.ReadForm(); status != http.StatusOK {
		return Unread(status, v.route.most)
	}
	return formToken{v}.genuine()
}

// permitted returns an error if the page is not for the reader. It answers "not found", except
// that managers are told when a page is for owners.
func (v *Request) permitted() error {
	who, needs := v.Person, v.route.Audience
	switch {
	case needs == Guest:
		return nil
	case who == nil:
		return Stranger
	case who.Pending:
		return halfway
	case needs == Staff && !v.IsStaff(), needs >= Member && needs < Staff && who.Account == nil:
		return fault.Of(fault.RouteNotFound)
	case needs == Owner && who.Account.Role != access.Owner:
		return forOwners(who.Account.Name, who.Account.Role)
	}
	return nil
}

// Where readers are sent who are not signed in, or have not shown their second factor.
var (
	Stranger = Detour{"/sign-in"}
	halfway  = Detour{"/sign-in/second"}
)

// Detour is an error that redirects to a page, such as the sign-in, which leads back here.
type Detour struct{ to string }

// Error names the other page.
func (l Detour) Error() string { return "first " + l.to }

// after leads to a page that leads on to this one. What was posted is not posted
// again: the reader comes back to the page that they posted from.
func (v *Request) after(to string) error {
	next := v.Request().URL.RequestURI()
	if v.Request().Method != http.MethodGet && v.Request().Method != http.MethodHead {
		next = v.Request().URL.Path
		if from := v.referred(); from != "" {
			next = from
		}
	}
	return v.SeeOther(to + "?next=" + url.QueryEscape(next))
}

// referred is the page of this site that the reader comes from, "" for none.
func (v *Request) referred() string {
	from, err := url.Parse(v.Request().Referer())
	if err != nil || from.Host != v.Request().Host {
		return ""
	}
	return from.RequestURI()
}

// Next is where the reader wanted to go before they were led here: a page of this
// site, or otherwise.
func Next(to, otherwise string) string {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(to, "/") ||
		strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
		return otherwise
	}
	return to
}
