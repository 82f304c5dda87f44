package page

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/account"
	"portal/api/change"
	"portal/api/developer"
	"portal/api/id"
	"portal/static"
	"portal/views/kit"
)

// Request is one request of a page: what is asked, by whom, and how it is answered.
type Request struct {
	echo.Context
	Shell    *Shell
	Session  Session
	Send     Sender
	route    Route
	ID       string           // req_…, as in X-Request-Id
	nonce    string           // of the scripts that the page may run
	loaded   bool             // the session is
	Person   *account.Visitor // nil: nobody is signed in
	own      bool             // the answer is for this reader alone, though they are not signed in
	reader   string           // what names the reader in the forms of the page, "" until one is drawn
	Upload   Upload           // the file that a form with files holds
	Prepared any              // what the route has worked out before its transaction
	once     *onceResult      // what a form that is taken once makes, nil outside of its transaction
}

// request begins one. From here on the answer has its headers, whatever happens.
func (s *Shell) request(c echo.Context, r Route) *Request {
	v := &Request{
		Context: c,
		Shell:   s,
		route:   r,
		ID:      id.New(id.Request, s.Now()),
		nonce:   random(),
	}
	v.Session, v.Send = Session{v}, Sender{v}
	if r.Method != http.MethodGet { // a page that is read notes what it has to
		v.SetRequest(v.Request().WithContext(change.WithRefusable(v.Ctx())))
	}
	v.guard()
	return v
}

// random is 128 bits that nobody can guess.
func random() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// Ctx is the context of the request.
func (v *Request) Ctx() context.Context { return v.Request().Context() }

// Mode is that of the records that the page shows, "" where they have none.
func (v *Request) Mode() access.Mode { return v.route.mode }

// Route is the one that the request came by.
func (v *Request) Route() Route { return v.route }

// Actor asks the rules of a portfolio: a member does what their role allows,
// in the portfolio of the page's mode.
func (v *Request) Actor() access.Actor { return v.Person.Actor(v.Mode()) }

// In is the address of a page in the mode of this one: In("/tenants") is /test/tenants. A page without a mode
// leads to others without one.
func (v *Request) In(path string) string {
	if v.Mode() == "" {
		return path
	}
	return "/" + string(v.Mode()) + path
}

// Frame is what surrounds a page of this title.
func (v *Request) Frame(title string) kit.Frame {
	f := kit.Frame{
		Title:  title,
		Style:  static.URL("style.css"),
		Script: static.URL("page.js"),
		Icon:   static.URL("icon.svg"),
		Test:   v.Mode() == access.Test,
		Said:   v.said(),
	}
	if f.Test && v.Person != nil && v.Actor().Portfolio.Ahead > 0 {
		f.Clock = Date(v.Today())
	}
	if v.Shell.Surround != nil {
		v.Shell.Surround(v, &f)
	}
	return f
}

// Open is what surrounds a page that search engines may know.
func (v *Request) Open(title, about string) kit.Frame {
	return v.Frame(title).Public(about, v.Shell.Base(), v.Request().URL.EscapedPath())
}

// Show answers with a page.
func (v *Request) Show(page templ.Component) error { return v.ShowAs(http.StatusOK, page) }

// usual is the room for a page as most are, in bytes.
const usual = 16 << 10

// ShowAs answers with a page and a status. It is drawn whole before its first byte
// leaves, and what it keeps in the session is kept by then.
func (v *Request) ShowAs(status int, page templ.Component) error {
	var b bytes.Buffer
	b.Grow(usual)
	ctx := kit.With(templ.WithNonce(context.WithoutCancel(v.Ctx()), v.nonce), kit.Hidden{
		Token:   v.Token,
		Once:    random,
		Address: ownAddress(v.Request().URL),
	})
	if err := page.Render(ctx, &b); err != nil {
		return err
	}
	return v.answer(reply{status: status, page: b.Bytes()})
}

// ownAddress is the path and the query of an address, on this site however the path begins.
func ownAddress(u *url.URL) string {
	at := "/" + strings.TrimLeft(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		at += "?" + u.RawQuery
	}
	return at
}

// reply is an answer that is ready to leave.
type reply struct {
	status int
	page   []byte
	to     string // where it leads instead of showing a page, "" for nowhere
}

// answer lets a reply leave, or wait for the transaction that it tells of.
func (v *Request) answer(r reply) error {
	if v.once != nil {
		v.once.reply = &r
		return nil
	}
	if err := v.Session.Commit(); err != nil {
		return err
	}
	if r.status == http.StatusOK && v.Person == nil && !v.own && v.route.Audience == Guest {
		return v.sendPage(r.page)
	}
	v.Response().Header().Set("Cache-Control", "no-store")
	if r.to != "" {
		return v.Redirect(r.status, r.to)
	}
	return v.Blob(r.status, KindHTML, r.page)
}

// SeeOther leads on to a page, which is asked for by GET: reloading it posts nothing.
func (v *Request) SeeOther(to string) error {
	return v.answer(reply{status: http.StatusSeeOther, to: to})
}

// Done leads on to a page that says what was done.
func (v *Request) Done(to, what string) error {
	v.Say(kit.Done, what)
	return v.SeeOther(to)
}

// Readable draws what does not show itself, or shows what follows in another order.
func Readable(text string) (shown string, changed bool) {
	shown = strings.Map(func(c rune) rune {
		switch {
		case c == '\n' || c == '\t' || c == '\r':
			return c
		case c < ' ':
			changed = true
			return '\u2400' + c
		case c == 0x7f:
			changed = true
			return '\u2421'
		case unicode.Is(unicode.Cc, c), unicode.Is(unicode.Bidi_Control, c), c == unicode.ReplacementChar:
			changed = true
			return unicode.ReplacementChar
		}
		return c
	}, text)
	return shown, changed
}

// HeaderLines are headers as they are written, in the order of their names.
func HeaderLines(h http.Header) string {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		for _, value := range h[name] {
			line, _ := Readable(name + ": " + value)
			b.WriteString(line + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Member is the reader as one who acts for their account.
func (v *Request) Member() developer.Member {
	a := v.Person.Account
	return developer.Member{UserID: v.Person.UserID, AccountID: a.AccountID, Role: a.Role}
}

// Approved reports whether the reader's account may have keys.
func (v *Request) Approved(in *developer.Service) (bool, error) {
	all, err := in.AccessRequestsOf(v.Ctx(), v.Member())
	return err == nil && len(all) > 0 && all[0].Status == developer.Approved, err
}

// Owns reports whether the reader is an owner of the account that they look at.
func (v *Request) Owns() bool {
	return v.Person.Account != nil && v.Person.Account.Role == access.Owner
}
