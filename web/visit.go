package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/account"
	"portal/api/id"
	"portal/static"
	"portal/views"
)

// visit is one request of a page: what is asked, by whom, and how it is answered.
type visit struct {
	echo.Context
	shell    *Shell
	route    route
	id       string           // req_…, as in X-Request-Id
	nonce    string           // of the scripts that the page may run
	loaded   bool             // the session is
	person   *account.Visitor // nil: nobody is signed in
	own      bool             // the answer is for this reader alone, though they are not signed in
	prepared any              // what the route has worked out before its transaction
	making   *making          // what a form that is taken once makes, nil outside of its transaction
}

// visit begins one. From here on the answer has its headers, whatever happens.
func (s *Shell) visit(c echo.Context, r route) *visit {
	v := &visit{Context: c, shell: s, route: r, id: id.New(id.Request, s.Now()), nonce: random()}
	v.guard()
	return v
}

// random is 128 bits that nobody can guess.
func random() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

func (v *visit) ctx() context.Context { return v.Request().Context() }

// mode is that of the records that the page shows, "" where they have none.
func (v *visit) mode() access.Mode { return v.route.mode }

// actor is who asks the rules of a portfolio: a member does what their role allows,
// in the portfolio of the page's mode.
func (v *visit) actor() access.Actor { return v.person.Actor(v.mode()) }

// in is the address of a page in the mode of this one: in("/tenants") is /test/tenants.
func (v *visit) in(path string) string { return "/" + string(v.mode()) + path }

// frame is what surrounds a page of this title.
func (v *visit) frame(title string) views.Frame {
	return views.Frame{
		Title:  title,
		Style:  static.URL("style.css"),
		Script: static.URL("page.js"),
		Icon:   static.URL("icon.svg"),
		Person: v.reader(),
		Places: v.places(),
		Modes:  v.modes(),
		Said:   v.said(),
	}
}

// open is what surrounds a page that search engines may know.
func (v *visit) open(title, about string) views.Frame {
	f := v.frame(title)
	f.About = about
	return f
}

// show answers with a page.
func (v *visit) show(page templ.Component) error { return v.showAs(http.StatusOK, page) }

// showAs answers with a page and a status. It is drawn whole before its first byte
// leaves, and what it keeps in the session is kept by then.
func (v *visit) showAs(status int, page templ.Component) error {
	var b bytes.Buffer
	ctx := views.With(templ.WithNonce(context.WithoutCancel(v.ctx()), v.nonce), views.Hidden{Token: v.token, Once: random})
	if err := page.Render(ctx, &b); err != nil {
		return err
	}
	return v.answer(reply{status: status, page: b.Bytes()})
}

// reply is an answer that is ready to leave.
type reply struct {
	status int
	page   []byte
	to     string // where it leads instead of showing a page, "" for nowhere
}

// answer lets a reply leave, or wait for the transaction that it tells of.
func (v *visit) answer(r reply) error {
	if v.making != nil {
		v.making.reply = &r
		return nil
	}
	if err := v.commit(); err != nil {
		return err
	}
	if r.status == http.StatusOK && v.person == nil && !v.own && v.route.who == guest {
		return v.sendPage(r.page)
	}
	v.Response().Header().Set("Cache-Control", "no-store")
	if r.to != "" {
		return v.Redirect(r.status, r.to)
	}
	return v.Blob(r.status, kindHTML, r.page)
}

// redirect leads on to a page, which is asked for by GET: reloading it posts nothing.
func (v *visit) redirect(to string) error {
	return v.answer(reply{status: http.StatusSeeOther, to: to})
}

// done leads on to a page that says what was done.
func (v *visit) done(to, what string) error {
	v.say(views.Done, what)
	return v.redirect(to)
}
