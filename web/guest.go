package web

import (
	"bytes"
	"context"
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"portal/api/fault"
	"portal/api/portfolio"
	"portal/static"
	"portal/views"
)

// Guests is what people with a link and no account can do.
type Guests interface {
	Lead(ctx context.Context, token string) (*portfolio.Lead, error)
	ApplyPage(ctx context.Context, token string) (*portfolio.Lead, error)
	Apply(ctx context.Context, token string, f portfolio.ApplicationForm) error
	Unsubscribing(ctx context.Context, token string) (landlord string, stopped bool, err error)
	Unsubscribe(ctx context.Context, token string) error
}

// A page for a guest posts a form to itself.
const guestPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guest adds a route of a page whose address is a secret: no cache keeps it, no other
// site and no search engine learns of it.
func (p Pages) guest(e *echo.Echo, path string, h echo.HandlerFunc, methods ...string) {
	e.Match(methods, path, func(c echo.Context) error {
		header := c.Response().Header()
		p.guard(header)
		header.Set("Content-Security-Policy", guestPolicy)
		header.Set("Cache-Control", "no-store")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("X-Robots-Tag", "noindex, nofollow")
		return h(c)
	})
}

// draw answers with a page for one reader.
func draw(c echo.Context, status int, page templ.Component) error {
	var b bytes.Buffer
	if err := page.Render(context.WithoutCancel(c.Request().Context()), &b); err != nil {
		return err
	}
	return c.Blob(status, kindHTML, b.Bytes())
}

func letterhead(title, from string) views.Letterhead {
	return views.Letterhead{Title: title, From: from, Style: static.URL("style.css"), Icon: static.URL("icon.svg")}
}

// notice answers with a page that says one thing.
func notice(c echo.Context, status int, from, title string, words ...string) error {
	n := views.Notice{Letterhead: letterhead(title, from), Title: title, Words: words}
	if status >= http.StatusBadRequest {
		n.Stamp = status
	}
	return draw(c, status, views.NoticePage(n))
}

// noLink is the answer for a link that opens nothing.
func noLink(c echo.Context, err error) error {
	if !fault.Is(err, fault.NoRecord) {
		return err
	}
	return notice(c, http.StatusNotFound, "", "This link opens nothing",
		"Copy the whole link from the e-mail, from http to its end. If it still opens nothing, ask whoever sent it for a new one.")
}
