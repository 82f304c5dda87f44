package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"portal/api/account"
	"portal/api/fault"
	"portal/views"
)

// Route is a route as a test walks it.
type Route struct {
	Method, Path string
	For          Reader
	Confirmed    bool // asks who is there again
	Once         bool // the same form creates one thing
}

// Reader is what a reader has to be.
type Reader = who

// The readers.
const (
	Public   = public
	Bearer   = bearer
	Guest    = guest
	SignedIn = person
	Member   = member
	Owner    = owner
	Staff    = staff
)

// Table is every route.
func (p *Pages) Table() []Route {
	var all []Route
	for _, r := range p.table {
		for _, at := range r.places() {
			all = append(all, Route{at.method, at.path, at.who, at.asksAgain, at.takenOnce})
		}
	}
	return all
}

// Trial adds pages of a test: for each kind of reader one that asks and one that does,
// and some that fail.
func (p *Pages) Trial() *Pages {
	ask := func(v *visit) error {
		return v.show(views.ConfirmPage(views.Confirm{Frame: v.frame("Trial"), Title: "Do it?",
			Form: blank(url.Values{}).fill(views.Form{Submit: "Do it"})}))
	}
	do := func(v *visit) error { return v.done(v.Request().URL.Path, "It is <b>done</b>.") }
	for name, w := range map[string]who{"guest": guest, "person": person, "member": member, "owner": owner, "staff": staff} {
		p.table = append(p.table, get("/trial/"+name, w, ask), post("/trial/"+name, w, do), post("/trial/"+name+"/only", w, do))
	}
	p.table = append(p.table,
		get("/{mode}/trials", member, ask),
		get("/{mode}/trials/:id", member, func(v *visit) error {
			a := v.actor()
			return v.show(views.ConfirmPage(views.Confirm{Frame: v.frame("A trial"), Title: string(a.Portfolio.Mode) + " " + v.Param("id")}))
		}),
		post("/{mode}/trials", member, func(v *visit) error { return v.done(v.in("/trials"), "Added.") }),
		post("/trial/once", person, func(v *visit) error {
			switch v.form().text("what") {
			case "wrong":
				return v.showAs(http.StatusBadRequest, views.HomePage(views.Home{Frame: v.frame("Wrong")}))
			case "fault":
				return fault.Of(fault.Unavailable)
			case "nowhere":
				return v.show(views.HomePage(views.Home{Frame: v.frame("Made, but where?")}))
			case "refused":
				return v.refuseAt("/trial/person", "It cannot be made.")
			case "panic":
				panic("the secret of the house")
			case "late":
				if h := v.Response().Header(); h.Get("Run") == "" {
					h.Set("Run", "1")
					h.Set("Retry-After", "9")
					v.say(views.Failed, "It is late.")
					return fault.Of(fault.Unavailable)
				}
				return v.redirect("/trial/person")
			case "stale":
				f := v.form()
				if f.text("version") != "" {
					return v.done("/trial/person", "Made of what a run before has written.")
				}
				f.values.Set("version", "2")
				return v.showAs(http.StatusConflict, views.HomePage(views.Home{Frame: v.frame("Stale")}))
			}
			v.remember("device-1")
			return v.done("/trial/person", "Made.")
		}).once(),
		get("/trial/verify/:token", guest, func(v *visit) error { return v.showAs(200, views.HomePage(views.Home{Frame: v.frame("Verify")})) }).unlisted(),
		get("/trial/plain", guest, func(v *visit) error { return v.showAs(200, views.HomePage(views.Home{Frame: v.frame("Plain")})) }),
		get("/trial/panic", guest, func(*visit) error { panic("the secret of the house") }),
		get("/trial/fails/:code", guest, func(v *visit) error { return fault.Of(fault.Code(v.Param("code"))) }),
		post("/trial/renew", person, func(v *visit) error {
			if _, err := v.renew(); err != nil {
				return err
			}
			return v.done("/trial/person", "Renewed.")
		}),
		post("/trial/leave", person, func(v *visit) error {
			if err := v.leave(); err != nil {
				return err
			}
			return v.redirect("/trial/plain")
		}),
		postFiles("/trial/upload", person, 1<<20, func(v *visit) error {
			_, file, err := v.Request().FormFile("file")
			if err != nil {
				return err
			}
			return v.done("/trial/person", "Taken: "+v.form().text("name")+" "+file.Filename)
		}),
	)
	p.places = reachable(append(slices.Clone(navigation), group{"Trials", member, []place{{path: "/{mode}/trials", name: "Trials"}}}), p.table)
	return p
}

// Begins adds an address that signs somebody in.
func (p *Pages) Begins(begin func(ctx context.Context, token string, from account.Client) error) *Pages {
	p.table = append(p.table, post("/trial/begin", guest, func(v *visit) error {
		token, err := v.renew()
		if err != nil {
			return err
		}
		if err := begin(v.ctx(), token, v.from()); err != nil {
			return err
		}
		return v.done("/trial/owner", "You are signed in.")
	}))
	return p
}

// RollColumns are the columns that the page of imports explains.
func RollColumns() (names []string) {
	for _, c := range rollColumns {
		names = append(names, c.Name)
	}
	return names
}
