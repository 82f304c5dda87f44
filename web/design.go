package web

import (
	"net/http"
	"net/url"
	"time"

	"portal/api/clock"
	"portal/views"
)

// designRoutes are the gallery of components, which the tests of the look visit.
func (p *Pages) designRoutes() []route {
	return []route{
		get("/design", guest, p.design),
		get("/design/page", guest, p.designOpen),
		get("/design/form", guest, p.designForm),
		post("/design/form", guest, p.designSend),
		get("/design/ask", guest, p.designAsk),
		post("/design/ask", guest, p.designDo),
	}
}

// designFrame is that of somebody who does not exist.
func designFrame(v *visit, title string) views.Frame {
	f := v.frame(title)
	f.Person = &views.Person{Email: "dana@example.com", Account: "Maple Avenue Rentals", Role: "owner"}
	f.Places = nil
	for _, g := range navigation {
		if g.who != guest && g.who != staff {
			f.Places = append(f.Places, v.listed(g))
		}
	}
	f.Places[1].Places[1].Here = views.HerePage
	f.Modes = []views.Mode{{Name: "Test", Path: "/design", Here: true}, {Name: "Live", Path: "/design/page"}}
	return f
}

func (p *Pages) design(v *visit) error {
	now := p.Now()
	d := views.Design{Frame: designFrame(v, "Components"), Filters: designFilters(), Pages: v.turn().pages("key_3"), Never: v.timeOr(nil, "never")}
	for _, past := range []time.Duration{3 * time.Minute, 26 * time.Hour, -40 * time.Second} {
		d.Times = append(d.Times, v.time(clock.At(now.Add(-past))))
	}
	for i := range d.Filters {
		v.form().fillField(&d.Filters[i])
	}
	d.Said = []views.Said{{Tone: views.Done, Text: "The endpoint is enabled again."}}
	return v.show(views.DesignPage(d))
}

func designFilters() []views.Field {
	return []views.Field{
		{Name: "mode", Label: "Mode", Kind: "select", Choices: []views.Choice{{Label: "All"}, {Value: "test", Label: "Test"}, {Value: "live", Label: "Live"}}},
		{Name: "since", Label: "Used since", Kind: "date"},
		{Name: "name", Label: "Name", Kind: "search"},
	}
}

func (p *Pages) designOpen(v *visit) error {
	return v.show(views.DesignOpenPage(views.Design{Frame: v.open("Public page", "The gallery."), Form: views.Form{
		Action: "/design/form", Submit: "Sign in",
		Groups: []views.FieldGroup{{Fields: []views.Field{
			{Name: "email", Label: "E-mail address", Kind: "email", Mode: "email", Complete: "username"},
			{Name: "password", Label: "Password", Kind: "password", Complete: "current-password"},
		}}},
	}}))
}

func (p *Pages) designForm(v *visit) error { return designShow(v, v.form()) }

// designSend takes nothing, so that what a form says about it can be looked at.
func (p *Pages) designSend(v *visit) error {
	f := v.form()
	f.whole("requests")
	if f.text("name") == "" {
		f.reject("name", "Give the key a name by which you will know it again.")
	}
	if len(f.all("scopes")) == 0 {
		f.reject("scopes", "Choose at least one scope.")
	}
	if f.rejected() {
		return designShow(v, f)
	}
	return v.done("/design", "The key is made.")
}

func designShow(v *visit, f *form) error {
	page := views.FormView{Frame: designFrame(v, "Create a key"), Heading: views.Heading{Title: "Create a key", Back: views.Link{Name: "API keys", Path: "/design"}},
		Words: []string{"A key opens one portfolio. It is shown once, when it is made."},
		Form:  f.fill(views.Form{Action: "/design/form", Submit: "Create the key", Cancel: "/design", Groups: designGroups()})}
	return v.showAs(f.status, views.FormPage(page))
}

func designGroups() []views.FieldGroup {
	return []views.FieldGroup{
		{Fields: []views.Field{
			{Name: "name", Label: "Name", Hint: "By which you know it again: what uses it, and where.", Complete: "off"},
			{Name: "mode", Label: "Mode", Kind: "radios", Choices: []views.Choice{
				{Value: "test", Label: "Test", Hint: "Opens the demo portfolio. No e-mail leaves.", Chosen: true},
				{Value: "live", Label: "Live", Hint: "Opens your records. What it changes is real."}}},
			{Name: "scopes", Label: "Scopes", Kind: "checks", Choices: []views.Choice{
				{Value: "read", Label: "read", Hint: "Lists and retrieves. Changes nothing.", Chosen: true},
				{Value: "write", Label: "write", Hint: "Updates records, opens tickets, invites tenants."},
				{Value: "payments", Label: "payments", Hint: "Changes the rent and the deposit of a lease."}}},
		}},
		{Title: "Limits", About: "All of these can be changed later.", Fields: []views.Field{
			{Name: "expires", Label: "Expires on", Kind: "date", Optional: true, Least: "2026-12-01"},
			{Name: "requests", Label: "Requests a minute", Mode: "numeric", Short: true, Optional: true, Complete: "off"},
			{Name: "plan", Label: "Plan", Kind: "select", Choices: []views.Choice{{Value: "starter", Label: "Starter"}, {Value: "pro", Label: "Pro", Chosen: true}}},
			{Name: "account", Label: "Account", Value: "Maple Avenue Rentals", Fixed: true},
			{Name: "notes", Label: "Notes", Lines: 3, Optional: true},
			{Name: "terms", Label: "I have read the terms", Kind: "checkbox"},
		}},
	}
}

func (p *Pages) designAsk(v *visit) error {
	return v.show(views.ConfirmPage(views.Confirm{Frame: designFrame(v, "Revoke"), Title: "Revoke “Old laptop”?",
		Words: []string{"Requests with this key are refused at once. A revoked key cannot be brought back."},
		Form:  blank(url.Values{}).fill(views.Form{Submit: "Revoke the key", Danger: true, Cancel: "/design"})}))
}

func (p *Pages) designDo(v *visit) error {
	if v.form().text("fail") != "" {
		return refusal{http.StatusConflict, "That does not fit any more", "The key was revoked before."}
	}
	return v.done("/design", "The key is revoked.")
}
