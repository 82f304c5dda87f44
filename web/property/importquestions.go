package property

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/upload"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/property"
	"portal/web/page"
)

// How much of questions a page shows.
const (
	questionsShown = 30 // with the longest answers they are a form of less than page.FormSize
	answersShown   = 60
	linesNamed     = 5
	placesShown    = 1200 // properties to choose from, in all fields of a page together
)

// leaveOut is what a select says where its lines are left out. Other answers come after an equals sign: an answer may
// be empty.
const leaveOut = "leave"

// changedMeanwhile is said of answers to what is not asked any more.
const changedMeanwhile = "Somebody has changed how this file is read. Review it again."

// questionName is a question within the names of fields. It holds no text of the file.
func questionName(question string) string {
	sum := sha256.Sum256([]byte(question))
	return hex.EncodeToString(sum[:12])
}

// questions are those of a preview, with equal ones in one: of what is wrong, or, where nothing is, of what could mean
// something else.
type questions struct {
	groups []rentroll.Group
	lines  map[string][]int // by question: the lines that may be left out
	places []string
	later  string // what a select says before anything is chosen
}

func questionsOf(of *upload.Preview) questions {
	q := questions{lines: map[string][]int{}, places: of.Places, later: "Decide later"}
	all := of.Problems
	if len(all) == 0 {
		q.later = "It is understood right"
		for _, n := range of.Notes {
			if n.Guess {
				all = append(all, rentroll.Problem{Line: n.Line, Column: n.Column, Message: n.Message, Ask: n.Ask})
			}
		}
	}
	q.groups = rentroll.Groups(all)
	for _, p := range all {
		if kind := kindOf(p.Question); kind == "value" || kind == "cell" {
			if lines := q.lines[p.Question]; !slices.Contains(lines, p.Line) {
				q.lines[p.Question] = append(lines, p.Line)
			}
		}
	}
	return q
}

func kindOf(question string) string {
	kind, _, _ := strings.Cut(question, ":")
	return kind
}

// linesOf names the lines of a group, the first ones by their numbers.
func linesOf(g *rentroll.Group) string {
	var all []string
	for _, line := range g.Lines[:min(len(g.Lines), linesNamed)] {
		if line > 0 {
			all = append(all, texts.Number(line))
		}
	}
	switch more := g.Count - linesNamed; {
	case len(all) == 0:
		return "Whole file"
	case more > 0:
		return "Lines " + strings.Join(all, ", ") + " and " + texts.Number(more) + " more"
	case len(all) == 1:
		return "Line " + all[0]
	case len(all) == 2:
		return "Lines " + all[0] + " and " + all[1]
	}
	return "Lines " + texts.List(all, ", and ")
}

// show fills the page of an import with a part of the questions, and with what was typed.
func (q *questions) show(v *page.Request, view *views.Import, f *page.Form) {
	t := page.CursorAt(pageOf(v, view.Path))
	from, err := strconv.Atoi(t.After)
	if err != nil || from < 0 || from >= len(q.groups) {
		from, t.After = 0, ""
	}
	part, next := q.groups[from:], ""
	if len(part) > questionsShown {
		part, next = part[:questionsShown], strconv.Itoa(from+questionsShown)
	}
	places := q.placesFor(part)
	earlier := map[string]string{} // by question: its lines
	for i := range q.groups[:from] {
		earlier[q.groups[i].Question] = linesOf(&q.groups[i])
	}
	form := kit.Form{Action: view.Path + "/answers", Failed: "Nothing was changed yet"}
	for i := range part {
		g := &part[i]
		lines := linesOf(g)
		each := views.RollQuestion{Lines: lines, Column: g.Column, Message: g.Message}
		if g.Value != "" && !strings.Contains(g.Message, strconv.Quote(g.Value)) {
			each.Value = g.Value
		}
		fields := kit.FieldGroup{}
		switch first, asked := earlier[g.Question]; {
		case g.Question == "":
			each.Instead = "Correct the file"
		case asked:
			each.Instead = "Asked above: " + lowered(first)
		default:
			fields.Fields = q.fields(g, lines, places)
			earlier[g.Question] = lines
		}
		form.Groups = append(form.Groups, fields)
		view.Questions = append(view.Questions, each)
	}
	f.Resume(form.Action)
	form = f.Fill(form)
	for i, group := range form.Groups {
		view.Questions[i].Fields = group.Fields
		if len(group.Fields) > 0 {
			form.Submit = "Apply and read again"
		}
		view.Questions[i].Open = slices.ContainsFunc(group.Fields, func(field kit.Field) bool {
			chosen := func(c kit.Choice) bool { return c.Chosen && c.Value != "" }
			return field.Error != "" || field.Value != "" || slices.ContainsFunc(field.Choices, chosen)
		})
	}
	if at := pageOf(v, view.Path); at.RawQuery != "" {
		form.Action += "?" + at.RawQuery // a form that is refused is shown with the same questions
	}
	view.Asks, view.Pages = form, t.Pages(next)
}

// placesFor are the properties to choose from in each field of a page.
func (q *questions) placesFor(part []rentroll.Group) []string {
	asking := 0
	for i := range part {
		if kindOf(part[i].Question) == "address" {
			asking++
		}
	}
	return q.places[:min(len(q.places), placesShown/max(1, asking))]
}

// fields are those in which a group's question is answered.
func (q *questions) fields(g *rentroll.Group, lines string, places []string) (all []kit.Field) {
	name, kind := questionName(g.Question), kindOf(g.Question)
	of := "for " + lowered(lines)
	if g.Column != "" {
		of += ", " + g.Column
	}
	choose := kit.Field{
		Name: "choose-" + name, Label: "Answer", Of: of, Kind: "select", Optional: true, Unmarked: true,
		Choices: []kit.Choice{{Label: q.later, Chosen: true}},
	}
	if g.Free() {
		choose.Label = "Or choose"
		text := kit.Field{
			Name: "text-" + name, Label: "Value to use", Of: of, Hint: exampleOf(g.Question),
			Longest: rentroll.LongestAnswer, Optional: true, Unmarked: true,
		}
		if kind == "address" {
			text.Label, choose.Label = "Address", "Or a property you have"
			for _, place := range places {
				choose.Choices = append(choose.Choices, kit.Choice{Value: "=" + place, Label: place})
			}
		}
		all = append(all, text)
	}
	for _, c := range g.Choices() {
		label := c.Label
		if kind == "column" && c.Answer != "" {
			label = "It is “" + rollField(c.Answer) + "”"
		}
		choose.Choices = append(choose.Choices, kit.Choice{Value: "=" + c.Answer, Label: label})
	}
	switch n := len(q.lines[g.Question]); {
	case n == 1:
		choose.Choices = append(choose.Choices, kit.Choice{Value: leaveOut, Label: "Leave the line out"})
	case n > 1:
		choose.Choices = append(
			choose.Choices, kit.Choice{Value: leaveOut, Label: "Leave these " + texts.Number(n) + " lines out"},
		)
	}
	if len(choose.Choices) > 1 {
		all = append(all, choose)
	}
	return all
}

// lowered is what linesOf says within a sentence.
func lowered(lines string) string { return strings.ToLower(lines[:1]) + lines[1:] }

// exampleOf is how an answer may look.
func exampleOf(question string) string {
	kind, rest, _ := strings.Cut(question, ":")
	first, last, _ := strings.Cut(rest, ":")
	if kind == "cell" {
		first = last
	}
	switch {
	case kind == "address":
		return "Such as 220 Harrow St, Dayton, OH 45402."
	case first == "state":
		return "Such as TX."
	case strings.HasPrefix(first, "lease_") && first != "lease_type", strings.HasPrefix(first, "move_"):
		return "Such as 2026-12-31."
	case first == "tenant_name":
		return "First and last name, such as Amara Okafor."
	}
	return ""
}

// heard are the answers of a form, and the field of each. What is wrong is said beside its field.
func (q *questions) heard(f *page.Form) (said map[string]*string, fields map[string]string) {
	said, fields = map[string]*string{}, map[string]string{}
	known := map[string]bool{}
	for i := range q.groups {
		question := q.groups[i].Question
		name := questionName(question)
		if question == "" || known[name] {
			continue
		}
		known[name] = true
		text, chosen := f.Text("text-"+name), f.Text("choose-"+name)
		answer, isAnswer := strings.CutPrefix(chosen, "=")
		switch {
		case text != "" && chosen != "":
			f.Reject("text-"+name, "Clear this field, or choose “"+q.later+"”.")
		case text != "":
			said[question], fields[question] = &text, "text-"+name
		case isAnswer:
			said[question], fields[question] = &answer, "choose-"+name
		case chosen == leaveOut:
			for _, line := range q.lines[question] {
				about := "line:" + strconv.Itoa(line)
				said[about], fields[about] = new(rentroll.LeaveOut), "choose-"+name
			}
		case chosen != "":
			f.Reject("choose-"+name, "Choose one of the answers.")
		}
	}
	for field, values := range f.Values {
		name, isText := strings.CutPrefix(field, "text-")
		name, isChoice := strings.CutPrefix(name, "choose-")
		if (isText || isChoice) && !known[name] && strings.Join(values, "") != "" {
			f.Problem, f.Status = changedMeanwhile, http.StatusConflict
		}
	}
	for question, answer := range said {
		refuseAnswer(f, rentroll.Answers{question: *answer}.Check(), fields)
	}
	return said, fields
}

// refuseAnswer says beside the field of an answer why it is none, and above the form what else somebody can do
// something about.
func refuseAnswer(f *page.Form, err error, fields map[string]string) bool {
	said := fault.From(err)
	if err != nil && said.Code == fault.InvalidField {
		for question, field := range fields {
			if why, is := strings.CutPrefix(said.Message, texts.Clip(question, 60)+": "); is {
				if kindOf(question) == "column" { // it names what columns hold
					why = strings.ReplaceAll(why, "_", " ")
				}
				f.Reject(field, why)
				return true
			}
		}
	}
	if err != nil && said.Code == fault.Unavailable {
		f.Problem = "Other files are being read at the moment. Nothing was changed. Send this again in a few seconds."
		f.Status = http.StatusServiceUnavailable
		return true
	}
	return f.Refused(err)
}

// answerQuestions reads the file of the address again with what somebody has said of it, or without.
func (p *Section) answerQuestions(v *page.Request) error {
	u, err := page.Here(v, id.Import, p.Imports.Upload)
	if err != nil {
		return err
	}
	at := v.In("/import/" + u.ID)
	if u.Status != upload.Ready {
		return v.SeeOther(at)
	}
	f := v.Form()
	var said map[string]*string
	var fields map[string]string
	if take := f.Text("take"); take != "" {
		said = takenBack(u.Preview.Answers, take)
		if len(said) == 0 {
			return v.SeeOther(at) // it was taken back before
		}
	} else {
		q := questionsOf(u.Preview)
		if said, fields = q.heard(f); len(said) == 0 && !f.Rejected() {
			f.Problem, f.Status = "Answer at least one question.", http.StatusBadRequest
		}
	}
	if !f.Rejected() {
		if _, err = p.Imports.Answer(v.Ctx(), v.Actor(), u.ID, said); err == nil {
			return v.SeeOther(at)
		}
		if fault.Is(err, fault.InvalidTransition) {
			return v.RefuseAt(at, fault.From(err).Message) // it is being imported now
		}
		if !refuseAnswer(f, err, fields) {
			return err
		}
	}
	return p.rollShown(v, u, f, blank(v))
}

// blank is a form that nothing was typed into.
func blank(v *page.Request) *page.Form { return v.Blank(nil) }

// takenBack are the answers of a name, or all.
func takenBack(answers rentroll.Answers, name string) map[string]*string {
	said := map[string]*string{}
	for question := range answers {
		if name == "all" && !aboutChange(question) || name == questionName(question) {
			said[question] = nil
		}
	}
	return said
}

// aboutChange reports whether a question is whether records of the portfolio are changed.
func aboutChange(question string) bool {
	kind := kindOf(question)
	return kind == "change" || kind == "changes"
}

// answerLines are what somebody has said of a file, in words.
func answerLines(of *upload.Preview) (lines []views.RollAnswer, more string) {
	all := slices.SortedFunc(maps.Keys(of.Answers), func(a, b string) int {
		inOrder := func(question string) (rank, number int) {
			kind, rest, _ := strings.Cut(question, ":")
			first, _, _ := strings.Cut(rest, ":")
			number, _ = strconv.Atoi(first)
			if kind == "column" {
				rank = 1
			}
			return rank, number
		}
		rankA, numberA := inOrder(a)
		rankB, numberB := inOrder(b)
		return cmp.Or(rankA-rankB, numberA-numberB, strings.Compare(a, b))
	})
	all = slices.DeleteFunc(all, aboutChange) // the changes show their ticks
	if n := len(all) - answersShown; n > 0 {
		all, more = all[:answersShown], texts.Counted(n, "more answer")+" "+isOrAre(n)+" not shown."
	}
	for _, question := range all {
		about, said := answerWords(question, of.Answers[question], of.Headings)
		lines = append(lines, views.RollAnswer{About: about, Said: said, Name: questionName(question)})
	}
	return lines, more
}

// answerWords are a question and its answer, as a list of answers has them.
func answerWords(question, answer string, columns []rentroll.Heading) (about, said string) {
	kind, rest, _ := strings.Cut(question, ":")
	first, last, _ := strings.Cut(rest, ":")
	said = cmp.Or(answer, "No value")
	for _, c := range (rentroll.Ask{Question: question}).Choices() {
		if c.Answer == answer && kind != "column" {
			said = c.Label
		}
	}
	switch kind {
	case "column":
		about, said = "Column "+first, "Left out"
		if n, err := strconv.Atoi(first); err == nil && n > 0 && n <= len(columns) && columns[n-1].Name != "" {
			about += " (" + columns[n-1].Name + ")"
		}
		if answer != "" {
			said = rollField(answer)
		}
	case "dates":
		about = "Dates under " + rollField(rest)
	case "units":
		about = "Streets that end in a unit"
	case "address":
		about = "Address of " + cmp.Or(rest, "lines without one")
	case "value":
		about = rollField(first) + " “" + last + "”"
		if last == "" {
			about = rollField(first) + " where the file has none"
		}
	case "cell":
		about = "Line " + first + ", " + rollField(last)
	case "line":
		about, said = "Line "+first, "Left out"
	}
	return about, said
}
