package lease

import (
	"fmt"
	"slices"
	"strings"

	"portal/api/attachment"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/language"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/condition"
	"portal/api/portfolio/lease/condition/conditionpdf"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
)

// conditionPages is the pages of the reports of the condition of a home.
type conditionPages struct{ *Section }

// mostPhotoForm is how much a form with photos of an item has at most, in bytes.
const mostPhotoForm = condition.MostItemPhotos*attachment.MostBytes + page.FormSize

func (p *conditionPages) routes() []page.Route {
	lease := page.With(id.Lease, p.Portfolio.Leases.Lease)
	const at = "/{mode}/leases/:id/condition/:kind"
	return []page.Route{
		page.Post(at+"/begin", page.Member, lease(p.begin)),
		page.Get(at, page.Member, p.of(p.report)),
		page.Get(at+"/report.pdf", page.Member, p.of(p.reportPDF)).Generates(),
		page.Get(at+"/areas/:area", page.Member, p.of(p.askRoom)),
		page.Post(at+"/areas/:area", page.Member, p.of(p.saveRoom)),
		page.Get(at+"/items/:item", page.Member, p.of(p.askPhotos)),
		page.PostFiles(at+"/items/:item", page.Member, mostPhotoForm, p.of(p.addPhotos)).
			Several(condition.MostItemPhotos + 1).After(p.convertPhotos).Once().Oversized(p.of(p.oversizedPhotos)),
		page.Get(at+"/photos/:photo", page.Member, p.photo(false)),
		page.Get(at+"/photos/:photo/thumbnail", page.Member, p.photo(true)),
		page.Post(at+"/photos/:photo/remove", page.Member, p.of(p.removePhoto)),
		page.Get(at+"/arrange", page.Member, p.of(p.askArrange)),
		page.Post(at+"/arrange", page.Member, p.of(p.arrange)).Once(),
		page.Get(at+"/share", page.Member, p.of(p.share)),
		page.Post(at+"/share", page.Member, p.of(p.share)),
		page.Get(at+"/sign", page.Owner, p.of(p.askSign)).Confirmed(),
		page.Post(at+"/sign", page.Owner, p.of(p.sign)).Confirmed(),
		page.Get(at+"/reopen", page.Owner, p.of(p.reopen)),
		page.Post(at+"/reopen", page.Owner, p.of(p.reopen)),
		page.Get(at+"/delete", page.Member, p.of(p.delete)),
		page.Post(at+"/delete", page.Member, p.of(p.delete)),
	}
}

// leaseCondition is a report with its lease and what its pages need of both.
type leaseCondition struct {
	*condition.Report
	lease *portfolio.Lease
	at    string // address of its page
	title string
}

// back leads to the page of the report.
func (c *leaseCondition) back() kit.Link { return kit.Link{Name: c.title, Path: c.at} }

// kindPaths are the kinds of reports in addresses.
var kindPaths = map[condition.Kind]string{condition.MoveIn: "move-in", condition.MoveOut: "move-out"}

// conditionAt is the address of a report of a lease.
func conditionAt(v *page.Request, leaseID string, kind condition.Kind) string {
	return v.In("/leases/" + leaseID + "/condition/" + kindPaths[kind])
}

// kindIn is the kind that the address names; there is no page of another one.
func kindIn(v *page.Request) (condition.Kind, error) {
	for kind, path := range kindPaths {
		if path == v.Param("kind") {
			return kind, nil
		}
	}
	return "", fault.NotFound("condition report")
}

// of has a handler answer of the report that the address names.
func (p *conditionPages) of(show func(*page.Request, *leaseCondition) error) page.Handler {
	return page.With(id.Lease, p.Portfolio.Leases.Lease)(func(v *page.Request, l *portfolio.Lease) error {
		kind, err := kindIn(v)
		if err != nil {
			return err
		}
		r, err := p.Portfolio.Conditions.Report(v.Ctx(), v.Actor(), l.ID, kind)
		if err != nil {
			return err
		}
		return show(v, &leaseCondition{r, l, conditionAt(v, l.ID, kind), kind.Label(language.English)})
	})
}

// begin makes a report and leads to it.
func (p *conditionPages) begin(v *page.Request, l *portfolio.Lease) error {
	kind, err := kindIn(v)
	if err != nil {
		return err
	}
	if _, err := p.Portfolio.Conditions.Begin(v.Ctx(), v.Actor(), l.ID, kind); err != nil {
		return refusedAt(v, v.In("/leases/"+l.ID), err)
	}
	return v.Done(conditionAt(v, l.ID, kind), "The report is begun. Open a room to fill it in.")
}

// soonOver is how many days before its end a lease offers the move-out report.
const soonOver = 60

// withCondition adds to the page of a lease that binds somebody, or did, its reports.
func (p *leasePages) withCondition(v *page.Request, l *portfolio.Lease, view *views.Lease) error {
	if !slices.Contains(portfolio.BoundLeases(), l.Status) {
		return nil
	}
	all, err := p.Portfolio.Conditions.Reports(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	in, err := p.Portfolio.Conditions.MoveIn(v.Ctx(), v.Actor(), l.ID)
	if err != nil && !fault.Is(err, fault.NoRecord) {
		return err
	}
	view.Conditions = &views.Conditions{
		Words: "Nothing is noted yet. A move-in report notes the condition of each room with photos, and the tenants " +
			"sign it with you. After the tenancy, the move-out report stands beside it.",
	}
	out := false
	if in != nil && in.LeaseID != l.ID {
		line := conditionLine(v, in)
		line.Note = "of the lease that was renewed"
		view.Conditions.Reports = append(view.Conditions.Reports, line)
	}
	for i := range all {
		view.Conditions.Reports = append(view.Conditions.Reports, conditionLine(v, &all[i]))
		out = out || all[i].Kind == condition.MoveOut
	}
	over := l.TenancyEnded() != nil || l.NoticeGivenDate != nil || l.MoveOutDate != nil ||
		l.DaysUntilEnd != nil && *l.DaysUntilEnd <= soonOver
	if in == nil {
		view.Conditions.Actions = append(view.Conditions.Actions, beginAction(v, l, condition.MoveIn))
	}
	if !out && (over || in != nil) {
		view.Conditions.Actions = append(view.Conditions.Actions, beginAction(v, l, condition.MoveOut))
	}
	return nil
}

func beginAction(v *page.Request, l *portfolio.Lease, kind condition.Kind) kit.Action {
	return kit.Action{
		Name: "Begin " + strings.ToLower(kind.Label(language.English)),
		Path: conditionAt(v, l.ID, kind) + "/begin",
		Icon: "plus",
		How:  kit.Posts,
	}
}

func conditionLine(v *page.Request, r *condition.Report) views.ConditionLine {
	return views.ConditionLine{
		Link:   kit.Link{Name: r.Kind.Label(language.English), Path: conditionAt(v, r.LeaseID, r.Kind)},
		Note:   conditionProgress(r.Items(), r.Unjudged()),
		Status: conditionStatus(r),
	}
}

// conditionStatus says how far a report is.
func conditionStatus(r *condition.Report) kit.Status {
	switch {
	case r.Complete():
		return kit.Status{Tone: kit.Done, Text: "Complete"}
	case r.LandlordSignature() != nil && len(r.Awaited) > 0:
		return kit.Status{Tone: kit.Waiting, Text: "Waiting for " + page.Counted(len(r.Awaited), "tenant")}
	case r.LandlordSignature() != nil:
		return kit.Status{Tone: kit.Waiting, Text: "Signed by landlord"}
	case r.Shared():
		return kit.Status{Tone: kit.Waiting, Text: "Shared with tenants"}
	}
	return kit.Status{Tone: kit.Idle, Text: "Draft"}
}

// conditionProgress says how many items of some have a condition.
func conditionProgress(items, unjudged int) string {
	if items == 1 {
		return fmt.Sprintf("%d of 1 item has a condition", items-unjudged)
	}
	return fmt.Sprintf("%d of %d items have a condition", items-unjudged, items)
}

// report shows a report.
func (p *conditionPages) report(v *page.Request, c *leaseCondition) error {
	areas, err := p.areas(v, c)
	if err != nil {
		return err
	}
	view := views.Condition{
		Frame: v.Frame(c.title),
		Heading: kit.Heading{
			Title:  c.title,
			About:  c.lease.RentalAddress,
			Status: conditionStatus(c.Report),
			Back:   kit.Link{Name: "The lease", Path: v.In("/leases/" + c.LeaseID)},
		},
		Progress: conditionProgress(c.Items(), c.Unjudged()),
		Areas:    areas,
		Facts:    conditionFacts(v, c),
	}
	share := kit.Action{Name: "Share with tenants", Path: c.at + "/share", Icon: "send", How: kit.Asks}
	sign := kit.Action{Name: "Sign report", Path: c.at + "/sign", Icon: "pen-line"}
	switch {
	case !c.LandlordCanWrite():
		view.Words = "The report is signed, so it can’t be changed."
		if c.CanReopen() {
			view.Words = "You can’t change the report while it is signed. An owner of the account can take the signature " +
				"back until a tenant signs."
		}
	case c.Unjudged() == 0 && c.Items() > 0 && v.Owns():
		view.Primary = sign
	case c.Unjudged() == 0 && c.Items() > 0:
		view.Words = "An owner of the account signs the report."
	default:
		view.Primary = firstUnjudged(c)
	}
	view.Menu = append(view.Menu, kit.Action{Name: "Open PDF", Path: c.at + "/report.pdf", Icon: "file-text"},
		kit.Action{Name: "Open PDF in Spanish", Path: c.at + "/report.pdf" + language.InSpanish, Icon: "file-text"})
	if !c.Shared() {
		view.Menu = append(view.Menu, share)
	}
	if c.LandlordCanWrite() {
		view.Menu = append(view.Menu, kit.Action{Name: "Add or remove areas", Path: c.at + "/arrange", Icon: "plus"},
			kit.Action{Name: "Delete report…", Path: c.at + "/delete", How: kit.Asks, Bad: true})
	}
	if c.CanReopen() && v.Owns() {
		view.Menu = append(view.Menu, kit.Action{
			Name: "Take signature back…", Path: c.at + "/reopen", How: kit.Asks, Bad: true,
		})
	}
	return v.Show(views.ConditionPage(view))
}

// reportPDF is a report as PDF, in Spanish where the address asks for it.
func (p *conditionPages) reportPDF(v *page.Request, c *leaseCondition) error {
	reads := language.English
	if v.QueryParam("lang") == string(language.Spanish) {
		reads = language.Spanish
	}
	before, err := p.before(v, c)
	if err != nil {
		return err
	}
	landlord, err := p.Agreements.Landlord(v.Ctx(), v.Actor().Portfolio)
	if err != nil {
		return err
	}
	content, err := conditionpdf.Render(&conditionpdf.Source{
		Report: c.Report, MovedIn: before.report, Lease: c.lease, Landlord: landlord.Name, Zone: v.Actor().Zone,
	}, reads)
	if err != nil {
		return err
	}
	return v.Send.OwnPDF(strings.ReplaceAll(string(c.Kind), "_", "-")+"-report", content)
}

// firstUnjudged leads to the first room with an item without a condition.
func firstUnjudged(c *leaseCondition) kit.Action {
	for i := range c.Areas {
		if a := &c.Areas[i]; unjudgedIn(a) > 0 {
			return kit.Action{
				Name: "Fill in " + a.Label(language.English), Path: c.at + "/areas/" + a.ID, Icon: "pen-line",
			}
		}
	}
	return kit.Action{}
}

func unjudgedIn(a *condition.Area) (n int) {
	for i := range a.Items {
		if a.Items[i].Landlord.Condition == nil {
			n++
		}
	}
	return n
}

// conditionFacts are who has signed a report, and when it was shared.
func conditionFacts(v *page.Request, c *leaseCondition) []kit.Facts {
	facts := kit.Facts{Title: "Signatures", Terms: []kit.Term{{Name: "Shared with tenants", Text: "Not yet"}}}
	if c.Shared() {
		facts.Terms[0] = kit.Term{Name: "Shared with tenants", Time: v.Time(*c.SharedAt)}
	}
	for i := range c.Signatures {
		s := &c.Signatures[i]
		name := s.Name
		if s.By == condition.Landlord {
			name += ", landlord"
		}
		facts.Terms = append(facts.Terms, kit.Term{Name: name, Time: v.Time(s.SignedAt)})
		if !c.Intact(s) {
			facts.Terms = append(facts.Terms, kit.Term{
				Name:   name,
				Status: kit.Status{Tone: kit.Failed, Text: "The report isn’t what was signed"},
			})
		}
	}
	for i := range c.Awaited {
		facts.Terms = append(facts.Terms, kit.Term{Name: c.Awaited[i].Name, Text: "Not signed"})
	}
	return []kit.Facts{facts, page.RecordFacts(v, &c.Record)}
}

// areas are the rooms of a report with what was said of each item, and of moving out, what the move-in report says.
func (p *conditionPages) areas(v *page.Request, c *leaseCondition) ([]views.ConditionArea, error) {
	before, err := p.before(v, c)
	if err != nil {
		return nil, err
	}
	all := make([]views.ConditionArea, len(c.Areas))
	for i := range c.Areas {
		a := &c.Areas[i]
		all[i] = views.ConditionArea{
			ID:       a.ID,
			Title:    a.Label(language.English),
			Progress: conditionProgress(len(a.Items), unjudgedIn(a)),
		}
		if c.LandlordCanWrite() && len(a.Items) > 0 {
			all[i].Actions = []kit.Action{{
				Name: "Fill in " + all[i].Title, Path: c.at + "/areas/" + a.ID, Icon: "pen-line",
			}}
		}
		for k := range a.Items {
			item := itemSaid(v, c.Report, &a.Items[k], before)
			landlord := remark(v, c.Report, &a.Items[k], condition.Landlord, "Landlord", "No condition yet")
			item.Said = slices.Insert(item.Said, 0, landlord)
			all[i].Items = append(all[i].Items, item)
		}
	}
	return all, nil
}

// earlier is the move-in report of a tenancy with its items by the ids of those of the move-out report.
type earlier struct {
	report *condition.Report
	items  map[string]*condition.Item
}

// before is what the move-in report says beside a move-out report; nothing beside any other.
func (p *conditionPages) before(v *page.Request, c *leaseCondition) (e earlier, err error) {
	if c.Kind != condition.MoveOut {
		return e, nil
	}
	in, err := p.Portfolio.Conditions.MoveIn(v.Ctx(), v.Actor(), c.LeaseID)
	if fault.Is(err, fault.NoRecord) {
		return e, nil
	}
	if err != nil {
		return e, err
	}
	e = earlier{in, map[string]*condition.Item{}}
	for _, a := range condition.Beside(in, c.Report) {
		for _, pair := range a.Items {
			if pair.In != nil && pair.Out != nil {
				e.items[pair.Out.ID] = pair.In
			}
		}
	}
	return e, nil
}

// itemSaid is an item with what others than the landlord say of it now: the tenants, and the move-in report.
func itemSaid(
	v *page.Request, r *condition.Report, item *condition.Item, e earlier,
) views.ConditionItem {
	view := views.ConditionItem{ID: item.ID, Name: item.Label(language.English)}
	const none = "No other condition"
	if item.Tenant != (condition.Remark{}) || len(item.PhotosBy(condition.Tenant)) > 0 {
		view.Said = append(view.Said, remark(v, r, item, condition.Tenant, "Tenants", none))
	}
	if item.Disagrees() && item.Landlord.Condition != nil {
		view.Disputed = kit.Status{Tone: kit.Warned, Text: "Tenants disagree"}
	}
	if in := e.items[item.ID]; in != nil {
		view.Said = append(view.Said, remark(v, e.report, in, condition.Landlord, "At move-in, landlord",
			"No condition"))
		if in.Tenant != (condition.Remark{}) || len(in.PhotosBy(condition.Tenant)) > 0 {
			view.Said = append(view.Said, remark(v, e.report, in, condition.Tenant, "At move-in, tenants", none))
		}
	}
	return view
}

// remark is what a side says of an item with its photos.
func remark(
	v *page.Request, r *condition.Report, item *condition.Item, by condition.Side, who, none string,
) views.ConditionRemark {
	said := item.Landlord
	if by == condition.Tenant {
		said = item.Tenant
	}
	view := views.ConditionRemark{Who: who, Words: none, Note: said.Note, Photos: conditionPhotos(v, r, item, by)}
	if said.Condition != nil {
		view.Words = said.Condition.Label(language.English)
	}
	return view
}

// conditionPhotos are the photos of a side of an item.
func conditionPhotos(
	v *page.Request, r *condition.Report, item *condition.Item, by condition.Side,
) (all []views.ConditionPhoto) {
	whose := map[condition.Side]string{condition.Landlord: "the landlord", condition.Tenant: "the tenants"}[by]
	when := map[condition.Kind]string{condition.MoveIn: "move-in", condition.MoveOut: "move-out"}[r.Kind]
	photos := item.PhotosBy(by)
	for i := range photos {
		at := conditionAt(v, r.LeaseID, r.Kind) + "/photos/" + photos[i].ID
		all = append(all, views.ConditionPhoto{
			Path:      at,
			Thumbnail: at + "/thumbnail",
			Words: fmt.Sprintf(
				"Photo %d of %d: %s, by %s at %s",
				i+1,
				len(photos),
				item.Label(language.English),
				whose,
				when,
			),
		})
	}
	return all
}

// share asks whether the tenants are to see a report, and lets them.
func (p *conditionPages) share(v *page.Request, c *leaseCondition) error {
	if c.Shared() {
		return v.RefuseAt(c.at, "The tenants see the report already.")
	}
	return page.Question{
		Title: "Share the report with the tenants?",
		Words: []string{
			"They see each item with your condition, notes, and photos, and can add their own. You can still change yours " +
				"until you sign.",
			"This can’t be undone: the tenants go on seeing the report.",
		},
		Form:   kit.Form{Submit: "Share with tenants"},
		Back:   c.at,
		Record: &c.Record,
		Do: func(*page.Form, change.Target) error {
			if _, err := p.Portfolio.Conditions.Share(v.Ctx(), v.Actor(), c.LeaseID, c.Kind); err != nil {
				return err
			}
			return v.Done(c.at, "The tenants see the report now.")
		},
	}.Serve(v)
}

// delete asks whether a report is to go, and deletes it.
func (p *conditionPages) delete(v *page.Request, c *leaseCondition) error {
	if !c.LandlordCanWrite() {
		return v.RefuseAt(c.at, "A report that somebody has signed can’t be deleted.")
	}
	return page.Question{
		Title: "Delete the " + strings.ToLower(c.title) + "?",
		Words: []string{
			"All its conditions, notes, and photos are deleted, those of the tenants too. This can’t be undone.",
		},
		Form:   kit.Form{Submit: "Delete report", Danger: true},
		Back:   c.at,
		Record: &c.Record,
		Do: func(f *page.Form, t change.Target) error {
			if t.Version == nil {
				f.Outdated()
				return nil
			}
			err := p.Portfolio.Conditions.Delete(v.Ctx(), v.Actor(), c.LeaseID, c.Kind, *t.Version)
			if err != nil {
				return err
			}
			return v.Done(v.In("/leases/"+c.LeaseID), "The report is deleted.")
		},
	}.Serve(v)
}
