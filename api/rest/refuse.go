package rest

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
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

// Unknown answers a request for a path outside of the surface that nobody serves, or with
// a method that the path does not have, if it comes from a program: below /api, or where
// JSON is asked for. It reports whether it did.
func (a *API) Unknown(c echo.Context, status int) bool {
	if !below(c.Request().URL.Path, "/api") && !prefersJSON(c.Request().Header.Values("Accept")) {
		return false
	}
	_ = a.request(c, nil, func(x *request) error {
		if err := x.req.Admit(); fault.Is(err, fault.RateLimited) || fault.Is(err, fault.Unavailable) {
			return err
		}
		if status == http.StatusMethodNotAllowed {
			return fault.New(fault.MethodNotAllowed, "%s is not allowed here. Allowed methods: %s.",
				texts.ClipBytes(c.Request().Method, 20), c.Response().Header().Get("Allow"))
		}
		return a.notFound(c.Request().URL.Path)
	}) // a request answers every error itself
	return true
}

// notFound refuses a path that is not one of the surface, and names the one that is meant.
func (a *API) notFound(path string) error {
	shown := texts.ClipBytes(redact.Text(path), 200)
	right, meant := a.suggestPath(path)
	switch {
	case meant && right == "":
		return fault.New(fault.RouteNotFound,
			"Nothing is at %s. Paths of the API begin with %s and are listed in the reference.",
			shown, a.BaseURL+Base)
	case meant:
		return fault.New(fault.RouteNotFound, "Nothing is at %s. Use %s instead.", shown,
			a.BaseURL+Base+texts.ClipBytes(redact.Text(right), 200))
	}
	return fault.New(fault.RouteNotFound, "Nothing is at %s. Check the address against the reference, %s.",
		shown, a.BaseURL+"/docs/api")
}

// prefix is what stands before a resource where people guess the address.
var prefix = regexp.MustCompile(`^/(?:(?:api|rest|external|v[0-9]+)(?:/|$))*`)

// suggestPath is the path below Base that is left of a path without its prefix: of an operation,
// or "" where there is nothing but a prefix.
func (a *API) suggestPath(path string) (right string, meant bool) {
	rest := "/" + strings.TrimSuffix(strings.TrimPrefix(path, prefix.FindString(path)), "/")
	if rest == "/" {
		return "", true
	}
	return rest, len(a.methods(rest)) > 0
}

// prefersJSON reports whether a client names JSON, and no page that it would rather have.
func prefersJSON(accept []string) bool {
	json, page := 0.0, 0.0
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		kind, params, _ := strings.Cut(part, ";")
		switch strings.ToLower(strings.TrimSpace(kind)) {
		case "application/json":
			json = weight(params)
		case "text/html", "application/xhtml+xml":
			page = max(page, weight(params))
		}
	}
	return json > 0 && json >= page
}

// weight is the weight of a media type by its parameters, 0 to 1 (RFC 9110, section 12.4.2).
func weight(params string) float64 {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			w, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				return 0
			}
			return w
		}
	}
	return 1
}
