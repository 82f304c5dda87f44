package pagetest

import (
	"net/http"
	"net/url"

	"portal/api/fault"
	"portal/views"
	"portal/views/kit"
	"portal/web"
	"portal/web/page"
)

// Route is a route as a test walks it.
type Route struct {
	Method, Path string
	For          page.Audience
	Confirmed    bool // asks for a password again
	Sometimes    bool // asks for it of some requests
	Once         bool // the same form creates one thing
	Generated    bool // makes a file each time
}

// TableOf is every route.
func TableOf(p *web.Pages) []Route {
	var all []Route
	for _, r := range p.Routes {
		for _, at := range r.Expand() {
			all = append(all, Route{
				at.Method, at.Path, at.Audience, at.AsksAgain, at.Asks != nil, at.TakenOnce, at.Generated,
			})
		}
	}
	return all
}

// AddTrialPages adds pages of a test: for each kind of reader one that asks and one that does,
// and some that fail.
func AddTrialPages(p *web.Pages) *web.Pages {
	ask := func(v *page.Request) error {
		return v.Show(kit.ConfirmPage(kit.Confirm{Frame: v.Frame("Trial"), Title: "Do it?",
			Form: page.Blank(url.Values{}).Fill(kit.Form{Submit: "Do it"})}))
	}
	do := func(v *page.Request) error { return v.Done(v.Request().URL.Path, "It is <b>done</b>.") }
	for name, w := range map[string]page.Audience{
		"guest":  page.Guest,
		"person": page.SignedIn,
		"member": page.Member,
		"owner":  page.Owner,
		"staff":  page.Staff,
	} {
		p.Routes = append(
			p.Routes,
			page.Get("/trial/"+name, w, ask),
			page.Post("/trial/"+name, w, do),
			page.Post("/trial/"+name+"/only", w, do),
		)
	}
	p.Routes = append(p.Routes,
		page.Get("/{mode}/trials", page.Member, ask),
		page.Get("/{mode}/trials/:id", page.Member, func(v *page.Request) error {
			a := v.Actor()
			return v.Show(kit.ConfirmPage(kit.Confirm{
				Frame: v.Frame("A trial"),
				Title: string(a.Portfolio.Mode) + " " + v.Param("id"),
			}))
		}),
		page.Post(
			"/{mode}/trials",
			page.Member,
			func(v *page.Request) error { return v.Done(v.In("/trials"), "Added.") },
		),
		page.Post("/trial/once", page.SignedIn, trialOnce).Once(),
		page.PostFiles("/trial/upload", page.SignedIn, 1<<20, func(v *page.Request) error {
			return v.Done("/trial/person", "Taken: "+v.Form().Text("name")+" "+v.Upload.Name)
		}),
	)
	p.Routes = append(p.Routes, trialAnswers()...)
	p.Routes = append(p.Routes, trialSessions()...)
	p.Navigation = append(p.Navigation, page.Reachable([]page.NavGroup{{
		Title:    "Trials",
		Audience: page.Member,
		Items:    []page.NavItem{{Path: "/{mode}/trials", Name: "Trials"}},
	}}, p.Routes)...)
	return p
}

// trialOnce is a form that is taken once, with every end that one can have.
func trialOnce(v *page.Request) error {
	switch v.Form().Text("what") {
	case "wrong":
		return v.ShowAs(http.StatusBadRequest, views.HomePage(views.Home{Frame: v.Frame("Wrong")}))
	case "fault":
		return fault.Of(fault.Unavailable)
	case "nowhere":
		return v.Show(views.HomePage(views.Home{Frame: v.Frame("Made, but where?")}))
	case "refused":
		return v.RefuseAt("/trial/person", "It cannot be made.")
	case "full":
		return page.Refusal{
			Status: http.StatusServiceUnavailable,
			Title:  "Others are sending photos",
			Words:  "Nothing was sent.",
		}
	case "panic":
		panic("a secret of the server")
	case "late":
		if h := v.Response().Header(); h.Get("Run") == "" {
			h.Set("Run", "1")
			h.Set("Retry-After", "9")
			v.Say(kit.Failed, "It is late.")
			return fault.Of(fault.Unavailable)
		}
		return v.SeeOther("/trial/person")
	case "stale":
		f := v.Form()
		if f.Text("version") != "" {
			return v.Done("/trial/person", "Made of what a run before has written.")
		}
		f.Values.Set("version", "2")
		return v.ShowAs(http.StatusConflict, views.HomePage(views.Home{Frame: v.Frame("Stale")}))
	}
	v.Remember("device-1")
	return v.Done("/trial/person", "Made.")
}

// trialAnswers are pages that answer in each way.
func trialAnswers() []page.Route {
	return []page.Route{
		page.Get("/trial/verify/:token", page.Guest, func(v *page.Request) error {
			return v.ShowAs(200, views.HomePage(views.Home{Frame: v.Frame("Verify")}))
		}).Unlisted(),
		page.Get("/trial/plain", page.Guest, func(v *page.Request) error {
			return v.ShowAs(200, views.HomePage(views.Home{
				Frame: v.Frame("Plain"),
			}))
		}),
		page.Get("/trial/panic", page.Guest, func(*page.Request) error { panic("a secret of the server") }),
		page.Get(
			"/trial/fails/:code",
			page.Guest,
			func(v *page.Request) error { return fault.Of(fault.Code(v.Param("code"))) },
		),
	}
}

// trialSessions are forms that change the session.
func trialSessions() []page.Route {
	return []page.Route{
		page.Post("/trial/renew", page.SignedIn, func(v *page.Request) error {
			if _, err := v.Session.Renew(); err != nil {
				return err
			}
			return v.Done("/trial/person", "Renewed.")
		}),
		page.Post("/trial/leave", page.SignedIn, func(v *page.Request) error {
			if err := v.Session.Leave(); err != nil {
				return err
			}
			return v.SeeOther("/trial/plain")
		}),
	}
}
