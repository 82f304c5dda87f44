// Package imports is how programs import rent rolls: an import as the API shows it, and what can be done with it.
//
// It knows no request, no page and no SQL.
package imports

import (
	"context"
	"maps"
	"strings"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/upload"
)

// Status is how far an import has come.
type Status string

// The statuses of an import.
const (
	Reading      Status = "reading"
	NeedsMapping Status = "needs_mapping"
	NeedsReview  Status = "needs_review"
	Importing    Status = "importing"
	Done         Status = "done"
	Failed       Status = "failed"
	Discarded    Status = "discarded" // in the preview of it
)

// SchemaName is the name of the OpenAPI component.
func (Status) SchemaName() string { return "ImportStatus" }

// Values are all statuses.
func (Status) Values() []string {
	return []string{
		string(Reading), string(NeedsMapping), string(NeedsReview), string(Importing), string(Done), string(Failed),
		string(Discarded),
	}
}

// Bounds of what is shown of an import.
const (
	mostShown   = 100 // problems, and notes
	mostChoices = 20
)

// Import is a rent roll that was sent, and what becomes of it.
type Import struct {
	State
	// What was answered, by question.
	Answers map[string]string `json:"answers" by:"file" example:"{\"column:9\":\"\"}"`
}

// SchemaName is the name of the OpenAPI component.
func (Import) SchemaName() string { return "ImportOut" }

// State is an import as assistants see it, which is without the answers: they are told which values the file wrote,
// and the names of the answers come from the file too.
type State struct {
	// Identifier of the import.
	ID string `json:"id" format:"id" prefix:"imp"`
	// Always import.
	Object string `json:"object" const:"import"`
	// Mode of the portfolio.
	Mode access.Mode `json:"mode"`
	// When the file was sent.
	CreatedAt clock.Time `json:"created_at"`
	// Name of the file, as its sender wrote it.
	FileName string `json:"file_name" by:"file" maxlen:"121" example:"rentroll.csv"`
	// Size of the file in bytes.
	Size int `json:"size" example:"1893"`
	// needs_mapping: a problem is about what the columns hold. needs_review: the file was read and waits for
	// confirm. importing, done. failed: an import was tried and wrote nothing; confirm tries again. reading is
	// reserved: a file is read before it is answered. discarded is seen in the preview of a discard alone.
	Status Status `json:"status" example:"needs_review"`
	// Whether confirm imports the file: it waits, has no problems, and fits the plan.
	Confirmable bool `json:"confirmable"`
	// The columns of the file. Empty once it is importing or done.
	Columns []Column `json:"columns"`
	// How many problems are in the way, equal ones of several lines counted once.
	ProblemsCount int `json:"problems_count"`
	// What keeps the file from being imported, at most 100.
	Problems []Problem `json:"problems"`
	// How many notes there are, equal ones of several lines counted once.
	NotesCount int `json:"notes_count"`
	// What was left out, or could mean something else (guess), at most 100. Confirm agrees to all of it.
	Notes []Note `json:"notes"`
	// How many records of the portfolio the file says something else of.
	ChangesCount int `json:"changes_count"`
	// What the file says otherwise of records that the portfolio has, at most 100. Confirm makes those whose question
	// has the answer apply; changes:unit, changes:lease, changes:tenant, and changes:end are the questions about all
	// changes of a kind. The rest stays as it is.
	Changes []Change `json:"changes"`
	// How many lines of the file say what the portfolio has already.
	UnchangedLines int `json:"unchanged_lines"`
	// How many units of properties in the file are not in it. They stay as they are.
	MissingUnits int `json:"missing_units"`
	// Why an import was refused by a rule of a record that it was to change, null where none was.
	FailureMessage *string `json:"failure_message" by:"file"`
	// What confirm would write, null while there are problems, and once it is importing.
	Plan *Totals `json:"plan"`
	// How many records the import writes.
	Records int `json:"records" example:"53"`
	// How many of them are written.
	Written int `json:"written"`
	// What was written, null before the import is done.
	Result *Totals `json:"result"`
	// When the file is deleted if nobody confirms it, null once it is importing or done.
	ExpiresAt *clock.Time `json:"expires_at"`
	// When the import was done, null before.
	FinishedAt *clock.Time `json:"finished_at"`
}

// DisplayName is the name of the file.
func (i *State) DisplayName() (name string, outside bool) { return i.FileName, true }

// Column is a column of the file.
type Column struct {
	// Its name in the file, by which a mapping names it. Column 3 is the third one, if the file has no name for
	// it or the same one twice.
	Name string `json:"name" by:"file" example:"Lease From"`
	// What it is taken for, null where it is left out.
	Field *string `json:"field" example:"lease_start"`
	// Its first values that differ, at most 3.
	Values []string `json:"values" by:"file" example:"09/01/2026"`
}

// SchemaName is the name of the OpenAPI component.
func (Column) SchemaName() string { return "ImportColumn" }

// Problem is what keeps the file from being imported.
type Problem struct {
	// The first line of the file that has it, from 1.
	Line int `json:"line" min:"1" example:"14"`
	// The lines that have it, at most 20.
	Lines []int `json:"lines" example:"14"`
	// How many lines have it.
	Count int `json:"count" example:"1"`
	// The column, null where the whole line is at fault.
	Column *string `json:"column" by:"file" example:"state"`
	// What is wrong, for people.
	Message string `json:"message" by:"file" example:"\"Tejas\" is not a state of the US."`
	// What answers can settle, null where only another file or another mapping helps.
	Question *string `json:"question" by:"file" example:"value:state:Tejas"`
	// What the file has there, null for nothing.
	Value *string `json:"value" by:"file" example:"Tejas"`
	// The answers to choose from.
	Choices []Choice `json:"choices"`
	// Whether any other text is an answer too.
	Free bool `json:"free"`
}

// SchemaName is the name of the OpenAPI component.
func (Problem) SchemaName() string { return "ImportProblem" }

// Note is what to know before the file is imported.
type Note struct {
	Problem
	// Whether it could mean something else.
	Guess bool `json:"guess"`
}

// SchemaName is the name of the OpenAPI component.
func (Note) SchemaName() string { return "ImportNote" }

// Choice is an answer to choose.
type Choice struct {
	// The answer.
	Answer string `json:"answer" by:"file" example:"month_first"`
	// What it means, for people.
	Label string `json:"label" by:"file" example:"Month first, as in 12/31/2026"`
}

// SchemaName is the name of the OpenAPI component.
func (Choice) SchemaName() string { return "ImportChoice" }

// Change is what the file says otherwise of a record that the portfolio has.
type Change struct {
	// What is changed: facts of a unit, days and money of a lease, how a tenant is reached; end for a lease that the
	// file no longer has.
	Kind rentroll.ChangeKind `json:"kind" example:"lease"`
	// Identifier of the record.
	ID string `json:"id" example:"lea_01JNB2V4QX8Z6T0C3M5R7W9YKD"`
	// What the answer apply to makes the change.
	Question string `json:"question" example:"change:lease:lea_01JNB2V4QX8Z6T0C3M5R7W9YKD:3"`
	// The line of the file, null where it has none.
	Line *int `json:"line" example:"14"`
	// Address of the unit.
	Address string `json:"address" example:"1420 Maple Avenue, Unit 2B, Austin, TX 78701"`
	// The tenants, null for a unit.
	Tenant *string `json:"tenant" by:"tenant" example:"Dana Whitfield"`
	// The fields that change.
	Fields []ChangedField `json:"fields"`
	// Why the import cannot make the change, null where it can.
	Impossible *string `json:"impossible"`
	// Whether confirm makes it.
	Applied bool `json:"applied"`
}

// SchemaName is the name of the OpenAPI component.
func (Change) SchemaName() string { return "ImportChange" }

// ChangedField is a field of a record that changes.
type ChangedField struct {
	// Name of the field.
	Name string `json:"name" example:"monthly_rent"`
	// Its value, null for none.
	From *string `json:"from" by:"tenant" example:"1450.00"`
	// What the file says, null for none.
	To *string `json:"to" by:"file" example:"1495.00"`
}

// SchemaName is the name of the OpenAPI component.
func (ChangedField) SchemaName() string { return "ImportChangedField" }

// Totals are numbers of records.
type Totals struct {
	// New properties.
	Properties int `json:"properties" example:"4"`
	// Properties of the portfolio that get units.
	Joined int `json:"joined"`
	// Units.
	Units int `json:"units" example:"21"`
	// Tenants.
	Tenants int `json:"tenants" example:"14"`
	// Leases.
	Leases int `json:"leases" example:"14"`
	// Balances brought forward.
	Balances int `json:"balances"`
	// Records of the portfolio that change.
	Changed int `json:"changed"`
	// Changes that were applied in the answers and not made, as somebody had changed the record meanwhile.
	SkippedChanges int `json:"skipped_changes"`
}

// SchemaName is the name of the OpenAPI component.
func (Totals) SchemaName() string { return "ImportTotals" }

// Create is a rent roll to import, in the parts of multipart/form-data.
type Create struct {
	// The file: CSV or .xlsx, at most 8 MB.
	File string `json:"file" format:"binary"`
	// What columns hold, as JSON: their names in the file with a field, or with null to leave one out.
	Mapping map[string]*string `json:"mapping" maxlen:"100" itemmaxlen:"300" example:"{\"Lease From\":\"lease_start\",\"Notes\":null}"`
	// Answers, as JSON, by the question of a problem or a note.
	Answers map[string]*string `json:"answers" maxlen:"2000" itemmaxlen:"300" example:"{\"dates:lease_start\":\"month_first\"}"`
}

// SchemaName is the name of the OpenAPI component.
func (Create) SchemaName() string { return "ImportCreate" }

// Update is what to say of a file that was sent.
type Update struct {
	// What columns hold: their names in the file with a field, or with null to leave one out. What was said of
	// other columns stays.
	Mapping change.Field[map[string]*string] `json:"mapping" maxlen:"100" itemmaxlen:"300" example:"{\"Lease From\":\"lease_start\",\"Notes\":null}"`
	// Answers by the question of a problem or a note; null takes one back. The others stay.
	Answers change.Field[map[string]*string] `json:"answers" maxlen:"2000" itemmaxlen:"300"`
}

// SchemaName is the name of the OpenAPI component.
func (Update) SchemaName() string { return "ImportUpdate" }

// Service imports rent rolls for programs.
type Service struct{ Uploads *upload.Service }

// Draft looks a file through, which takes up to a second for the largest ones. It writes nothing.
func (s *Service) Draft(
	ctx context.Context, by access.Actor, name string, content upload.Content, m rentroll.Mapping,
) (*upload.Draft, error) {
	return s.Uploads.DraftWith(ctx, by, name, content, m.Said)
}

// Keep keeps a file that was looked through.
func (s *Service) Keep(ctx context.Context, by access.Actor, d *upload.Draft) (*change.Result[Import], error) {
	if err := s.Uploads.Keep(ctx, by, d); err != nil {
		return nil, err
	}
	now, err := s.Import(ctx, by, d.ID)
	return &change.Result[Import]{After: now}, err
}

// Import is one import.
func (s *Service) Import(ctx context.Context, by access.Actor, id string) (*Import, error) {
	u, err := s.Uploads.Upload(ctx, by, id)
	if err != nil {
		return nil, err
	}
	return shown(by.Portfolio.Mode, u), nil
}

// State is Import for assistants.
func (s *Service) State(ctx context.Context, by access.Actor, id string) (*State, error) {
	i, err := s.Import(ctx, by, id)
	if err != nil {
		return nil, err
	}
	return &i.State, nil
}

// Reread looks a file through anew with what is said of it, which takes as long as Draft. It writes nothing.
func (s *Service) Reread(
	ctx context.Context, by access.Actor, id string, m rentroll.Mapping,
) (*upload.Reading, error) {
	return s.Uploads.Reread(ctx, by, id, m.Said)
}

// Save keeps a file as it was looked through anew.
func (s *Service) Save(ctx context.Context, by access.Actor, n *upload.Reading) (*change.Result[Import], error) {
	return s.changing(ctx, by, n.ID, func() error { return s.Uploads.KeepReading(ctx, by, n) })
}

// Confirm has a file imported, once however often it is confirmed.
func (s *Service) Confirm(ctx context.Context, by access.Actor, id string) (*change.Result[Import], error) {
	return s.changing(ctx, by, id, func() error {
		_, err := s.Uploads.Confirm(ctx, by, "", id, upload.AsItIs)
		return err
	})
}

// Discard forgets a file that was not confirmed.
func (s *Service) Discard(ctx context.Context, by access.Actor, id string) (*change.Result[Import], error) {
	was, err := s.Import(ctx, by, id)
	if err != nil {
		return nil, err
	}
	gone := *was
	gone.Status, gone.Confirmable, gone.ExpiresAt = Discarded, false, nil
	return &change.Result[Import]{Before: was, After: &gone}, s.Uploads.Discard(ctx, by, id)
}

// changing does something with an import, and tells what it was before and is after it.
func (s *Service) changing(
	ctx context.Context, by access.Actor, id string, do func() error,
) (*change.Result[Import], error) {
	was, err := s.Import(ctx, by, id)
	if err != nil {
		return nil, err
	}
	if err := do(); err != nil {
		return nil, err
	}
	now, err := s.Import(ctx, by, id)
	return &change.Result[Import]{Before: was, After: now}, err
}

// shown is an upload as programs see it.
func shown(mode access.Mode, u *upload.Upload) *Import {
	i := &Import{
		State: State{
			ID:         u.ID,
			Object:     "import",
			Mode:       mode,
			CreatedAt:  u.CreatedAt,
			FileName:   u.Name,
			Size:       u.Size,
			Status:     Importing,
			Columns:    []Column{},
			Problems:   []Problem{},
			Notes:      []Note{},
			Changes:    []Change{},
			Records:    u.Records,
			Written:    u.Written,
			Result:     totals(u.Totals),
			FinishedAt: u.FinishedAt,
		},
		Answers: map[string]string{},
	}
	switch {
	case u.Status == upload.Done:
		i.Status = Done
	case u.Status == upload.Ready && u.Preview != nil:
		i.ExpiresAt = new(u.CreatedAt + clock.Time(upload.Keep.Milliseconds()))
		i.preview(u.Preview)
	}
	return i
}

// preview fills what is to be known of a file that waits.
func (i *Import) preview(p *upload.Preview) {
	i.Status, i.Confirmable = NeedsReview, p.Fits()
	for at, name := range rentroll.HeadingNames(p.Headings) {
		h := &p.Headings[at]
		c := Column{Name: name, Field: optional(h.Field), Values: h.Values}
		if c.Values == nil {
			c.Values = []string{}
		}
		if h.Name != "" || len(h.Values) > 0 {
			i.Columns = append(i.Columns, c)
		}
	}
	groups := rentroll.Groups(p.Problems)
	i.ProblemsCount = len(groups)
	for at := range groups {
		if groups[at].OfColumns(p.Headings) {
			i.Status = NeedsMapping
		}
		if at < mostShown {
			i.Problems = append(i.Problems, problem(&groups[at], p))
		}
	}
	i.note(p)
	maps.Copy(i.Answers, p.Answers)
	if len(groups) == 0 {
		i.Plan = totals(&p.Totals)
	} else {
		i.Records = 0 // they are not known
	}
	i.compare(p)
	if p.Refused {
		i.Status, i.FailureMessage = Failed, optional(strings.TrimSpace(p.Partly()+" "+p.Why))
	}
}

// compare fills what the file says otherwise than the portfolio.
func (i *Import) compare(p *upload.Preview) {
	i.UnchangedLines, i.MissingUnits = p.Same, p.Missing
	for _, n := range p.Counts {
		i.ChangesCount += n
	}
	for at := range p.Changes[:min(mostShown, len(p.Changes))] {
		c := &p.Changes[at]
		change := Change{
			Kind:       c.Kind,
			ID:         c.ID,
			Question:   c.Question(),
			Address:    c.Address,
			Tenant:     optional(c.Tenant),
			Impossible: optional(c.Why),
			Applied:    c.Ticked,
		}
		if c.Line > 0 {
			change.Line = &c.Line
		}
		for _, f := range c.Fields {
			change.Fields = append(change.Fields, ChangedField{f.Name, optional(f.From), optional(f.To)})
		}
		i.Changes = append(i.Changes, change)
	}
}

// note fills the notes, the equal ones as one.
func (i *Import) note(p *upload.Preview) {
	var parts [2][]rentroll.Problem // what is known, what is guessed
	for _, n := range p.Notes {
		at := 0
		if n.Guess {
			at = 1
		}
		parts[at] = append(parts[at], rentroll.Problem{Line: n.Line, Column: n.Column, Message: n.Message, Ask: n.Ask})
	}
	for at, guess := range []bool{true, false} {
		groups := rentroll.Groups(parts[1-at])
		i.NotesCount += len(groups)
		for g := range groups {
			if len(i.Notes) < mostShown {
				i.Notes = append(i.Notes, Note{Problem: problem(&groups[g], p), Guess: guess})
			}
		}
	}
}

func problem(g *rentroll.Group, of *upload.Preview) Problem {
	p := Problem{
		Line:     max(g.Line, 1),
		Lines:    g.Lines,
		Count:    g.Count,
		Column:   optional(g.Column),
		Message:  g.Message,
		Question: optional(g.Question),
		Value:    optional(g.Value),
		Choices:  []Choice{},
		Free:     g.Free(),
	}
	for _, c := range g.Choices() {
		p.Choices = append(p.Choices, Choice{Answer: c.Answer, Label: c.Label})
	}
	if strings.HasPrefix(g.Question, "address:") {
		for _, place := range of.Places {
			if len(p.Choices) < mostChoices {
				p.Choices = append(p.Choices, Choice{Answer: place, Label: place})
			}
		}
	}
	return p
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func totals(t *upload.Totals) *Totals {
	if t == nil {
		return nil
	}
	return &Totals{t.Properties, t.Joined, t.Units, t.Tenants, t.Leases, t.Balances, t.Changed, t.Skipped}
}
