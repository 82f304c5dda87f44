package developer

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/texts"
	"portal/api/webhook"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/page"
)

func (p *Section) demo(v *page.Request) error { return p.showDemo(v, nil) }

// showDemo shows the demo portfolio, with the form of its clock as it was refused if there is one.
func (p *Section) showDemo(v *page.Request, refused *page.Form) error {
	sums, err := p.Summaries.Summary(v.Ctx(), v.Actor())
	if err != nil {
		return err
	}
	view := views.Demo{
		Frame: v.Frame("Test data"),
		Numbers: []kit.Term{
			{Name: "Properties", Text: texts.Number(sums.Properties)},
			{Name: "Units", Text: texts.Number(sums.Units)},
			{Name: "Tenants", Text: texts.Number(sums.Tenants)},
			{Name: "Active leases", Text: texts.Number(sums.Leases.Active)},
			{Name: "Open tickets", Text: texts.Number(sums.OpenTickets)},
			{Name: "Rent due", Text: sums.RentDueTotal.Dollars()},
		},
		Add:    v.In("/webhooks/new"),
		Events: v.In("/events"),
	}
	for _, k := range slices.Backward(event.All()) {
		view.Triggers = append(
			view.Triggers,
			views.Trigger{Kind: k.Type, Title: k.Trigger.Title, Words: k.Trigger.Words},
		)
	}
	if v.Owns() {
		view.Reset = "/test/demo/reset"
	}
	if e := v.Form().Text("event"); id.Valid(id.Event, e) {
		if view.Happened, err = p.happened(v, e); err != nil {
			return err
		}
		if view.Happened != nil && view.Happened.Waits { // how its first attempts end
			view.Refresh = 3
		}
	}
	if view.Clock, err = p.clock(v, refused); err != nil {
		return err
	}
	if a := view.Clock.Advance; a != nil { // the title is what a screen reader reads each time
		view.Refresh = 2
		view.Title = fmt.Sprintf("Turning the clock: %d of %d days", a.Done, a.Of)
	}
	if refused != nil {
		return v.ShowAs(refused.Status, views.DemoPage(view))
	}
	return v.Show(views.DemoPage(view))
}

// clock is the test clock, and the form that turns it.
func (p *Section) clock(v *page.Request, refused *page.Form) (views.Clock, error) {
	c, err := p.Demo.Clock(v.Ctx(), v.Actor())
	if err != nil {
		return views.Clock{}, err
	}
	if c.AdvanceTo != nil && c.From != nil {
		return views.Clock{Advance: &views.Advance{
			To:   page.Date(*c.AdvanceTo),
			Done: int(c.Today - *c.From),
			Of:   int(*c.AdvanceTo - *c.From),
		}}, nil
	}
	last := p.Demo.Farthest(v.Actor())
	view := views.Clock{Words: "Today is " + page.Date(c.Today) + " in the demo portfolio.", Form: kit.Form{
		Action: "/test/demo/clock",
		Submit: "Turn the clock",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{{
			Name:  "advance_to",
			Label: "New day",
			Kind:  "date",
			Least: c.Today.AddDays(1).String(),
			Most:  last.String(),
			Hint:  "No later than " + page.Date(last) + ".",
		}}}},
	}}
	for _, s := range []views.Shortcut{
		{Name: "1 day later", Day: c.Today.AddDays(1).String()},
		{Name: "1 month later", Day: c.Today.AddMonths(1).String()},
		{Name: "1 year later", Day: c.Today.AddMonths(12).String()},
	} {
		if s.Day <= last.String() {
			view.Shortcuts = append(view.Shortcuts, s)
		}
	}
	if refused != nil {
		view.Form = refused.Fill(view.Form)
	}
	return view, nil
}

// turnClock has the test clock go to the day that was chosen.
func (p *Section) turnClock(v *page.Request) error {
	f, field := v.Form(), "advance_to"
	if f.Text("shortcut") != "" {
		field = "shortcut"
	}
	to := f.Day(field)
	if to == nil && !f.Rejected() {
		f.Reject(field, "Enter the new day.")
	}
	if !f.Rejected() {
		_, err := p.Demo.Advance(v.Ctx(), v.Actor(), *to)
		if !f.Refused(err) {
			if err != nil {
				return err
			}
			return v.SeeOther("/test/demo")
		}
	}
	f.Move("shortcut", "advance_to")
	return p.showDemo(v, f)
}

// happened is an event with where it goes, nil where the portfolio has none of the id: a
// reset takes it away.
func (p *Section) happened(v *page.Request, name string) (*views.Happened, error) {
	e, err := p.Webhook.Event(v.Ctx(), v.Actor(), name)
	if fault.Is(err, fault.NoRecord) {
		return nil, nil //nolint:nilnil // nothing is shown of it then
	}
	if err != nil {
		return nil, err
	}
	sent, g, err := p.deliveriesOf(v, e.ID)
	if err != nil {
		return nil, err
	}
	to := "no endpoint"
	if len(sent) > 0 {
		to = page.Counted(len(sent), "endpoint")
	}
	g.Empty = kit.Empty{
		Title:  "No endpoint gets this event yet",
		Words:  "Add one, then trigger it again: it arrives within a second.",
		Action: kit.Link{Name: "Add endpoint", Path: v.In("/webhooks/new")},
	}
	return &views.Happened{
		Path:       v.In("/events/" + e.ID),
		Type:       string(e.Type),
		To:         to,
		Deliveries: g,
		Waits:      slices.ContainsFunc(sent, func(d webhook.Delivery) bool { return d.Open() && d.AttemptCount == 0 }),
	}, nil
}

// setOff makes something happen in the demo portfolio, and leads to what it was.
func (p *Section) setOff(v *page.Request) error {
	f, began := v.Form(), v.Shell.Now()
	kind := f.Among("kind", event.Types())
	record, err := p.Demo.Happen(v.Ctx(), v.Actor(), kind)
	if f.Refused(err) {
		return v.RefuseAt("/test/demo", f.Problem+" Reset the demo portfolio to start over.")
	}
	if err != nil {
		return err
	}
	about, err := p.eventAbout(v, webhook.Kind(kind), record, began)
	if err != nil {
		return err
	}
	return v.SeeOther("/test/demo?event=" + about)
}

// eventAbout is the id of the event of a kind about a record that was raised since a
// moment.
func (p *Section) eventAbout(v *page.Request, kind webhook.Kind, record string, since time.Time) (string, error) {
	const most = 20 // others may set off the same at this moment
	found, err := p.Webhook.Events(v.Ctx(), v.Actor(), webhook.EventFilter{
		Type:  kind,
		From:  new(clock.At(since.Add(-time.Minute))),
		Limit: most,
	})
	if err != nil {
		return "", err
	}
	for i := range found {
		e, err := p.Webhook.Event(v.Ctx(), v.Actor(), found[i].ID)
		if err != nil {
			return "", err
		}
		if bytes.Contains(e.Body, []byte(`"`+record+`"`)) {
			return e.ID, nil
		}
	}
	return "", fault.Of(fault.NoRecord)
}

func (p *Section) resetDemo(v *page.Request) error {
	return page.Question{
		Title:  "Reset the demo portfolio?",
		Window: "Reset demo portfolio",
		Words: []string{
			"All records are replaced with the original demo data, with new IDs and dates relative to today. " +
				"Applications, events, deliveries, test mail, and assistant activity are deleted.",
			"Test keys, webhook endpoints, and the request log stay. Your live portfolio isn’t affected.",
		},
		Form: kit.Form{Action: "/test/demo/reset", Submit: "Reset demo portfolio", Danger: true},
		Back: "/test/demo",
		Do: func(*page.Form, change.Target) error {
			if err := p.Demo.Reset(v.Ctx(), v.Actor()); err != nil {
				return err
			}
			return v.Done("/test/demo", "The demo portfolio is reset.")
		},
	}.Serve(v)
}
