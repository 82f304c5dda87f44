package page

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/views"
)

// Label is a name of the wire as people write it: money_order is "Money order".
func Label[S ~string](name S) string {
	if s := odd[string(name)]; s != "" {
		return s
	}
	s := Lowercase(name)
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// odd are names of the wire that people write otherwise.
var odd = map[string]string{"ach": "ACH", "hvac": "HVAC", "locks_security": "Locks and security", "mold_moisture": "Mold and moisture"}

// Lowercase is a name of the wire within a sentence.
func Lowercase[S ~string](name S) string { return strings.ReplaceAll(string(name), "_", " ") }

// LabelOr is a name of the wire, or "" where there is none.
func LabelOr[S ~string](name *S) string {
	if name == nil {
		return ""
	}
	return Label(*name)
}

// Date is a day as people write it.
func Date(d clock.Date) string { return d.Std().Format("Jan 2, 2006") }

// DateOr is a day as people write it, "" for none.
func DateOr(d *clock.Date) string {
	if d == nil {
		return ""
	}
	return Date(*d)
}

// DollarsOr is an amount in words, or "" where there is none.
func DollarsOr(c *money.Cents) string {
	if c == nil {
		return ""
	}
	return c.Words()
}

// Choices are values to choose from, the first of them none where it has a name.
func Choices(values []string, chosen, none string) []views.Choice {
	var all []views.Choice
	if none != "" {
		all = append(all, views.Choice{Label: none})
	}
	for _, v := range values {
		all = append(all, views.Choice{Value: v, Label: Label(v), Chosen: v == chosen})
	}
	return all
}

// OptionalText is a text as it was typed, nil where nothing was, in one line or in several.
func (f *Form) OptionalText(name string, most int, lines bool) *string {
	text := strings.TrimSpace(strings.ReplaceAll(f.Text(name), "\r\n", "\n"))
	if text == "" {
		return nil
	}
	unseen := func(r rune) bool {
		return r == unicode.ReplacementChar || unicode.IsControl(r) && (!lines || r != '\n' && r != '\t') || !lines && (r == '\u2028' || r == '\u2029')
	}
	if strings.ContainsFunc(text, unseen) {
		f.Reject(name, "Remove invisible characters.")
	}
	if n := len([]rune(text)); n > most {
		f.Reject(name, "Write at most "+views.Number(float64(most))+" characters, not "+views.Number(float64(n))+".")
	}
	return &text
}

// Dollars is an amount that is not negative, nil where nothing was typed.
func (f *Form) Dollars(name string) *money.Cents {
	c := f.Amount(name)
	if c != nil && *c < 0 {
		f.Reject(name, "Write an amount of 0 or more.")
	}
	return c
}

// Moment is a day with a time in a zone, nil where nothing was typed.
func (f *Form) Moment(name string, zone *time.Location) *clock.Time {
	return Parsed(f, name, "Choose a day and a time.", func(s string) (clock.Time, error) {
		t, err := time.ParseInLocation(Minutes, s, zone)
		if err == nil && (t.Year() < 1971 || t.Year() > 9998) {
			err = fault.Of(fault.InvalidField)
		}
		return clock.At(t), err
	})
}

// Minutes is how a browser writes a day with a time.
const Minutes = "2006-01-02T15:04"

// Version is which one of a record the form was made of, nil where it does not say. What is
// no number is a version that no record has.
func (f *Form) Version() *int64 {
	s := f.Text("version")
	if s == "" {
		return nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		n = -1
	}
	return &n
}

// Stale tells whether a record has changed since the form was made of it. The form is then
// one of the record as it is now, with what was typed.
func (f *Form) Stale(err error, version string) bool {
	if !fault.Is(err, fault.StaleWrite) {
		return false
	}
	f.Refused(err)
	f.Problem = "Somebody has changed this since you opened the form, so nothing was saved. Look at how it stands now, then send the form again."
	f.Values.Set("version", version)
	return true
}

// Conflict is stale for the fields of a record: beside what was typed stands what it says
// now.
func (f *Form) Conflict(err error, version string) bool {
	if !f.Stale(err, version) {
		return false
	}
	f.over, f.Problem = true, "Somebody has changed this since you opened the form, so nothing was saved. What you typed is still here, with the current values beside it. Fix the highlighted fields and save again."
	return true
}

// present says how a field stands now, where that is not what was typed.
func present(field *views.Field, typed []string) string {
	now := []string{field.Value}
	if len(field.Choices) > 0 {
		now, typed = labels(field.Choices, func(c *views.Choice) bool { return c.Chosen }), labels(field.Choices, func(c *views.Choice) bool { return slices.Contains(typed, c.Value) })
	}
	says, said := strings.Join(now, ", "), strings.Join(typed, ", ")
	switch {
	case field.Kind == "hidden" || LineEnds(says) == LineEnds(said):
		return ""
	case says == "":
		return "It is empty now."
	case field.Lines > 0:
		return "There is another text now."
	}
	return "It says “" + says + "” now."
}

// labels are those of some choices.
func labels(all []views.Choice, of func(*views.Choice) bool) (names []string) {
	for i := range all {
		if of(&all[i]) {
			names = append(names, all[i].Label)
		}
	}
	return names
}

// Plain rewrites what a rule refused for who fills in a form: field names in words.
func (f *Form) Plain() {
	for name, what := range f.FieldErrors {
		f.FieldErrors[name] = sentence(strings.TrimPrefix(what, name+" "))
	}
	f.Problem = sentence(f.Problem)
}

// coded are names of the wire within a sentence.
var coded = regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b`)

func sentence(s string) string {
	s = coded.ReplaceAllStringFunc(s, func(name string) string { return strings.ReplaceAll(name, "_", " ") })
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// Changed is a field that is never empty, given where another value was typed.
func Changed[T comparable](f *Form, name string, typed *T, was T) change.Field[T] {
	if typed == nil {
		f.Reject(name, "Fill this in.")
		return change.Field[T]{}
	}
	if *typed == was {
		return change.Field[T]{}
	}
	return change.To(*typed)
}

// Cleared is a field that may be empty, given where another value was typed.
func Cleared[T comparable](typed, was *T) change.Field[*T] {
	if typed == was || typed != nil && was != nil && *typed == *was {
		return change.Field[*T]{}
	}
	return change.To(typed)
}

// OneOf is a choice of a form, nil for what is none.
func OneOf[S ~string](f *Form, name string, values []string) *S {
	s := f.Text(name)
	if !slices.Contains(values, s) {
		if s != "" {
			f.Reject(name, "Choose one of these.")
		}
		return nil
	}
	return new(S(s))
}

// Noted are the warnings of a write behind what was done, in one text.
func Noted(done string, warnings []change.Warning) (views.Tone, string) {
	said, tone := []string{done}, views.Done
	for _, w := range warnings {
		said, tone = append(said, sentence(w.Message)), views.Warned
	}
	return tone, strings.Join(said, " ")
}

// UnitName is a unit within an address: a number, or a name of its own.
func UnitName(number string) string {
	if len(number) < 5 {
		return "Unit " + number
	}
	return number
}

// Called is the name of an id, or the id.
func Called(names map[string]string, id string) string { return cmp.Or(names[id], id) }

// PathTo is the page of a record in the mode of this one, "" where there is none.
func (v *Request) PathTo(kind string, id *string) string {
	if id == nil || *id == "" || !v.Shell.Served("/{mode}/"+kind+"/:id") {
		return ""
	}
	return v.In("/" + kind + "/" + *id)
}
