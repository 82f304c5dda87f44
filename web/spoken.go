package web

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

// spoken is a name of the wire as people write it: money_order is "Money order".
func spoken[S ~string](name S) string {
	if s := odd[string(name)]; s != "" {
		return s
	}
	s := lowered(name)
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// odd are names of the wire that people write otherwise.
var odd = map[string]string{"ach": "ACH", "hvac": "HVAC", "locks_security": "Locks and security", "mold_moisture": "Mold and moisture"}

// lowered is a name of the wire within a sentence.
func lowered[S ~string](name S) string { return strings.ReplaceAll(string(name), "_", " ") }

// spokenOr is a name of the wire, or "" where there is none.
func spokenOr[S ~string](name *S) string {
	if name == nil {
		return ""
	}
	return spoken(*name)
}

// date is a day as people write it.
func date(d clock.Date) string { return d.Std().Format("Jan 2, 2006") }

func dateOr(d *clock.Date) string {
	if d == nil {
		return ""
	}
	return date(*d)
}

// dollarsOr is an amount in words, or "" where there is none.
func dollarsOr(c *money.Cents) string {
	if c == nil {
		return ""
	}
	return c.Words()
}

// choices are values to choose from, the first of them none where it has a name.
func choices(values []string, chosen, none string) []views.Choice {
	var all []views.Choice
	if none != "" {
		all = append(all, views.Choice{Label: none})
	}
	for _, v := range values {
		all = append(all, views.Choice{Value: v, Label: spoken(v), Chosen: v == chosen})
	}
	return all
}

// written is a text as it was typed, nil where nothing was, in one line or in several.
func (f *form) written(name string, most int, lines bool) *string {
	text := strings.TrimSpace(strings.ReplaceAll(f.text(name), "\r\n", "\n"))
	if text == "" {
		return nil
	}
	unseen := func(r rune) bool {
		return r == unicode.ReplacementChar || unicode.IsControl(r) && (!lines || r != '\n' && r != '\t') || !lines && (r == '\u2028' || r == '\u2029')
	}
	if strings.ContainsFunc(text, unseen) {
		f.reject(name, "Write it without signs that cannot be seen.")
	}
	if n := len([]rune(text)); n > most {
		f.reject(name, "Write at most "+views.Number(float64(most))+" characters, not "+views.Number(float64(n))+".")
	}
	return &text
}

// dollars is an amount that is not negative, nil where nothing was typed.
func (f *form) dollars(name string) *money.Cents {
	c := f.amount(name)
	if c != nil && *c < 0 {
		f.reject(name, "Write an amount of 0 or more.")
	}
	return c
}

// moment is a day with a time in a zone, nil where nothing was typed.
func (f *form) moment(name string, zone *time.Location) *clock.Time {
	return parsed(f, name, "Choose a day and a time.", func(s string) (clock.Time, error) {
		t, err := time.ParseInLocation(minutes, s, zone)
		if err == nil && (t.Year() < 1971 || t.Year() > 9998) {
			err = fault.Of(fault.InvalidField)
		}
		return clock.At(t), err
	})
}

// minutes is how a browser writes a day with a time.
const minutes = "2006-01-02T15:04"

// version is which one of a record the form was made of, nil where it does not say. What is
// no number is a version that no record has.
func (f *form) version() *int64 {
	s := f.text("version")
	if s == "" {
		return nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		n = -1
	}
	return &n
}

// stale tells whether a record has changed since the form was made of it. The form is then
// one of the record as it is now, with what was typed.
func (f *form) stale(err error, version string) bool {
	if !fault.Is(err, fault.StaleWrite) {
		return false
	}
	f.refused(err)
	f.what = "Somebody has changed this since you opened the form, so nothing was done. Look at how it stands now, then send the form again."
	f.values.Set("version", version)
	return true
}

// overtaken is stale for the fields of a record: beside what was typed stands what it says
// now.
func (f *form) overtaken(err error, version string) bool {
	if !f.stale(err, version) {
		return false
	}
	f.over, f.what = true, "Somebody has changed this since you opened the form, so nothing was saved. What you typed is still here, and beside it how it stands now. Mend it, then send it again."
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
	case field.Kind == "hidden" || lineEnds(says) == lineEnds(said):
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

// plain rewrites what a rule refused for who fills in a form: field names in words.
func (f *form) plain() {
	for name, what := range f.wrong {
		f.wrong[name] = sentence(strings.TrimPrefix(what, name+" "))
	}
	f.what = sentence(f.what)
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

// altered is a field that is never empty, given where another value was typed.
func altered[T comparable](f *form, name string, typed *T, was T) change.Field[T] {
	if typed == nil {
		f.reject(name, "Fill this in.")
		return change.Field[T]{}
	}
	if *typed == was {
		return change.Field[T]{}
	}
	return change.To(*typed)
}

// freed is a field that may be empty, given where another value was typed.
func freed[T comparable](typed, was *T) change.Field[*T] {
	if typed == was || typed != nil && was != nil && *typed == *was {
		return change.Field[*T]{}
	}
	return change.To(typed)
}

// oneOf is a choice of a form, nil for what is none.
func oneOf[S ~string](f *form, name string, values []string) *S {
	s := f.text(name)
	if !slices.Contains(values, s) {
		if s != "" {
			f.reject(name, "Choose one of these.")
		}
		return nil
	}
	return new(S(s))
}

// noted are the warnings of a write behind what was done, in one text.
func noted(done string, warnings []change.Warning) (views.Tone, string) {
	said, tone := []string{done}, views.Done
	for _, w := range warnings {
		said, tone = append(said, sentence(w.Message)), views.Warned
	}
	return tone, strings.Join(said, " ")
}

// unitName is a unit within an address: a number, or a name of its own.
func unitName(number string) string {
	if len(number) < 5 {
		return "Unit " + number
	}
	return number
}

// called is the name of an id, or the id.
func called(names map[string]string, id string) string { return cmp.Or(names[id], id) }

// pathTo is the page of a record in the mode of this one, "" where there is none.
func (v *visit) pathTo(kind string, id *string) string {
	if id == nil || *id == "" || !v.shell.served("/{mode}/"+kind+"/:id") {
		return ""
	}
	return v.in("/" + kind + "/" + *id)
}
