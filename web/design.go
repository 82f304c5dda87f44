package web

import (
	"net/http"
	"net/url"
	"time"

	"portal/api/clock"
	"portal/views"
	"portal/views/kit"
	"portal/web/frame"
	"portal/web/page"
)

// Components are the pages that show the parts of all pages, for developers and tests.
type Components struct{ *page.Shell }

// Routes are the pages of components, which the tests of the look visit.
func (p Components) Routes() []page.Route {
	return []page.Route{
		page.Get("/design", page.Guest, p.design),
		page.Get("/design/page", page.Guest, p.designOpen),
		page.Get("/design/form", page.Guest, func(v *page.Request) error { return designShow(v, v.Form()) }),
		page.Post("/design/form", page.Guest, p.designSend),
		page.Get("/design/ask", page.Guest, p.designAsk),
		page.Post("/design/ask", page.Guest, p.designDo),
	}
}

// designFrame is that of somebody who does not exist.
func designFrame(v *page.Request, title string) kit.Frame {
	f := v.Frame(title)
	f.Person = &kit.Person{Email: "dana@example.com", Account: "Maple Avenue Rentals", Role: "Owner"}
	f.Navigation = nil
	for _, g := range navigation {
		if g.Audience != page.Guest && g.Audience != page.Staff {
			f.Navigation = append(f.Navigation, frame.Listed(v, g, nil))
		}
	}
	f.Navigation[1].Items[1].Here = kit.HerePage
	f.Navigation[1].Items[2].Count = kit.NavCount{Number: "1", Words: " needs attention", Bad: true}
	f.Navigation[2].Items[3].Count = kit.NavCount{Number: "36", Words: " open"}
	f.Test = true
	f.Modes = []kit.Mode{
		{Name: "Test", Icon: "flask-conical", Path: "/design", Here: true},
		{Name: "Live", Icon: "zap", Path: "/design/page"},
	}
	f.Search = "/test/search"
	return f
}

func (p Components) design(v *page.Request) error {
	now := p.Now()
	d := views.Design{
		Frame: designFrame(v, "Components"),
		Filters: []kit.Field{
			{
				Name:    "mode",
				Label:   "Mode",
				Kind:    "select",
				Choices: []kit.Choice{{Label: "All"}, {Value: "test", Label: "Test"}, {Value: "live", Label: "Live"}},
			},
			{Name: "since", Label: "Used since", Kind: "date"},
			{Name: "name", Label: "Name", Kind: "search"},
		},
		Pages: v.Cursor().Pages("key_3"),
		Never: v.TimeOr(nil, "never"),
	}
	for _, past := range []time.Duration{3 * time.Minute, 26 * time.Hour, -40 * time.Second} {
		d.Times = append(d.Times, v.Time(clock.At(now.Add(-past))))
	}
	for i := range d.Filters {
		v.Form().FillField(&d.Filters[i])
	}
	d.Said = []kit.Toast{{Tone: kit.Done, Text: "The endpoint is enabled again."}}
	return v.Show(views.DesignPage(d))
}

func (p Components) designOpen(v *page.Request) error {
	return v.Show(views.DesignOpenPage(views.Design{Frame: v.Open("Public page", "The components."), Form: kit.Form{
		Action: "/design/form", Submit: "Sign in",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{
				Name:     "email",
				Label:    "Email address",
				Kind:     "email",
				Mode:     "email",
				Complete: "username",
			},
			{
				Name:     "password",
				Label:    "Password",
				Kind:     "password",
				Complete: "current-password",
			},
		}}},
	}}))
}

// designKeyCreate is what the form asks for that must be of a kind.
type designKeyCreate struct {
	// Requests a minute.
	Requests *int `json:"requests" min:"1"`
}

var designKey = page.InputOf[designKeyCreate]("create_key")

// designSend takes nothing, so that what a form says about it can be looked at.
func (p Components) designSend(v *page.Request) error {
	f := v.Form()
	if designKey.Bind(v, f, "requests"); f.Text("name") == "" {
		f.Reject("name", "Give the key a name by which you will know it again.")
	}
	if len(f.All("scopes")) == 0 {
		f.Reject("scopes", "Choose at least one scope.")
	}
	if f.Rejected() {
		return designShow(v, f)
	}
	return v.Done("/design", "Key created.")
}

func designShow(v *page.Request, f *page.Form) error {
	view := kit.FormView{
		Frame:   designFrame(v, "Create a key"),
		Heading: kit.Heading{Title: "Create a key", Back: kit.Link{Name: "API keys", Path: "/design"}},
		Words:   []string{"Test keys use demo data. Live keys use your records."},
		Form: f.Fill(kit.Form{
			Action: "/design/form",
			Submit: "Create the key",
			Cancel: "/design",
			Groups: []kit.FieldGroup{
				{Fields: designChoices()},
				{Title: "Limits", About: "All of these can be changed later.", Fields: designLimits()},
			},
		}),
	}
	return v.ShowAs(f.Status, kit.FormPage(view))
}

// designChoices are a text, radio buttons and check boxes.
func designChoices() []kit.Field {
	return []kit.Field{
		{
			Name:     "name",
			Label:    "Name",
			Hint:     "What uses the key, and where.",
			Complete: "off",
		},
		{
			Name:  "mode",
			Label: "Mode",
			Kind:  "radios",
			Choices: []kit.Choice{
				{
					Value:  "test",
					Label:  "Test",
					Hint:   "Opens the demo portfolio. No email leaves.",
					Chosen: true,
				},
				{Value: "live", Label: "Live", Hint: "Opens your records. What it changes is real."}},
		},
		{
			Name:  "scopes",
			Label: "Scopes",
			Kind:  "checks",
			Choices: []kit.Choice{
				{
					Value:  "read",
					Label:  "read",
					Hint:   "Lists and retrieves. Changes nothing.",
					Chosen: true,
				},
				{Value: "write", Label: "write", Hint: "Updates records, opens tickets, invites tenants."},
				{Value: "payments", Label: "payments", Hint: "Changes the rent and the deposit of a lease."}},
		},
	}
}

// designLimits are a field of each other kind.
func designLimits() []kit.Field {
	return []kit.Field{
		{
			Name:     "expires",
			Label:    "Expires on",
			Kind:     "date",
			Optional: true,
			Least:    "2026-12-01",
		},
		{
			Name:     "requests",
			Label:    "Requests per minute",
			Mode:     "numeric",
			Short:    true,
			Optional: true,
			Complete: "off",
		},
		{
			Name:    "plan",
			Label:   "Plan",
			Kind:    "select",
			Choices: []kit.Choice{{Value: "starter", Label: "Starter"}, {Value: "pro", Label: "Pro", Chosen: true}},
		},
		{
			Name:  "account",
			Label: "Account",
			Value: "Maple Avenue Rentals",
			Fixed: true,
		},
		{
			Name:     "notes",
			Label:    "Notes",
			Lines:    3,
			Optional: true,
		},
		{Name: "terms", Label: "I have read the terms", Kind: "checkbox"},
	}
}

func (p Components) designAsk(v *page.Request) error {
	return v.Show(kit.ConfirmPage(kit.Confirm{
		Frame: designFrame(v, "Revoke"),
		Title: "Revoke “Old laptop”?",
		Words: []string{"Requests with this key are refused at once. A revoked key cannot be brought back."},
		Form:  page.Blank(url.Values{}).Fill(kit.Form{Submit: "Revoke the key", Danger: true, Cancel: "/design"}),
	}))
}

func (p Components) designDo(v *page.Request) error {
	if v.Form().Text("fail") != "" {
		return page.Refusal{
			Status: http.StatusConflict,
			Title:  "This was changed meanwhile",
			Words:  "The key was revoked before.",
		}
	}
	return v.Done("/design", "The key is revoked.")
}
