package lease

import (
	"fmt"
	"strings"

	"portal/api/agreement/notice"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/language"
	"portal/api/portfolio"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
)

var createNotice = page.InputOf[notice.Create]("create_notice")

// noticeRoutes are the pages of the notices to the tenants of a lease.
func (p *leasePages) noticeRoutes() []page.Route {
	if p.Notices == nil {
		return nil
	}
	const at = "/{mode}/leases/:id/notices"
	of := page.With(id.Lease, p.Portfolio.Leases.Lease)
	one := func(show func(*page.Request, *portfolio.Lease, *notice.Notice) error) page.Handler {
		return of(func(v *page.Request, l *portfolio.Lease) error {
			if !id.Valid(id.Notice, v.Param("notice")) {
				return fault.NotFound("notice")
			}
			n, err := p.Notices.Notice(v.Ctx(), v.Actor(), l.ID, v.Param("notice"))
			if err != nil {
				return err
			}
			return show(v, l, n)
		})
	}
	return []page.Route{
		page.Get(at, page.Member, of(p.notices)),
		page.Get(at+"/new/:kind", page.Member, of(p.newNotice)),
		page.Post(at+"/new/:kind", page.Member, of(p.newNotice)).Once(),
		page.Get(at+"/:notice", page.Member, one(p.notice)),
		page.Get(at+"/:notice/notice.pdf", page.Member, one(p.noticePDF)).Generates(),
		page.Get(at+"/:notice/email", page.Member, one(p.emailNotice)),
		page.Post(at+"/:notice/email", page.Member, one(p.emailNotice)).Once(),
		page.Get(at+"/:notice/delete", page.Member, one(p.deleteNotice)),
		page.Post(at+"/:notice/delete", page.Member, one(p.deleteNotice)),
	}
}

// noticesAt is the address of the notices of a lease.
func noticesAt(v *page.Request, l *portfolio.Lease) string {
	return v.In("/leases/" + l.ID + "/notices")
}

// noticeAbout says what a kind of notice is for.
var noticeAbout = map[notice.Kind]string{
	notice.RentIncrease: "The rent rises from a day on.",
	notice.Entry:        "Somebody comes in to repair, inspect, or show the home.",
	notice.EndOfTenancy: "The tenants are to move out.",
	notice.PayOrQuit:    "Rent is overdue: it’s to be paid, or the home left.",
}

// notices is the page of the notices of a lease, from which one of each kind is begun.
func (p *leasePages) notices(v *page.Request, l *portfolio.Lease) error {
	found, err := p.Notices.Notices(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	view := kit.Detail{
		Record: kit.Record{
			Frame: v.Frame("Notices"),
			Heading: kit.Heading{
				Title: "Notices",
				About: l.RentalAddress,
			},
			Facts: []kit.Facts{{Title: "Lease", Terms: []kit.Term{
				{Name: "Home", Text: l.RentalAddress, Path: v.In("/leases/" + l.ID)},
				{Name: "Tenants", Text: tenantNames(l)},
				{Name: "Term", Text: page.TermOf(l)},
				{Name: "Rent", Text: l.MonthlyRent.Dollars()},
			}}},
		},
		Parts: []kit.RelatedTable{p.noticeTable(v, l, found)},
	}
	for _, name := range notice.Kind("").Values() {
		kind := notice.Kind(name)
		panel := kit.Panel{ID: strings.ReplaceAll(name, "_", "-"), Title: kind.Name(language.English)}
		panel.Words = []string{noticeAbout[kind]}
		d, err := p.Notices.Draft(v.Ctx(), v.Actor(), l.ID, kind, v.Today(), 0)
		if err != nil {
			return err
		}
		if d.Refused != "" {
			panel.Words = append(panel.Words, d.Refused)
		} else {
			panel.Words = append(panel.Words, ruleWords(d))
			panel.Actions = []kit.Action{{
				Name: "Prepare", Label: "Prepare: " + panel.Title, Path: noticesAt(v, l) + "/new/" + name,
			}}
		}
		view.Panels = append(view.Panels, panel)
	}
	return v.Show(kit.DetailPage(view))
}

// noticeTable is a table of notices.
func (p *leasePages) noticeTable(v *page.Request, l *portfolio.Lease, all []notice.Notice) kit.RelatedTable {
	return kit.RelatedTable{ID: "notices", Title: "Notices to the tenants", Grid: kit.PartGrid(kit.Table{
		Caption: "Notices to the tenants",
		Empty: kit.Empty{
			Title: "No notices yet",
			Words: "A notice is prepared here with the days that the state asks for. You read it, then email it or print it.",
		},
		Columns: []kit.Column{
			{Name: "Notice"},
			{Name: "Given", Width: kit.Date},
			{Name: "Takes effect", Width: kit.Date},
			{Name: "Email", Width: kit.Medium},
		},
	}, all, func(n *notice.Notice) []kit.Cell {
		return []kit.Cell{
			{Text: n.Kind.Name(language.English), Path: noticesAt(v, l) + "/" + n.ID},
			{Text: page.Date(n.GivenOn)},
			{Text: page.Date(n.EffectiveOn)},
			{Status: noticeStatus(n)},
		}
	})}
}

// noticeStatus says whether a notice was emailed.
func noticeStatus(n *notice.Notice) kit.Status {
	if n.EmailedAt == nil {
		return kit.Status{Tone: kit.Idle, Text: "Not emailed"}
	}
	return kit.Status{Tone: kit.Done, Text: "Emailed"}
}

// withNotices adds the notices of a lease to its page, where there are some.
func (p *leasePages) withNotices(v *page.Request, l *portfolio.Lease, view *views.Lease) error {
	if p.Notices == nil || !l.Binding() {
		return nil
	}
	view.Menu = append(view.Menu, kit.Action{Name: "Notices to the tenants", Path: noticesAt(v, l), Icon: "mail"})
	found, err := p.Notices.Notices(v.Ctx(), v.Actor(), l.ID)
	if err != nil || len(found) == 0 {
		return err
	}
	part := p.noticeTable(v, l, found[:min(len(found), page.ListSize)])
	part.All = noticesAt(v, l)
	view.Parts = append(view.Parts, part)
	return nil
}

// ruleWords say how long before its effect a notice is given.
func ruleWords(d *notice.Draft) string {
	r := &d.Rule
	if d.Rule.Term {
		return "The lease has a fixed term, so " + page.Date(r.Earliest) + " is the earliest day."
	}
	length := r.Length()
	if r.Hours == 0 && r.Days == 0 {
		return d.Rules.Name + " asks for no number of days."
	}
	if !r.Known {
		return fmt.Sprintf("Our table has no figure for %s. %s is usual.", d.Rules.NameInSentence(), length)
	}
	said := fmt.Sprintf("%s asks for at least %s", d.Rules.Name, length)
	switch {
	case r.Citation == "":
	case r.Verified:
		said += " (" + r.Citation + ")"
	default:
		said += " (" + r.Citation + ", not checked against a source)"
	}
	if r.When != "" {
		return said + " " + strings.ToLower(r.When[:1]) + strings.TrimSuffix(r.When[1:], ".") + "."
	}
	return said + "."
}

// noticeWords say what to think of before a notice is given.
func noticeWords(d *notice.Draft, kind notice.Kind) []string {
	words := []string{ruleWords(d)}
	switch kind {
	case notice.EndOfTenancy:
		if d.Rules.JustCause() {
			words = append(words, d.Rules.Name+" lists the reasons for which a landlord can end some tenancies. Check "+
				"which apply, and write the reason as the law has it.")
		}
	case notice.PayOrQuit:
		words = append(words,
			"It lists the rent that is overdue today, without fees.",
			"Homes with a federally backed mortgage, and some with federal rent aid, need at least 30 days "+
				"(15 U.S.C. 9058, not checked against a source).",
			"Some states and cities prescribe the words of this notice, what comes with it, and how it’s handed over.")
	case notice.RentIncrease:
		words = append(
			words,
			"Some states and cities limit how far a rent may rise, and how often. The rent of the lease "+
				"doesn’t change by this notice: change it on its day.",
		)
	case notice.Entry:
	}
	return append(
		words,
		"Cities can have other rules. This isn’t legal advice. The notice is kept with the lease, and "+
			"nothing is sent until you email it.",
	)
}

// newNotice is the form of a notice of a kind.
func (p *leasePages) newNotice(v *page.Request, l *portfolio.Lease) error {
	kind := notice.Kind(v.Param("kind"))
	if _, known := noticeAbout[kind]; !known {
		return fault.NotFound("notice")
	}
	back := kit.Link{Name: "Notices", Path: noticesAt(v, l)}
	d, err := p.Notices.Draft(v.Ctx(), v.Actor(), l.ID, kind, v.Today(), 0)
	if err != nil {
		return err
	}
	if d.Refused != "" {
		return v.RefuseAt(back.Path, d.Refused)
	}
	return page.RecordForm[notice.Create]{
		Contract: createNotice,
		Title:    kind.Name(language.English),
		About:    l.RentalAddress,
		Words:    noticeWords(d, kind),
		Back:     back,
		Submit:   "Prepare notice",
		Groups:   noticeGroups(v, d, kind),
		Check:    func(_ *page.Form, c *notice.Create) { c.Kind = kind },
		Do: func(_ *page.Form, c notice.Create, _ change.Target) error {
			made, err := p.Notices.Create(v.Ctx(), v.Actor(), l.ID, c)
			if err != nil {
				return err
			}
			return v.Done(back.Path+"/"+made.After.ID, "The notice is ready. Nobody has it yet: email it, or print it.")
		},
	}.Serve(v)
}

// noticeGroups are the fields of a notice of a kind.
func noticeGroups(v *page.Request, d *notice.Draft, kind notice.Kind) []kit.FieldGroup {
	fields := []kit.Field{
		{
			Name: "given_on", Label: "Given on", Kind: "date", Value: v.Today().String(),
			Hint: "The day on which the tenants get it.",
		},
		{
			Name: "effective_on", Label: kind.EffectName(language.English), Kind: "date", Value: d.Rule.Usual.String(),
			Hint: "If it’s given today, " + page.Date(d.Rule.Earliest) + " is the earliest day.",
		},
	}
	switch kind {
	case notice.RentIncrease:
		fields = append(fields, kit.Field{
			Name:     "monthly_rent",
			Label:    "New rent",
			Unmarked: true,
			Hint:     "A month. It’s " + d.Lease.MonthlyRent.Dollars() + " now.",
		})
	case notice.Entry:
		for _, f := range []struct{ name, label, value string }{
			{"from", "From", "09:00"}, {"until", "Until", "12:00"},
		} {
			fields = append(fields, kit.Field{
				Name:     f.name,
				Label:    f.label,
				Kind:     "select",
				Choices:  timesOfDay(f.value),
				Beside:   f.name == "until",
				Unmarked: true,
			})
		}
		fields = append(fields, kit.Field{
			Name:     "purpose",
			Label:    "What for",
			Lines:    2,
			Unmarked: true,
			Hint:     "For example: inspect the smoke alarms.",
		})
	case notice.EndOfTenancy:
		fields = append(fields, kit.Field{
			Name: "reason", Label: "Reason", Lines: 3, Optional: true, Hint: "The notice says it.",
		})
	case notice.PayOrQuit:
	}
	if !d.Rule.Term {
		fields = append(fields, kit.Field{
			Name: "sooner", Kind: "checkbox", Label: "The day may be earlier than this",
			Hint: "Where the lease or another law lets you. The notice then names no law.",
		})
	}
	fields = append(fields, kit.Field{Name: "kind", Kind: "hidden", Value: string(kind)})
	return []kit.FieldGroup{{Fields: fields}}
}

// timesOfDay are the times at which somebody comes in.
func timesOfDay(chosen string) (all []kit.Choice) {
	for _, at := range notice.Times() {
		all = append(all, kit.Choice{Value: at, Label: notice.ClockTime(at), Chosen: at == chosen})
	}
	return all
}

// notice is the page of one.
func (p *leasePages) notice(v *page.Request, l *portfolio.Lease, n *notice.Notice) error {
	at := noticesAt(v, l) + "/" + n.ID
	name := n.Kind.Name(language.English)
	facts := []kit.Term{
		{Name: "To", Text: strings.Join(n.Content.Tenants, ", ")},
		{Name: "Given on", Text: page.Date(n.GivenOn)},
		{Name: n.Kind.EffectName(language.English), Text: page.Date(n.EffectiveOn)},
	}
	if latest, is := n.Latest(); is {
		facts = append(facts, kit.Term{Name: "Give it by", Text: latest.Format("Jan 2, 3:04 PM")})
	}
	if n.Kind == notice.PayOrQuit {
		facts = append(facts, kit.Term{Name: "Overdue", Text: n.Content.Total().Dollars()})
	}
	facts = append(facts, kit.Term{Name: "Lease", Text: l.RentalAddress, Path: v.In("/leases/" + l.ID)},
		kit.Term{Name: "Notices", Text: "All of the lease", Path: noticesAt(v, l)},
		kit.Term{Name: "Prepared", Time: v.Time(n.CreatedAt)})
	sent := kit.Panel{
		ID: "email", Title: "Giving it to the tenants", Status: noticeStatus(n),
		Words: []string{
			"Print it to hand it over, to post it on the door, or to send it by mail. An email alone is not enough in many " +
				"states, if the lease doesn’t say so.",
		},
		Actions: []kit.Action{
			{Name: "Open in Spanish", Path: at + "/notice.pdf?lang=es"},
			{Name: "Email to tenants…", Path: at + "/email", How: kit.Asks},
		},
	}
	menu := []kit.Action{{Name: "Delete notice…", Path: at + "/delete", How: kit.Asks, Bad: true}}
	if n.EmailedAt != nil {
		facts = append(facts, kit.Term{Name: "Emailed", Time: v.Time(*n.EmailedAt)})
		sent.Words = append(sent.Words, "It was emailed to the tenants and shows on their pages.")
		sent.Actions[1].Name, menu = "Email again…", nil
	}
	return v.Show(kit.DetailPage(kit.Detail{
		Record: kit.Record{
			Frame: v.Frame(name),
			Heading: kit.Heading{
				Title: name, About: n.Content.Home,
			},
			Primary: kit.Action{Name: "Open PDF", Path: at + "/notice.pdf", Icon: "file-text"},
			Menu:    menu,
			Facts:   []kit.Facts{{Title: "Notice", Terms: facts}},
		},
		Panels: []kit.Panel{
			{ID: "says", Title: "What it says", Words: n.Sentences(language.English)},
			sent,
		},
	}))
}

// noticePDF is a notice to print, in Spanish where the address asks for it.
func (p *leasePages) noticePDF(v *page.Request, _ *portfolio.Lease, n *notice.Notice) error {
	reads := language.English
	if v.QueryParam("lang") == string(language.Spanish) {
		reads = language.Spanish
	}
	content, err := notice.Render(n, reads)
	if err != nil {
		return err
	}
	return v.Send.OwnPDF(n.FileName(), content)
}

// emailNotice asks whether a notice is emailed to the tenants, and has it emailed.
func (p *leasePages) emailNotice(v *page.Request, l *portfolio.Lease, n *notice.Notice) error {
	at := noticesAt(v, l) + "/" + n.ID
	words := []string{
		n.Kind.Name(language.English) + ", " + n.Content.Home + ".",
		"Each tenant who has an email address gets it, with a link to the PDF. Guarantors get none.",
	}
	if n.EmailedAt != nil {
		words = append(words, "It was emailed on "+v.Time(*n.EmailedAt).Text+" already.")
	}
	return page.Question{
		Title: "Email the notice to the tenants?",
		Words: words,
		Form:  kit.Form{Submit: "Email notice"},
		Back:  at,
		Do: func(*page.Form, change.Target) error {
			sent, err := p.Notices.Email(v.Ctx(), v.Actor(), l.ID, n.ID)
			if err != nil {
				return err
			}
			return v.Done(at, "The notice is on its way to "+page.Counted(sent, "tenant")+".")
		},
	}.Serve(v)
}

// deleteNotice asks whether a notice is deleted that nobody was emailed, and deletes it.
func (p *leasePages) deleteNotice(v *page.Request, l *portfolio.Lease, n *notice.Notice) error {
	return page.Question{
		Title: "Delete the notice?",
		Words: []string{
			n.Kind.Name(language.English) + ", " + n.Content.Home + ".",
			"If you have printed it and given it to the tenants, keep it.",
		},
		Form: kit.Form{Submit: "Delete notice", Danger: true},
		Back: noticesAt(v, l) + "/" + n.ID,
		Do: func(*page.Form, change.Target) error {
			if err := p.Notices.Delete(v.Ctx(), v.Actor(), l.ID, n.ID); err != nil {
				return err
			}
			return v.Done(noticesAt(v, l), "The notice is deleted.")
		},
	}.Serve(v)
}
