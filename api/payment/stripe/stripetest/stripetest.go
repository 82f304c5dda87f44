// Package stripetest is a server for tests that answers as Stripe's API does, for the calls that the service makes and
// no others. It follows Stripe's documentation: idempotency keys, accounts that see only their own objects, parameters
// that are unknown, what comes with an answer, pages of lists, and errors. It keeps everything in memory.
//
// What tenants, banks and Stripe do are methods of Server.
package stripetest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"portal/api/clock"
)

// Server is Stripe. It is an http.Handler.
type Server struct {
	key string
	now clock.Clock

	mu       sync.Mutex
	made     int
	objects  map[string]*object // by id
	order    []*object          // as they were made
	answers  map[string]answer  // by account, path and idempotency key
	outages  []outage
	crashes  int
	decline  *failure        // of the next charge without the tenant
	empty    map[string]bool // accounts whose balance does not suffice for a refund
	requests []Request
}

// Request is what the server was asked.
type Request struct {
	Method, Path, Account, Key string
	Parameters                 url.Values
	Header                     http.Header
	Status                     int // of the answer
}

// object is what Stripe keeps. It belongs to an account, "" for the platform's own.
type object struct {
	account string
	fields  fields
}

type fields = map[string]any

type answer struct {
	at         time.Time
	parameters string
	status     int
	body       []byte
}

type failure struct{ code, decline string }

// New makes a server that knows one secret key.
func New(key string, now clock.Clock) *Server {
	return &Server{
		key:     key,
		now:     now,
		objects: map[string]*object{},
		answers: map[string]answer{},
		empty:   map[string]bool{},
	}
}

// Requests are all that were made, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// apiError is an error of the API.
type apiError struct {
	status                     int
	kind, code, param, message string
	decline                    string
	intent                     *object
}

func invalid(param, format string, args ...any) *apiError {
	return &apiError{
		status:  http.StatusBadRequest,
		kind:    "invalid_request_error",
		param:   param,
		message: fmt.Sprintf(format, args...),
	}
}

func (p *apiError) coded(code string) *apiError {
	p.code = code
	return p
}

func noSuch(kind, id string) *apiError {
	p := invalid("id", "No such %s: '%s'", kind, id).coded("resource_missing")
	p.status = http.StatusNotFound
	return p
}

// call is a request that is being answered.
type call struct {
	account string
	path    []string // after /v1
	p       url.Values
}

func (c *call) get(name string) string { return c.p.Get(name) }

func (c *call) number(name string) int64 {
	n, err := strconv.ParseInt(c.get(name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// metadata are the pairs of a parameter such as metadata[attempt].
func (c *call) metadata(prefix string) fields {
	all := fields{}
	for name := range c.p {
		if rest, is := strings.CutPrefix(name, prefix+"["); is {
			all[strings.TrimSuffix(rest, "]")] = c.get(name)
		}
	}
	return all
}

// list are the values of a parameter such as payment_method_types[0].
func (c *call) list(name string) (all []string) {
	for i := 0; ; i++ {
		v, is := c.p[fmt.Sprintf("%s[%d]", name, i)]
		if !is {
			return all
		}
		all = append(all, v...)
	}
}

// operation is a call that Stripe knows.
type operation struct {
	method   string
	path     string // with * for an id
	allowed  string // names of parameters, with [] for a number and [*] for a name
	platform bool   // made on the platform, and not on an account
	do       func(*Server, *call) (fields, *apiError)
}

const (
	listing = "limit starting_after ending_before expand[] "
	created = "created created[gte] created[gt] created[lt] created[lte] "
)

var operations = []operation{
	{
		"POST", "accounts", "country email controller[fees][payer] controller[losses][payments] " +
			"controller[requirement_collection] controller[stripe_dashboard][type] " +
			"capabilities[card_payments][requested] capabilities[us_bank_account_ach_payments][requested] " +
			"capabilities[transfers][requested] business_profile[name] metadata[*]", true, (*Server).createAccount,
	},
	{"GET", "accounts/*", "expand[]", true, retrieve("account")},
	{"POST", "account_links", "account type return_url refresh_url", true, (*Server).createLink},
	{
		"POST", "checkout/sessions", "mode payment_method_types[] line_items[][quantity] " +
			"line_items[][price_data][currency] line_items[][price_data][unit_amount] " +
			"line_items[][price_data][product_data][name] success_url cancel_url client_reference_id customer " +
			"expires_at adaptive_pricing[enabled] metadata[*] payment_intent_data[metadata][*] setup_intent_data[metadata][*]",
		false, (*Server).createSession,
	},
	{"GET", "checkout/sessions/*", "expand[]", false, retrieve("checkout.session")},
	{"POST", "checkout/sessions/*/expire", "", false, (*Server).expireSession},
	{"POST", "customers", "metadata[*]", false, (*Server).createCustomer},
	{
		"POST",
		"payment_intents",
		"amount currency customer payment_method payment_method_types[] confirm off_session " +
			"metadata[*]",
		false,
		(*Server).createIntent,
	},
	{"GET", "payment_intents/*", "expand[]", false, retrieve("payment_intent")},
	{"GET", "payment_intents", listing + created + "customer", false, listed("payment_intent", "customer")},
	{"POST", "payment_intents/*/cancel", "cancellation_reason", false, (*Server).cancelIntent},
	{"GET", "payment_methods/*", "expand[]", false, retrieve("payment_method")},
	{"POST", "payment_methods/*/detach", "", false, (*Server).detach},
	{"POST", "refunds", "payment_intent amount metadata[*]", false, (*Server).createRefund},
	{
		"GET",
		"refunds",
		listing + created + "payment_intent charge",
		false,
		listed("refund", "payment_intent", "charge"),
	},
	{
		"GET", "disputes", listing + created + "payment_intent charge", false,
		listed("dispute", "payment_intent", "charge"),
	},
	{"POST", "disputes/*", "evidence[uncategorized_text] submit", false, (*Server).updateDispute},
	{"GET", "payouts", listing + created + "status", false, listed("payout", "status")},
	{
		"GET", "balance_transactions", listing + created + "payout currency type", false,
		listed("balance_transaction", "payout", "currency", "type"),
	},
}

// ServeHTTP is http.Handler's.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return
	}
	parameters := r.URL.Query()
	if r.Method == http.MethodPost {
		if parameters, err = url.ParseQuery(string(body)); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	t := s.nextOutage()
	if t.apply(w, r) {
		s.note(r, parameters, t.status)
		return
	}
	status, out := s.answer(r, parameters)
	s.note(r, parameters, status)
	if t.late {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Request-Id", "req_test")
	w.WriteHeader(status)
	_, _ = w.Write(out) //nolint:gosec // it is JSON, which is said above
}

func (s *Server) note(r *http.Request, parameters url.Values, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{
		Method:     r.Method,
		Path:       r.URL.Path,
		Account:    r.Header.Get("Stripe-Account"),
		Key:        r.Header.Get("Idempotency-Key"),
		Parameters: parameters,
		Header:     r.Header.Clone(),
		Status:     status,
	})
}

// remembered is for how long Stripe knows an idempotency key.
const remembered = 24 * time.Hour

// answer does what is asked. What an endpoint has answered to an idempotency key is answered again for a day, also an
// error.
func (s *Server) answer(r *http.Request, parameters url.Values) (status int, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &call{account: r.Header.Get("Stripe-Account"), p: parameters}
	o, problem := s.operation(r, c)
	if problem != nil {
		return s.refuse(problem)
	}
	key := strings.Join([]string{c.account, r.URL.Path, r.Header.Get("Idempotency-Key")}, " ")
	keyed := r.Method == http.MethodPost && r.Header.Get("Idempotency-Key") != ""
	if before, is := s.answers[key]; is && keyed && s.now().Sub(before.at) < remembered {
		if before.parameters != parameters.Encode() {
			p := invalid(
				"",
				"Keys for idempotent requests can only be used with the same parameters they were first used with.",
			)
			p.kind = "idempotency_error"
			return s.refuse(p)
		}
		return before.status, before.body
	}
	found, problem := o.do(s, c)
	if problem == nil {
		found, problem = s.expanded(found, c.list("expand"))
	}
	if problem != nil {
		status, body = s.refuse(problem)
	} else {
		status, body = http.StatusOK, encode(found)
	}
	if r.Method == http.MethodPost && s.crashes > 0 {
		s.crashes--
		status, body = s.refuse(&apiError{
			status: http.StatusInternalServerError, kind: "api_error", message: "An unknown error occurred",
		})
	}
	if keyed {
		s.answers[key] = answer{s.now(), parameters.Encode(), status, body}
	}
	return status, body
}

// operation is what is asked for, with the rights and the parameters checked.
func (s *Server) operation(r *http.Request, c *call) (*operation, *apiError) {
	if r.Header.Get("Authorization") != "Bearer "+s.key {
		return nil, &apiError{
			status:  http.StatusUnauthorized,
			kind:    "invalid_request_error",
			message: "Invalid API Key provided: sk_****",
		}
	}
	path, _ := strings.CutPrefix(r.URL.Path, "/v1/")
	c.path = strings.Split(path, "/")
	at := slices.IndexFunc(
		operations,
		func(o operation) bool { return o.method == r.Method && matches(o.path, c.path) },
	)
	if at < 0 {
		p := invalid("", "Unrecognized request URL (%s: %s).", r.Method, r.URL.Path)
		p.status = http.StatusNotFound
		return nil, p
	}
	o := &operations[at]
	switch {
	case o.platform && c.account != "":
		return nil, invalid("", "This test server keeps accounts on the platform.")
	case !o.platform && s.objects[c.account] == nil:
		return nil, &apiError{
			status: http.StatusForbidden,
			kind:   "invalid_request_error",
			code:   "account_invalid",
			message: fmt.Sprintf(
				"The provided key does not have access to account '%s' (or that account does not exist).",
				c.account,
			),
		}
	}
	for name := range c.p {
		if !slices.Contains(strings.Fields(o.allowed), general(name)) {
			return nil, invalid(name, "Received unknown parameter: %s", name).coded("parameter_unknown")
		}
	}
	return o, nil
}

func matches(pattern string, path []string) bool {
	parts := strings.Split(pattern, "/")
	return len(parts) == len(path) && !slices.ContainsFunc(slices.Collect(indices(parts)), func(i int) bool {
		return parts[i] != "*" && parts[i] != path[i]
	})
}

func indices(parts []string) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range parts {
			if !yield(i) {
				return
			}
		}
	}
}

var (
	numbered = regexp.MustCompile(`\[\d+\]`)
	paired   = regexp.MustCompile(`(metadata\]?)\[\w+\]$`)
)

// general is a name of a parameter as operations have it.
func general(name string) string {
	return paired.ReplaceAllString(numbered.ReplaceAllString(name, "[]"), "$1[*]")
}

func (s *Server) refuse(p *apiError) (int, []byte) {
	e := fields{"type": p.kind, "message": p.message}
	for name, value := range map[string]string{"code": p.code, "param": p.param, "decline_code": p.decline} {
		if value != "" {
			e[name] = value
		}
	}
	if p.intent != nil {
		e["payment_intent"] = p.intent.fields
	}
	return p.status, encode(fields{"error": e})
}

func encode(v fields) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // it has plain values alone
	}
	return b
}

// add keeps a new object.
func (s *Server) add(account, prefix, kind string, f fields) *object {
	s.made++
	f["id"], f["object"], f["created"] = fmt.Sprintf("%s_%06d", prefix, s.made), kind, s.now().Unix()
	o := &object{account, f}
	s.objects[o.id()] = o
	s.order = append(s.order, o)
	return o
}

func (o *object) id() string { return o.text("id") }

func (o *object) text(name string) string {
	v, _ := o.fields[name].(string)
	return v
}

func (o *object) number(name string) int64 {
	v, _ := o.fields[name].(int64)
	return v
}

// find is an object of a kind that an account has.
func (s *Server) find(account, kind, id string) (*object, *apiError) {
	o := s.objects[id]
	if o == nil || o.account != account || o.text("object") != kind {
		return nil, noSuch(strings.ReplaceAll(kind, ".", " "), id)
	}
	return o, nil
}

// retrieve answers with an object.
func retrieve(kind string) func(*Server, *call) (fields, *apiError) {
	return func(s *Server, c *call) (fields, *apiError) {
		o, problem := s.find(c.account, kind, c.path[len(c.path)-1])
		if problem != nil {
			return nil, problem
		}
		s.expireIfDue(o)
		return o.fields, nil
	}
}

// listed answers with the latest objects first, in pages.
func listed(kind string, filters ...string) func(*Server, *call) (fields, *apiError) {
	return func(s *Server, c *call) (fields, *apiError) {
		limit := int64(10)
		if c.p.Has("limit") {
			if limit = c.number("limit"); limit < 1 || limit > 100 {
				return nil, invalid("limit", "Limit must be between 1 and 100.")
			}
		}
		after, started := c.get("starting_after"), !c.p.Has("starting_after")
		data, more := []any{}, false
		for _, o := range slices.Backward(s.order) {
			switch {
			case o.account != c.account || o.text("object") != kind || !c.selects(o, filters):
			case !started:
				started = o.id() == after
			case int64(len(data)) == limit:
				more = true
			default:
				data = append(data, o.fields)
			}
		}
		if !started {
			return nil, noSuch(kind, after)
		}
		return fields{"object": "list", "url": "/v1/" + strings.Join(c.path, "/"), "has_more": more, "data": data}, nil
	}
}

// selects reports whether an object is asked for.
func (c *call) selects(o *object, filters []string) bool {
	for _, name := range filters {
		if c.p.Has(name) && o.text(name) != c.get(name) {
			return false
		}
	}
	at := o.number("created")
	for name, within := range map[string]func(n int64) bool{
		"created":      func(n int64) bool { return at == n },
		"created[gte]": func(n int64) bool { return at >= n },
		"created[gt]":  func(n int64) bool { return at > n },
		"created[lt]":  func(n int64) bool { return at < n },
		"created[lte]": func(n int64) bool { return at <= n },
	} {
		if c.p.Has(name) && !within(c.number(name)) {
			return false
		}
	}
	return true
}

// mostDeep is how deep Stripe expands.
const mostDeep = 4

// expanded is an answer with objects in place of their ids.
func (s *Server) expanded(f fields, paths []string) (fields, *apiError) {
	out := clone(f)
	for _, path := range paths {
		parts := strings.Split(path, ".")
		if len(parts) > mostDeep {
			return nil, invalid("expand", "You cannot expand more than %d levels of a property.", mostDeep)
		}
		if problem := s.expand(out, parts); problem != nil {
			return nil, problem
		}
	}
	return out, nil
}

func (s *Server) expand(f fields, path []string) *apiError {
	if len(path) == 0 {
		return nil
	}
	switch v := f[path[0]].(type) {
	case nil:
		if _, is := f[path[0]]; !is {
			return invalid("expand", "This property cannot be expanded (%s).", path[0])
		}
	case string:
		o := s.objects[v]
		if o == nil {
			return invalid("expand", "This property cannot be expanded (%s).", path[0])
		}
		whole := clone(o.fields)
		f[path[0]] = whole
		return s.expand(whole, path[1:])
	case fields:
		return s.expand(v, path[1:])
	case []any:
		for i := range v {
			one, is := v[i].(fields)
			if !is {
				continue
			}
			if problem := s.expand(one, path[1:]); problem != nil {
				return problem
			}
		}
	}
	return nil
}

func clone(f fields) fields {
	out := fields{}
	for name, v := range f {
		switch v := v.(type) {
		case fields:
			out[name] = clone(v)
		case []any:
			list := make([]any, len(v))
			for i := range v {
				if list[i] = v[i]; v[i] != nil {
					if one, is := v[i].(fields); is {
						list[i] = clone(one)
					}
				}
			}
			out[name] = list
		default:
			out[name] = v
		}
	}
	return out
}

// outage is what happens to a request instead of an answer, or before it.
type outage struct {
	status int
	slow   time.Duration
	silent bool
	late   bool // the request is carried out, and the answer is lost
}

// Silent has the server answer the next n requests not at all, until their sender gives up.
func (s *Server) Silent(n int) { s.queue(n, outage{silent: true}) }

// Lost has the server carry the next n requests out, and lose the connection before it has answered.
func (s *Server) Lost(n int) { s.queue(n, outage{late: true}) }

// Slow has the server wait before it answers the next n requests.
func (s *Server) Slow(n int, d time.Duration) { s.queue(n, outage{slow: d}) }

// Broken has the server answer the next n requests with a status of a server that does not work, such as 500 or 429.
func (s *Server) Broken(n, status int) { s.queue(n, outage{status: status}) }

// Crash has the server carry the next n requests out that change something, and answer with 500: also when they are
// sent again with the same idempotency key, for a day.
func (s *Server) Crash(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.crashes = n
}

func (s *Server) queue(n int, t outage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range n {
		s.outages = append(s.outages, t)
	}
}

func (s *Server) nextOutage() (t outage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.outages) > 0 {
		t, s.outages = s.outages[0], s.outages[1:]
	}
	return t
}

// apply has the outage happen to a request, and reports whether that is the end of it.
func (t *outage) apply(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case t.silent:
		<-r.Context().Done()
		return true
	case t.status != 0:
		kind := "api_error"
		if t.status == http.StatusTooManyRequests {
			kind = "rate_limit_error"
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(t.status)
		_, _ = w.Write(encode(fields{"error": fields{"type": kind, "message": "An unknown error occurred"}}))
		return true
	case t.slow > 0:
		wait := time.NewTimer(t.slow)
		defer wait.Stop()
		select {
		case <-wait.C:
			return false
		case <-r.Context().Done():
			return true
		}
	}
	return false
}

// Signed is the header by which Stripe signs an event.
func Signed(event []byte, secret string, at time.Time) string {
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = fmt.Fprintf(mac, "%d.%s", at.Unix(), event)
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), hex.EncodeToString(mac.Sum(nil)))
}

// Event is an event about an object as it is now, such as checkout.session.completed.
func (s *Server) Event(kind, id string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	about := s.objects[id]
	if about == nil {
		panic("there is no object " + id)
	}
	s.made++
	event := fields{
		"id":               fmt.Sprintf("evt_%06d", s.made),
		"object":           "event",
		"api_version":      "2024-06-20",
		"type":             kind,
		"created":          s.now().Unix(),
		"livemode":         true,
		"pending_webhooks": 1,
		"data":             fields{"object": about.fields},
	}
	switch {
	case about.account != "":
		event["account"] = about.account
	case about.text("object") == "account":
		event["account"] = about.id()
	}
	return encode(event)
}
