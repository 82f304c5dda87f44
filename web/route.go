package web

import (
	"net/http"
	"strings"

	"portal/api/access"
)

// who says for whom a route is.
type who int

const (
	public who = iota // everybody, and no session is read
	bearer            // whoever has the address, which is a secret
	guest             // everybody, signed in or not
	person            // who is signed in
	member            // who is signed in, for the account that they look at
	owner             // an owner of that account
	staff             // who reviews requests and looks after the service
)

// handler answers a visit. It returns why it cannot; the shell shows that.
type handler func(v *visit) error

// route is an address and what answers there.
type route struct {
	method string
	path   string // /{mode}/… stands for two: /test/… and /live/…
	who    who
	handle handler
	most   int64 // bytes that a body may have
	files  bool  // a form may hold files
	secret bool  // the address is one, though it is not enough by itself

	asksAgain bool    // only who has shown within account.FreshTime who they are
	takenOnce bool    // creates something: the same form, sent twice, creates one thing
	prepare   handler // what a route that is taken once works out before its transaction, nil for nothing

	mode   access.Mode // of the records that the page shows, "" where they have none
	single bool        // there is no such page for the other mode
}

func get(path string, w who, h handler) route {
	return route{method: http.MethodGet, path: path, who: w, handle: h}
}

func post(path string, w who, h handler) route {
	return route{method: http.MethodPost, path: path, who: w, handle: h, most: formSize}
}

// postFiles takes a form with files, as large as most in all.
func postFiles(path string, w who, most int64, h handler) route {
	return route{method: http.MethodPost, path: path, who: w, handle: h, most: most, files: true}
}

// unlisted is for an address that holds a secret from an e-mail: no cache keeps the
// page and no search engine learns of it.
func (r route) unlisted() route {
	r.secret = true
	return r
}

// confirmed is for what gives lasting power, or cannot be undone: the reader confirms
// first who they are, unless they did a short while ago. What they typed is kept
// meanwhile. No form with files asks for it.
func (r route) confirmed() route {
	r.asksAgain = true
	return r
}

// once is for a form that creates something. It runs in one transaction with the note that
// the form was sent, so a form that is sent twice creates one thing, also at the same
// moment and on several nodes. The second answer leads to what the first one made.
func (r route) once() route {
	r.takenOnce = true
	return r
}

// after has something slow done before the transaction of a route that is taken once.
func (r route) after(prepare handler) route {
	r.prepare = prepare
	return r
}

// test is for a page of test records that live ones do not have.
func (r route) test() route {
	r.mode, r.single = access.Test, true
	return r
}

// methods are those that the route answers: a HEAD is a GET whose body is not sent.
func (r route) methods() []string {
	if r.method == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{r.method}
}

// places are the addresses that the route stands for.
func (r route) places() []route {
	rest, both := strings.CutPrefix(r.path, "/{mode}/")
	if !both {
		return []route{r}
	}
	var all []route
	for _, m := range []access.Mode{access.Test, access.Live} {
		at := r
		at.mode, at.path = m, "/"+string(m)+"/"+rest
		all = append(all, at)
	}
	return all
}
