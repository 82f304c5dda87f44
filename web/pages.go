// Package web serves the pages for people: it reads a request, asks the rules and
// fills a view.
//
// It knows nothing of SQL, and of HTML only which view it fills.
package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"portal/api/clock"
	"portal/views"
)

// Pages are the public pages, and those that a link in an e-mail opens.
type Pages struct {
	BaseURL string // under which people and programs reach the service
	Guests  Guests
	Now     clock.Clock
}

// Mount adds the routes of the pages.
func (p Pages) Mount(e *echo.Echo) {
	p.get(e, "/", p.home)
	p.get(e, "/docs/errors", p.errors)
	p.get(e, "/docs/errors.md", p.errorsMarkdown)
	p.get(e, "/static/*", p.file)
	p.guest(e, "/apply/:token", p.apply, http.MethodGet, http.MethodHead)
	p.guest(e, "/apply/:token", p.sendApplication, http.MethodPost)
	p.guest(e, "/mail/unsubscribe/:token", p.unsubscribe, http.MethodGet, http.MethodHead)
	p.guest(e, "/mail/unsubscribe/:token", p.stopInvitations, http.MethodPost)
}

// Failed answers with the page of a fault of ours. The error handler calls it.
func (p Pages) Failed(c echo.Context) error {
	return notice(c, http.StatusInternalServerError, "", "Something failed on our side", "Try again in a moment. What you sent was not taken.")
}

// NotFound answers with the page of a path that leads nowhere. The error handler
// calls it for what is no part of the API.
func (p Pages) NotFound(c echo.Context) error {
	p.guard(c.Response().Header())
	return show(c, http.StatusNotFound, views.MissingPage(views.Missing{
		Frame: frame("", "Not found", "There is no page at this address."),
		Path:  c.Request().URL.Path,
	}))
}

func (p Pages) home(c echo.Context) error {
	return show(c, http.StatusOK, views.HomePage(views.Home{
		Frame: frame("/", "A developer API for a landlord’s portfolio",
			"Properties, tenants, leases, maintenance tickets and payments of one landlord’s portfolio, as JSON over REST."),
		API: p.base() + "/api/v1/external",
	}))
}

// get adds a route for GET and HEAD. The headers are set by the route itself: a
// Group with middleware would answer a wrong method with 404.
func (p Pages) get(e *echo.Echo, path string, h echo.HandlerFunc) {
	e.Match([]string{http.MethodGet, http.MethodHead}, path, func(c echo.Context) error {
		p.guard(c.Response().Header())
		return h(c)
	})
}

func (p Pages) base() string { return strings.TrimRight(p.BaseURL, "/") }
