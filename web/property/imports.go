package property

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/upload"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/property"
	"portal/web/page"
)

// How much of imports a page shows.
const (
	earlierImports = 10
	problemLines   = 60
)

func (p *Section) importsPage(v *page.Request, f *page.Form) error {
	all, err := p.Imports.Uploads(v.Ctx(), v.Actor(), earlierImports)
	if err != nil {
		return err
	}
	view := views.Imports{
		Frame:   v.Frame("Import"),
		Form:    f.Fill(rollForm(v, "Review file")),
		Columns: RollColumns(),
		Sample:  v.In("/import/sample.csv"),
	}
	for _, kind := range []struct{ name, path string }{
		{"Export rent roll (CSV)", "/import/export.csv"}, {"Export rent roll (Excel)", "/import/export.xlsx"},
	} {
		if p.Served("/{mode}" + kind.path) {
			view.Exports = append(view.Exports, kit.Link{Name: kind.name, Path: v.In(kind.path)})
		}
	}
	for i := range all {
		view.Earlier = append(view.Earlier, importLine(v, &all[i]))
	}
	return v.ShowAs(f.Status, views.ImportsPage(view))
}

func rollForm(v *page.Request, submit string) kit.Form {
	return kit.Form{
		Action: v.In("/import"),
		Submit: submit,
		Files:  true,
		Failed: "The file wasn’t accepted",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{
				Name:   "file",
				Label:  "Rent roll",
				Kind:   "file",
				Accept: ".csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
				Hint:   "A CSV file or an Excel workbook (.xlsx) of at most 8 MB. You review the records before anything is imported.",
			},
		}}},
	}
}

func importLine(v *page.Request, u *upload.Upload) views.ImportLine {
	line := views.ImportLine{
		Path:     v.In("/import/" + u.ID),
		Name:     u.Name,
		State:    kit.Status{Tone: kit.Idle, Text: "Not imported"},
		Uploaded: v.Time(u.CreatedAt),
	}
	switch u.Status {
	case upload.Queued:
		line.State = kit.Status{Tone: kit.Waiting, Text: "Being imported"}
	case upload.Done:
		line.State = kit.Status{Tone: kit.Done, Text: "Imported"}
		line.Units = texts.Number(u.Totals.Units)
	case upload.Ready:
	}
	return line
}

// readRoll looks a file through that was uploaded, which takes long, before it is kept.
func (p *Section) readRoll(v *page.Request) error {
	f := v.Form()
	switch file := v.Upload.File; {
	case file == nil:
		f.Reject("file", "Choose a file.")
	case file.Size() > upload.MaxSize:
		f.Reject("file", "The file is larger than 8 MB. Split it into several.")
	}
	v.Prepared = f
	if f.Rejected() {
		return nil
	}
	d, err := p.Imports.Draft(v.Ctx(), v.Actor(), v.Person.UserID, fileName(v), v.Upload)
	if err == nil {
		v.Prepared = d
	} else if f.Refused(err) {
		err = nil
	}
	return err
}

// takeRoll keeps a file that was looked through, and leads to what would come of it.
func (p *Section) takeRoll(v *page.Request) error {
	if f, refused := v.Prepared.(*page.Form); refused {
		return p.importsPage(v, f)
	}
	f, d := v.Form(), v.Prepared.(*upload.Draft)
	if err := p.Imports.Keep(v.Ctx(), v.Actor(), d); err != nil {
		return f.Again(v, err, p.importsPage)
	}
	return v.SeeOther(v.In("/import/" + d.ID))
}

// fileName is the name of the uploaded file as it is shown.
func fileName(v *page.Request) string {
	named := page.Blank(map[string][]string{"name": {v.Upload.Name}}).Printable("name")
	if r := []rune(named); len(r) > 120 {
		named = string(r[:120]) + "…"
	}
	if named == "" {
		named = "rent roll"
	}
	return named
}

func (p *Section) rollHere(v *page.Request, u *upload.Upload) error {
	return p.rollShown(v, u, v.Form(), v.Form())
}

// rollShown is the page of an upload, with what was typed into the form of its questions and into that of its columns.
func (p *Section) rollShown(v *page.Request, u *upload.Upload, asked, columns *page.Form) error {
	view := views.Import{
		Frame:      v.Frame("Import " + u.Name).With("parts.css").With("questions.css"),
		ImportLine: importLine(v, u),
		Back:       kit.Link{Name: "Import", Path: v.In("/import")},
		Size:       texts.Number((u.Size+1023)/1024) + " KB",
		Written:    u.Written,
		Records:    u.Records,
	}
	switch u.Status {
	case upload.Queued:
		view.Running, view.Refresh = true, 2
	case upload.Done:
		view.Totals, view.Done = p.rollTotals(v, u.Totals), true
		view.Finished = v.TimeOr(u.FinishedAt, "not yet")
	case upload.Ready:
		view.Seen = u.Stamp()
		p.previewed(v, &view, u.Preview)
		q := questionsOf(u.Preview)
		q.show(v, &view, asked)
		view.Columns = columns.Fill(view.Columns)
		if view.Over {
			view.Kept = v.Time(u.CreatedAt + clock.Time(upload.Keep.Milliseconds()))
			if err := p.showUnitRequest(v, &view, u.Preview.Wanted()); err != nil {
				return err
			}
		}
	}
	return v.ShowAs(max(asked.Status, columns.Status), views.ImportPage(view))
}

// previewed fills what would come of an import.
func (p *Section) previewed(v *page.Request, view *views.Import, of *upload.Preview) {
	at := view.Path
	view.Confirm, view.Check, view.Discard = at, at+"/check", at+"/discard"
	view.Refused, view.Partly, view.Why, view.Looked = of.Refused, of.Partly(), of.Why, v.Time(of.At)
	view.Remembered = of.Remembered
	view.Form = rollForm(v, "Upload another file")
	if of.Ceiling != nil {
		view.Limit = unitLimit(of)
	}
	view.Columns = columnsForm(at+"/columns", of)
	view.Over = of.Over() && len(of.Problems) == 0
	var notes []rentroll.Note
	for _, n := range of.Notes {
		if !n.Guess {
			notes = append(notes, n)
		}
	}
	view.Notes, view.MoreNotes = noteLines(notes)
	view.Answers, view.MoreAnswers = answerLines(of)
	if len(of.Problems) == 0 {
		view.Totals = p.rollTotals(v, &of.Totals)
		for i := range view.Totals {
			view.Totals[i].Path = "" // there is nothing to be seen yet
		}
		for i := range of.Lines {
			view.Lines = append(view.Lines, rollLine(&of.Lines[i]))
		}
		view.Plan = kit.Link{Name: "See all lines", Path: at + "/plan"}
		if showChanges(view, of); view.Nothing {
			view.Confirm = ""
		}
		return
	}
	view.Confirm, view.ProblemCount = "", problemCount(len(of.Problems))
}

// columnsForm asks what the columns of a file hold, and for the address of lines that name none.
func columnsForm(action string, of *upload.Preview) kit.Form {
	if len(of.Headings) == 0 {
		return kit.Form{}
	}
	columns := kit.FieldGroup{About: "Each column with its first values, and what it was taken for."}
	for i, h := range of.Headings {
		if h.Name == "" && len(h.Values) == 0 {
			continue
		}
		field := kit.Field{
			Name:    "column" + strconv.Itoa(i),
			Label:   cmp.Or(h.Name, "Column "+strconv.Itoa(i+1)),
			Hint:    cmp.Or(strings.Join(h.Values, " · "), "No values"),
			Kind:    "select",
			Choices: []kit.Choice{{Value: "", Label: "Leave out"}},
		}
		for _, each := range rentroll.Fields() {
			field.Choices = append(
				field.Choices,
				kit.Choice{Value: each, Label: rollField(each), Chosen: each == h.Field},
			)
		}
		columns.Fields = append(columns.Fields, field)
	}
	return kit.Form{
		Action: action,
		Submit: "Read the file again",
		Groups: []kit.FieldGroup{columns, {
			Title:  "Address of lines without one",
			About:  "If the file names no property, its lines are units of this one.",
			Folded: true,
			Fields: []kit.Field{{
				Name: "address", Label: "Address", Value: of.Answers["address:"], Optional: true, Longest: 300,
				Hint: "Such as 220 Harrow St, Dayton, OH 45402.",
			}},
		}},
	}
}

// rollField is what a column may hold, in words.
func rollField(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	switch name {
	case "full_address":
		return "Whole address"
	case "tenant_name":
		return "Tenants, first and last names"
	case "bed_bath":
		return "Bedrooms and bathrooms"
	case "postal_code":
		return "ZIP code"
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// answerColumns reads the file of the address again, with what somebody has said of its columns.
func (p *Section) answerColumns(v *page.Request) error {
	u, err := page.Here(v, id.Import, p.Imports.Upload)
	if err != nil {
		return err
	}
	at := v.In("/import/" + u.ID)
	if u.Status != upload.Ready {
		return v.SeeOther(at)
	}
	f, said, fields := v.Form(), map[string]*string{}, map[string]string{}
	for i, h := range u.Preview.Headings {
		if name := "column" + strconv.Itoa(i); h.Name != "" || len(h.Values) > 0 {
			question := "column:" + strconv.Itoa(i+1)
			said[question], fields[question] = new(f.Text(name)), name
		}
	}
	if address := f.Printable("address"); address != "" {
		said["address:"], fields["address:"] = &address, "address"
	}
	if _, err = p.Imports.Answer(v.Ctx(), v.Actor(), u.ID, said); err == nil {
		return v.SeeOther(at)
	}
	if fault.Is(err, fault.InvalidTransition) {
		return v.RefuseAt(at, fault.From(err).Message) // it is being imported now
	}
	if !refuseAnswer(f, err, fields) {
		return err
	}
	return p.rollShown(v, u, blank(v), f)
}

// noteLines are the first notes, and how many there are besides.
func noteLines(all []rentroll.Note) (lines []views.RollProblem, more string) {
	if n := len(all) - problemLines; n > 0 {
		all, more = all[:problemLines], texts.Counted(n, "more line")+" like these "+isOrAre(n)+" not shown."
	}
	for _, n := range all {
		lines = append(lines, views.RollProblem{Line: strconv.Itoa(n.Line), Column: n.Column, Message: n.Message})
	}
	return lines, more
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func unitLimit(of *upload.Preview) string {
	n := texts.Number[int]
	return "Your plan allows " + texts.Counted(*of.Ceiling, "live unit") + ". You have " + n(of.Used) +
		", and this file adds " + n(of.Units) + "."
}

// showUnitRequest tells of the request for more units that is open, and lets ask for as many as an import needs where
// that one is for less.
func (p *Section) showUnitRequest(v *page.Request, view *views.Import, wanted int) error {
	r, open, err := p.Developer.OpenUnitRequest(v.Ctx(), v.Member())
	if err != nil {
		return err
	}
	if open {
		view.Asked = v.UnitRequest(r)
	}
	if !open || r.Units < wanted {
		view.Ask, view.Wanted = view.Path+"/units", texts.Number(wanted)
	}
	return nil
}

// problemCount is how many problems there are, with the verb.
func problemCount(n int) string {
	switch {
	case n > rentroll.MaxProblems:
		return "More than " + kit.Number(rentroll.MaxProblems) + " problems keep"
	case n == 1:
		return "1 problem keeps"
	}
	return texts.Number(n) + " problems keep"
}

// pageOf is the address of the page of an upload that a request shows: the same questions of its list.
func pageOf(v *page.Request, path string) *url.URL {
	at := *v.Request().URL
	at.Path, at.RawPath = path, ""
	q := url.Values{}
	for _, name := range []string{"after", "trail"} {
		if value := at.Query().Get(name); value != "" {
			q.Set(name, value)
		}
	}
	at.RawQuery = q.Encode()
	return &at
}

// planLines is how many lines a page of the whole plan has.
const planLines = 50

// planHere shows all of what an import of the address would write.
func (p *Section) planHere(v *page.Request, u *upload.Upload) error {
	at := v.In("/import/" + u.ID)
	if u.Status != upload.Ready || len(u.Preview.Problems) > 0 {
		return v.SeeOther(at) // which says what there is instead
	}
	t := v.Cursor()
	from, err := strconv.Atoi(t.After)
	if err != nil || from < 0 {
		from, t.After = 0, ""
	}
	search := v.Form().SearchText()
	lines, found, err := p.Imports.Lines(v.Ctx(), v.Actor(), u.ID, search, from, planLines)
	if err != nil {
		if fault.Is(err, fault.Unavailable) {
			return page.Refusal{
				Status: http.StatusServiceUnavailable,
				Title:  "Other files are being read",
				Words:  "The lines can’t be shown at the moment. Reload this page in a few seconds.",
				Next:   []kit.Link{{Name: "Back to the import", Path: at}},
			}
		}
		return err
	}
	view := views.RollPlan{
		Frame:  v.Frame("Lines of " + u.Name),
		Name:   u.Name,
		Back:   kit.Link{Name: u.Name, Path: at},
		Totals: p.rollTotals(v, &u.Preview.Totals),
		Filters: v.Filters("Lines", "/import/"+u.ID+"/plan", []kit.Field{
			{Name: "search", Label: "Unit, tenant, or rent", Kind: "search"},
		}),
	}
	for i := range view.Totals {
		view.Totals[i].Path = "" // there is nothing to be seen yet
	}
	for i := range lines {
		view.Lines = append(view.Lines, rollLine(&lines[i]))
	}
	next := ""
	if from+len(lines) < found {
		next = strconv.Itoa(from + len(lines))
	}
	view.Pages = t.Pages(next)
	if len(lines) > 0 {
		n := texts.Number[int]
		view.Pages.Shown = n(from+1) + "–" + n(from+len(lines)) + " of " + texts.Counted(found, "line")
	}
	return v.Show(views.PlanPage(view))
}

func rollLine(l *rentroll.Line) views.RollLine {
	line := views.RollLine{
		Line:    strconv.Itoa(l.Line),
		Address: l.Address,
		New:     l.New,
		Same:    l.Same,
		Tenant:  l.Tenant,
		Rent:    page.DollarsOr(l.Rent),
		Balance: page.DollarsOr(l.Balance),
	}
	if l.Start != nil {
		line.Lease = page.Date(*l.Start) + " – " + cmp.Or(page.DateOr(l.End), "month to month")
	}
	return line
}

// rollTotals are the numbers of an import, with where the records are to be seen.
func (p *Section) rollTotals(v *page.Request, t *upload.Totals) []views.RollTotal {
	at := func(path string) string {
		if p.Served("/{mode}" + path) {
			return v.In(path)
		}
		return ""
	}
	n := texts.Number[int]
	all := []views.RollTotal{{Name: "New properties", Number: n(t.Properties), Path: at("/properties")}}
	if t.Joined > 0 {
		all = append(all, views.RollTotal{
			Name:   "Properties that get units",
			Number: n(t.Joined),
			Path:   at("/properties"),
		})
	}
	all = append(
		all,
		views.RollTotal{Name: "Units", Number: n(t.Units)},
		views.RollTotal{Name: "Tenants", Number: n(t.Tenants), Path: at("/tenants")},
		views.RollTotal{Name: "Leases", Number: n(t.Leases), Path: at("/leases")},
	)
	if t.Balances > 0 {
		all = append(all, views.RollTotal{
			Name:   "Balances brought forward",
			Number: n(t.Balances),
			Path:   at("/ledger"),
		})
	}
	if t.Changed > 0 {
		all = append(all, views.RollTotal{Name: "Records that change", Number: n(t.Changed)})
	}
	if t.Skipped > 0 {
		all = append(all, views.RollTotal{Name: "Changes not made: changed meanwhile", Number: n(t.Skipped)})
	}
	return all
}

// rollAct does something with the upload of the address, and leads to where it is seen.
func rollAct(act func(v *page.Request, id string) (to string, err error)) page.Handler {
	return func(v *page.Request) error {
		name, err := v.PathID(id.Import)
		if err != nil {
			return err
		}
		to, err := act(v, name)
		if f := v.Form(); f.Refused(err) {
			return v.RefuseAt(v.In("/import/"+name), f.Problem)
		}
		if err != nil {
			return err
		}
		return v.SeeOther(v.In(to))
	}
}

func (p *Section) confirmImport(v *page.Request, id string) (string, error) {
	_, err := p.Imports.Confirm(v.Ctx(), v.Actor(), v.Person.UserID, id, v.Form().Text("seen"))
	return "/import/" + id, err
}

func (p *Section) checkImport(v *page.Request, id string) (string, error) {
	_, err := p.Imports.Check(v.Ctx(), v.Actor(), id)
	return "/import/" + id, err
}

func (p *Section) discardImport(v *page.Request, id string) (string, error) {
	err := p.Imports.Discard(v.Ctx(), v.Actor(), id)
	if err == nil {
		v.Say(kit.Done, "File discarded. Nothing was imported.")
	}
	return "/import", err
}

// askForUnits asks for as many units as the portfolio has and the file of the address brings.
func (p *Section) askForUnits(v *page.Request, id string) (string, error) {
	u, err := p.Imports.Upload(v.Ctx(), v.Actor(), id)
	if err != nil {
		return "", err
	}
	if u.Preview == nil || len(u.Preview.Problems) > 0 || !u.Preview.Over() {
		return "", fault.New(fault.InvalidTransition, "This file needs no more units than the plan allows.")
	}
	if _, err := p.Developer.AskForUnits(v.Ctx(), v.Member(), u.Preview.Wanted()); err != nil {
		return "", err
	}
	v.Say(kit.Done, page.UnitsAsked)
	return "/import/" + id, nil
}
