package rest

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"portal/api/fault"
	"portal/api/operation"
	"portal/api/redact"
	"portal/api/texts"
)

// NoRoute answers a request for a path or with a method that no operation has. A
// missing or wrong key is said first, as everywhere.
func (a *API) NoRoute(c echo.Context) error {
	return a.request(c, nil, func(x *request) error {
		if err := x.req.Admit(); err != nil {
			return err
		}
		path := strings.TrimPrefix(echo.GetPath(c.Request()), Base) // as the router saw it
		allowed := a.methods(path)
		if len(allowed) == 0 {
			return fault.New(fault.RouteNotFound,
				"No operation has the path %s. Check it against the reference; paths have no slash at the end.",
				texts.ClipBytes(redact.Text(c.Request().URL.Path), 200))
		}
		c.Response().Header().Set("Allow", strings.Join(allowed, ", "))
		return fault.New(fault.MethodNotAllowed, "%s is not allowed here. Allowed methods: %s.",
			texts.ClipBytes(c.Request().Method, 20), strings.Join(allowed, ", "))
	})
}

// methods are those that operations have for a path; one that is written out goes
// before one with a parameter, as in the router.
func (a *API) methods(path string) (allowed []string) {
	if path == documentPath || path == streamPath {
		return []string{http.MethodGet, http.MethodHead}
	}
	literal := slices.ContainsFunc(a.operations, func(op *operation.Operation) bool { return op.Path == path })
	for _, op := range a.operations {
		if op.Path == path || !literal && matches(op.Path, path) {
			allowed = append(allowed, op.Method)
			if op.Method == http.MethodGet {
				allowed = append(allowed, http.MethodHead)
			}
		}
	}
	return allowed
}

// shadowed are the methods that a path such as /tenants/invite does not have, but that
// /tenants/{id} does: the router would take the word for an id.
func (a *API) shadowed(path string) (methods []string) {
	own := a.methods(path)
	for _, op := range a.operations {
		if op.Path != path && matches(op.Path, path) && !slices.Contains(own, op.Method) {
			methods = append(methods, op.Method)
			if op.Method == http.MethodGet {
				methods = append(methods, http.MethodHead)
			}
		}
	}
	return methods
}

// matches reports whether a path has the form of a template such as /tenants/{id}.
func matches(template, path string) bool {
	want, have := strings.Split(template, "/"), strings.Split(path, "/")
	if len(want) != len(have) {
		return false
	}
	for i := range want {
		if want[i] != have[i] && (!strings.HasPrefix(want[i], "{") || have[i] == "") {
			return false
		}
	}
	return true
}

// serveDocument answers with the OpenAPI description, to anybody: with a key it
// counts against the key, without one against the client's address.
func (a *API) serveDocument(c echo.Context) error {
	return a.request(c, nil, func(x *request) error {
		if err := x.req.Admit(); err != nil && !fault.Is(err, fault.MissingAPIKey) {
			return err
		}
		x.req.SendDocument(a.documentNow())
		return nil
	})
}
