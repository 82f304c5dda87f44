package rest

import (
	"fmt"
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
	if path == documentPath || path == streamPath || path == exportPath {
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
// a method that the path does not have, if it comes from a program: below /api or the endpoint
// of assistants, with a body of JSON, or where JSON or a stream of events is asked for. It
// reports whether it did.
func (a *API) Unknown(c echo.Context, status int) bool {
	path, h := c.Request().URL.Path, c.Request().Header
	if !below(path, "/api") && !below(path, assistants) && !sendsJSON(h) && !prefersData(h.Values("Accept")) {
		return false
	}
	_ = a.request(c, nil, func(x *request) error {
		if err := x.req.Admit(); fault.Is(err, fault.RateLimited) || fault.Is(err, fault.Unavailable) {
			return err
		}
		if status == http.StatusMethodNotAllowed {
			return a.notAllowed(c)
		}
		return a.notFound(path)
	}) // a request answers every error itself
	return true
}

// notAllowed refuses a method that a page does not have. Who sends messages to the first page
// has left out the rest of the address.
func (a *API) notAllowed(c echo.Context) error {
	words := fmt.Sprintf("%s is not allowed here. Allowed methods: %s.",
		texts.ClipBytes(c.Request().Method, 20), c.Response().Header().Get("Allow"))
	if c.Request().URL.Path == "/" {
		words += fmt.Sprintf(" The API is at %s, and assistants use %s.", a.BaseURL+Base, a.BaseURL+assistants)
	}
	return fault.New(fault.MethodNotAllowed, "%s", words)
}

// notFound refuses a path that is not one of the surface, and names the one that is meant.
func (a *API) notFound(path string) error {
	shown := texts.ClipBytes(redact.Text(path), 200)
	right, meant := a.suggestPath(path)
	bare := "/" + strings.TrimPrefix(path, prefix.FindString(path))
	switch {
	case meant && right == "":
		return fault.New(fault.RouteNotFound,
			"Nothing is at %s. Paths of the API begin with %s and are listed in the reference.",
			shown, a.BaseURL+Base)
	case meant:
		return fault.New(fault.RouteNotFound, "Nothing is at %s. Use %s instead.", shown,
			a.BaseURL+Base+texts.ClipBytes(redact.Text(right), 200))
	case signsIn.MatchString(bare):
		return fault.New(fault.RouteNotFound,
			"Nothing is at %s. Signing in with OAuth is not possible: an assistant sends the header Authorization "+
				"with Bearer and an API key to %s instead.", shown, a.BaseURL+assistants)
	case below(bare, assistants) || oldTransport.MatchString(bare):
		return fault.New(fault.RouteNotFound,
			"Nothing is at %s. Use %s instead: assistants send each message there with POST (Streamable HTTP).",
			shown, a.BaseURL+assistants)
	}
	return fault.New(fault.RouteNotFound, "Nothing is at %s. Check the address against the reference, %s.",
		shown, a.BaseURL+"/docs/api")
}

// assistants is the path of the endpoint for assistants, which another surface serves.
const assistants = "/mcp"

// What clients of MCP ask for by themselves: where they would sign in, and where the transport
// of the first revision had its stream and its messages.
var (
	signsIn      = regexp.MustCompile(`^(/mcp)?/(register|authorize|token|oauth2?|revoke|introspect)(/|$)`)
	oldTransport = regexp.MustCompile(`^/(sse|messages?)(/|$)`)
)

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

// sendsJSON reports whether a request says that its body is JSON.
func sendsJSON(h http.Header) bool {
	kind, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	return kind == "application/json" || strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")
}

// prefersData reports whether a client names JSON or a stream of events, and no page that it
// would rather have.
func prefersData(accept []string) bool {
	data, page := 0.0, 0.0
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		kind, params, _ := strings.Cut(part, ";")
		switch strings.ToLower(strings.TrimSpace(kind)) {
		case "application/json", "text/event-stream":
			data = max(data, weight(params))
		case "text/html", "application/xhtml+xml":
			page = max(page, weight(params))
		}
	}
	return data > 0 && data >= page
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
