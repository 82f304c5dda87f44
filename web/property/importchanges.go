package property

import (
	"slices"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/upload"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/property"
	"portal/web/page"
)

// changesShown is how many changes of records a page shows, of all kinds together.
const changesShown = 24

// changesOnPage is how many there are on a page that has nothing else.
const changesOnPage = 30

// changeKinds are the kinds of changes in the order of the page, each with what it is called.
var changeKinds = []struct {
	kind         rentroll.ChangeKind
	title, about string
}{
	{rentroll.ChangeUnit, "Units", "unit"},
	{rentroll.ChangeLease, "Leases", "lease"},
	{rentroll.ChangeTenant, "Tenants", "tenant"},
	{rentroll.EndLease, "Leases that aren’t in the file", "lease"},
}

// ofAll is the question whose answer holds for all changes of a kind.
func ofAll(kind rentroll.ChangeKind) string { return "changes:" + string(kind) }

// showChanges fills what a file says otherwise of records that the portfolio has.
func showChanges(view *views.Import, of *upload.Preview) {
	view.Nothing = of.Nothing()
	if of.Same > 0 {
		view.Same = texts.Counted(of.Same, "line") + " of the file " + saysOrSay(of.Same) +
			" what the portfolio has already."
	}
	if n := of.Missing; n > 0 {
		view.Missing = texts.Counted(n, "unit") + " of these properties " + isOrAre(n) + " not in the file and " +
			map[bool]string{true: "stays as it is.", false: "stay as they are."}[n == 1]
	}
	room, shown := shareChanges(of), 0
	of.Changes = inOrder(of.Changes)
	view.Changes = changeGroups(of, func(i int) bool {
		kind := of.Changes[i].Kind
		if room[kind]--; room[kind] >= 0 {
			shown++
		}
		return room[kind] >= 0
	})
	if shown < len(of.Changes) {
		view.AllChanges = kit.Link{Name: "See all changes", Path: view.Path + "/changes"}
	}
	view.Change = view.Path + "/changes"
}

// inOrder are changes by their kinds, in the order of the page.
func inOrder(all []rentroll.Change) []rentroll.Change {
	rank := func(c *rentroll.Change) int {
		for i := range changeKinds {
			if changeKinds[i].kind == c.Kind {
				return i
			}
		}
		return len(changeKinds)
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b rentroll.Change) int { return rank(&a) - rank(&b) })
	return sorted
}

// changeGroups are those of the changes of a preview that a page shows, by their index, each with the others of its
// kind.
func changeGroups(of *upload.Preview, shows func(i int) bool) (groups []views.RollChanges) {
	for _, k := range changeKinds {
		n := of.Counts[string(k.kind)]
		group := views.RollChanges{
			Title:  k.title,
			All:    ofAll(k.kind),
			AllOf:  "Change all " + texts.Counted(n, k.about),
			Chosen: of.Answers[ofAll(k.kind)] == rentroll.Apply,
		}
		if k.kind == rentroll.EndLease {
			group.AllOf = "End all " + texts.Counted(n, k.about)
			group.About = "A lease that you tick ends on the day that is shown, and its unit is vacant or has its new lease."
		}
		if n == 1 && !group.Chosen {
			group.All = "" // its own box is enough
		}
		for i := range of.Changes {
			if of.Changes[i].Kind == k.kind && shows(i) {
				group.Each = append(group.Each, changeLine(&of.Changes[i]))
			}
		}
		if more := n - len(group.Each); more > 0 {
			group.More = texts.Counted(more, "more change") + " like these " + isOrAre(more) + " not shown here."
		}
		if len(group.Each) > 0 {
			groups = append(groups, group)
		}
	}
	return groups
}

// changesHere shows all changes of an import that are kept, by pages.
func (p *Section) changesHere(v *page.Request, u *upload.Upload) error {
	at := v.In("/import/" + u.ID)
	if u.Status != upload.Ready || len(u.Preview.Changes) == 0 {
		return v.SeeOther(at) // which says what there is instead
	}
	u.Preview.Changes = inOrder(u.Preview.Changes)
	t, all := v.Cursor(), len(u.Preview.Changes)
	from, err := strconv.Atoi(t.After)
	if err != nil || from < 0 || from >= all {
		from, t.After = 0, ""
	}
	to, next := all, ""
	if from+changesOnPage < all {
		to = from + changesOnPage
		next = strconv.Itoa(to)
	}
	view := views.RollAllChanges{
		Frame:  v.Frame("Changes of " + u.Name),
		Name:   u.Name,
		Back:   kit.Link{Name: u.Name, Path: at},
		Change: at + "/changes",
		After:  t.After,
		Groups: changeGroups(u.Preview, func(i int) bool { return from <= i && i < to }),
		Pages:  t.Pages(next),
	}
	n, count := texts.Number[int], 0
	for _, each := range u.Preview.Counts {
		count += each
	}
	view.Pages.Shown = n(from+1) + "–" + n(to) + " of " + texts.Counted(all, "change")
	if count > all {
		view.More = "The file has " + texts.Counted(count-all, "more change") +
			". They can be made together, with the box for all of their kind."
	}
	return v.Show(views.AllChangesPage(view))
}

// shareChanges is how many changes of each kind a page has room for. What one kind does not need, others get.
func shareChanges(of *upload.Preview) map[rentroll.ChangeKind]int {
	room := map[rentroll.ChangeKind]int{}
	for left, given := changesShown, true; left > 0 && given; {
		given = false
		for _, k := range changeKinds {
			if left > 0 && room[k.kind] < of.Counts[string(k.kind)] {
				room[k.kind]++
				left--
				given = true
			}
		}
	}
	return room
}

func saysOrSay(n int) string {
	if n == 1 {
		return "says"
	}
	return "say"
}

// changeLine is a change of a record in words.
func changeLine(c *rentroll.Change) views.RollChange {
	line := views.RollChange{
		Name: c.Question(), Address: c.Address, Tenant: c.Tenant, Why: c.Why, Ticked: c.Ticked,
	}
	for _, f := range c.Fields {
		switch {
		case c.Kind == rentroll.EndLease && f.Name == "terminated_on":
			line.Fields = append(line.Fields, "Ends on "+valueWords(f.To))
		case c.Kind == rentroll.EndLease: // its status
		default:
			line.Fields = append(line.Fields, rollField(f.Name)+": "+valueWords(f.From)+" → "+valueWords(f.To))
		}
	}
	return line
}

// valueWords is a value of a record as people write it.
func valueWords(s string) string {
	if s == "" {
		return "none"
	}
	if day, err := clock.ParseDate(s); err == nil {
		return page.Date(day)
	}
	if cents, err := money.Parse(s); err == nil && strings.Contains(s, ".") && len(s)-strings.Index(s, ".") == 3 {
		return cents.Dollars()
	}
	return strings.ReplaceAll(s, "_", " ")
}

// tickChanges takes down which of the changes that were shown are to be made.
func (p *Section) tickChanges(v *page.Request, id string) (string, error) {
	at := "/import/" + id
	u, err := p.Imports.Upload(v.Ctx(), v.Actor(), id)
	if err != nil || u.Preview == nil {
		return at, err
	}
	f, said := v.Form(), map[string]*string{}
	ticked, shown := f.All("tick"), strings.Fields(strings.Join(f.All("shown"), " "))
	answer := func(question string, tick bool) {
		switch _, before := u.Preview.Answers[question]; {
		case tick:
			said[question] = new(rentroll.Apply)
		case before:
			said[question] = nil
		}
	}
	for _, k := range changeKinds {
		if slices.Contains(shown, ofAll(k.kind)) {
			answer(ofAll(k.kind), slices.Contains(ticked, ofAll(k.kind)))
		}
	}
	for i := range u.Preview.Changes {
		if question := u.Preview.Changes[i].Question(); slices.Contains(shown, question) {
			answer(question, slices.Contains(ticked, question))
		}
	}
	if after, paged := f.Values["after"]; paged {
		at += "/changes"
		if n, err := strconv.Atoi(after[0]); err == nil && n > 0 {
			at += "?after=" + strconv.Itoa(n)
		}
	}
	if len(said) == 0 {
		return at, nil
	}
	_, err = p.Imports.Answer(v.Ctx(), v.Actor(), id, said)
	return at, err
}
