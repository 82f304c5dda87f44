package page

import (
	"net/http"
	"strings"

	"portal/api/access"
)

// Audience says for whom a route is.
type Audience int

// The audiences.
const (
	Public     Audience = iota // everybody, and no session is read
	LinkHolder                 // everybody who has the address, which is a secret
	Guest                      // everybody, signed in or not
	SignedIn                   // people who are signed in
	Member                     // people who are signed in, for the account that they look at
	Owner                      // an owner of that account
	Staff                      // people who review requests and look after the service
)

// Handler answers a request. It returns why it cannot; the shell shows that.
type Handler func(v *Request) error

// When reports whether something is so of a request that has been admitted.
type When func(v *Request) (bool, error)

// Route is an address and what answers there.
type Route struct {
	Method   string
	Path     string // /{mode}/… stands for two: /test/… and /live/…
	Audience Audience
	handle   Handler
	most     int64 // bytes that a body may have
	files    bool  // a form may hold files
	others   int   // how many files it may hold beside the first one
	texts    int64 // bytes that the fields of a form with files may have
	// oversized answers a form that holds more than the route takes; nil: a page says so.
	oversized Handler
	secret    bool // the address is one, though it is not enough by itself

	AsksAgain bool    // only who has shown within account.FreshTime who they are
	Asks      When    // the same, of some requests alone; nil for none
	TakenOnce bool    // creates something: the same form, sent twice, creates one thing
	prepare   Handler // what a route that is taken once works out before its transaction, nil for nothing

	previews bool // makes a document that is not kept
	framed   bool // a page of this site may show it in a frame

	Generated bool // a GET that makes a file each time

	mode   access.Mode // of the records that the page shows, "" where they have none
	single bool        // there is no such page for the other mode
}

// Get is a route that only reads.
func Get(path string, w Audience, h Handler) Route {
	return Route{
		Method:   http.MethodGet,
		Path:     path,
		Audience: w,
		handle:   h,
	}
}

// Asks shows a form that nothing was sent with yet, but what the address says.
func Asks(show func(*Request, *Form) error) Handler {
	return func(v *Request) error { return show(v, v.Form()) }
}

// Post is a route that takes a form of at most 64 KB.
func Post(path string, w Audience, h Handler) Route {
	return Route{
		Method:   http.MethodPost,
		Path:     path,
		Audience: w,
		handle:   h,
		most:     FormSize,
	}
}

// PostFiles takes a form with files, as large as most in all.
func PostFiles(path string, w Audience, most int64, h Handler) Route {
	r := Post(path, w, h)
	r.most, r.files, r.texts = most, true, FormSize
	return r
}

// Several lets a form with files hold so many of them.
func (r Route) Several(files int) Route {
	r.others = files - 1
	return r
}

// Texts lets the fields of a form with files have so many bytes instead of FormSize.
func (r Route) Texts(most int64) Route {
	r.texts = most
	return r
}

// Oversized has a form answered that holds more than the route takes. Nothing of it is known.
func (r Route) Oversized(h Handler) Route {
	r.oversized = h
	return r
}

// Unlisted is for an address that holds a secret from an email: no cache keeps the
// page and no search engine learns of it.
func (r Route) Unlisted() Route {
	r.secret = true
	return r
}

// Confirmed is for what gives lasting power, or cannot be undone: the reader confirms
// first who they are, unless they did a short while ago. What they typed is kept
// meanwhile, but no file: who sends one too late chooses it again.
func (r Route) Confirmed() Route {
	r.AsksAgain = true
	return r
}

// ConfirmedWhen is Confirmed for those requests alone that give lasting power or show a secret.
func (r Route) ConfirmedWhen(asks When) Route {
	r.Asks = asks
	return r
}

// Once is for a form that creates something. It runs in one transaction with the note that
// the form was sent, so a form that is sent twice creates one thing, also at the same
// moment and on several nodes. The second answer leads to what the first one made.
func (r Route) Once() Route {
	r.TakenOnce = true
	return r
}

// After has something slow done before the transaction of a route that is taken once.
func (r Route) After(prepare Handler) Route {
	r.prepare = prepare
	return r
}

// Previews is for a form that makes a document and keeps nothing. It has a limit of its own.
func (r Route) Previews() Route {
	r.previews = true
	return r
}

// Generates is for a GET that makes a file each time, such as a statement of account. It has a limit of its own. The
// handler of a route for people with a link counts it, once it knows whose link that is: see WithinGuestFiles.
func (r Route) Generates() Route {
	r.Generated = true
	return r
}

// Framed is for a page that stands in a frame of another one of this site.
func (r Route) Framed() Route {
	r.framed = true
	return r
}

// Test is for a page of test records that live ones do not have.
func (r Route) Test() Route {
	r.mode, r.single = access.Test, true
	return r
}

// Single reports whether there is no such page for the other mode.
func (r Route) Single() bool { return r.single }

// methods are those that the route answers: a HEAD is a GET whose body is not sent.
func (r Route) methods() []string {
	if r.Method == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{r.Method}
}

// Expand are the addresses that the route stands for.
func (r Route) Expand() []Route {
	rest, both := strings.CutPrefix(r.Path, "/{mode}/")
	if !both {
		return []Route{r}
	}
	var all []Route
	for _, m := range []access.Mode{access.Test, access.Live} {
		at := r
		at.mode, at.Path = m, "/"+string(m)+"/"+rest
		all = append(all, at)
	}
	return all
}
