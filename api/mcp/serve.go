package mcp

import (
	"net/http"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/middleware"
	"portal/api/strictjson"
	"portal/api/texts"
)

// largestBody is what a request has at most: a batch is twenty messages.
const largestBody = 1 << 20

// smallBody is what is read of anybody with a valid key; few batches are larger.
const smallBody = 256 << 10

// mostMessages is how many messages a batch has at most (docs/assistants.md).
const mostMessages = 20

// request is one request to the endpoint and its answer.
type request struct {
	endpoint *Endpoint
	req      *middleware.Request
	body     strictjson.Value
	header   string        // the revision that the header names
	actor    *access.Actor // at this endpoint a test key only reads
}

// Serve answers a request. The checks come in the order of docs/assistants.md; what fails
// before a message is read has its HTTP status and the error envelope.
func (e *Endpoint) Serve(w http.ResponseWriter, r *http.Request, address string) {
	x := &request{endpoint: e, req: e.Begin(w, r, address)}
	x.req.Operation = "mcp"
	x.req.Run(x.answer)
}

func (x *request) answer() error {
	if err := x.req.Identify(); err != nil {
		return advised(err)
	}
	if err := x.early(); err != nil {
		return err
	}
	broken := x.readBody()
	if err := x.charge(); err != nil {
		return err
	}
	if err := x.mayEnter(); err != nil {
		return err
	}
	if x.req.HTTP.Method != http.MethodPost {
		x.req.Writer.Header().Set("Allow", http.MethodPost)
		return fault.New(fault.MethodNotAllowed,
			"%s is not possible here; send each message with POST. There are no sessions and no streams.",
			texts.ClipBytes(x.req.HTTP.Method, 20))
	}
	if broken != nil && !fault.Is(broken, fault.InvalidJSON) {
		return broken
	}
	if !acceptsJSON(x.req.HTTP.Header["Accept"]) {
		return fault.New(
			fault.UnsupportedMediaType,
			"The answer is JSON. Send an Accept header that admits application/json, or none.",
		)
	}
	return x.protocol(broken)
}

// advised adds to a refusal of a key how a client of this endpoint sets one.
func advised(err error) error {
	f := fault.From(err)
	if f.Code.Entry().Type != fault.Authentication {
		return err
	}
	return fault.New(
		f.Code,
		"%s In the assistant's settings for this server, set the header Authorization to Bearer and an API key; "+
			"signing in with OAuth is not possible.",
		f.Message,
	)
}

// early refuses a caller who is throttled before a large body is read: what costs nothing
// must not be much work. How many messages there are nobody knows yet, so Retry-After is
// that of one.
func (x *request) early() error {
	if n := x.req.HTTP.ContentLength; n >= 0 && n <= smallBody {
		return nil
	}
	return x.req.Uncharged()
}

// readBody reads the messages, which tell what the request costs.
func (x *request) readBody() error {
	if x.req.HTTP.Method != http.MethodPost {
		return nil
	}
	text, err := x.req.Body(largestBody)
	if err == nil && text == nil {
		err = fault.New(fault.InvalidJSON, "The body is empty. Send a JSON-RPC message.")
	}
	if err == nil {
		x.body, err = strictjson.Parse(text)
	}
	return err
}

// charge counts each message of the request, all of them or none. A batch of a size that
// is never served costs nothing.
func (x *request) charge() error {
	n := len(x.body.Items)
	switch {
	case x.body.Kind != strictjson.Array:
		return x.req.Charge(1)
	case n == 0 || n > mostMessages:
		return x.req.Uncharged()
	}
	return x.req.Charge(n)
}

// mayEnter lets in owners only, and no page of another site.
func (x *request) mayEnter() error {
	for _, origin := range x.req.HTTP.Header["Origin"] {
		if !strings.EqualFold(origin, x.endpoint.origin) {
			return fault.Of(fault.ForeignOrigin)
		}
	}
	if x.req.Caller.Role != access.Owner {
		return fault.New(
			fault.OwnerRequired,
			"Only an owner of the account can connect an assistant, and the person who created this key is not one.",
		)
	}
	x.actor = x.req.Caller.Actor()
	if x.req.Caller.Portfolio.Mode == access.Test {
		x.actor.Scopes = access.Scopes{access.Read}
	}
	return nil
}

// acceptsJSON reports whether a client takes JSON; one that says nothing takes anything.
func acceptsJSON(headers []string) bool {
	named := false
	for _, h := range headers {
		for part := range strings.SplitSeq(h, ",") {
			kind, params, _ := strings.Cut(part, ";")
			named = named || strings.TrimSpace(kind) != ""
			switch strings.ToLower(strings.TrimSpace(kind)) {
			case "application/json", "application/*", "*/*":
				if !refusedByWeight(params) {
					return true
				}
			}
		}
	}
	return !named
}

// refusedByWeight tells a weight of nothing (RFC 9110, Quality Values).
func refusedByWeight(params string) bool {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") && strings.Trim(strings.TrimSpace(value), "0.") == "" {
			return true
		}
	}
	return false
}
