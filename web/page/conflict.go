package page

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"portal/api/fault"
	"portal/views/kit"
)

// ConflictMessage is what is said where a record has changed since a form was made of it.
const ConflictMessage = "Someone changed this after you opened the form, so nothing was saved."

// Unchanged is what is said where a form was sent that says what the record says.
const Unchanged = "Nothing was changed: it already says this."

// What the reader does about it.
const (
	compareAdvice = "What you typed is still here, with the current values beside it. Check the highlighted fields " +
		"and save again."
	retryAdvice = "These are the current values. Check them and send the form again."
)

// Conflict reports whether a record has changed since a form of its fields was made. The form is then
// one of this version, with what was typed, and Fill shows how the record stands where the two
// differ.
func (f *Form) Conflict(err error, version string) bool {
	f.compared = f.Stale(err, version)
	return f.compared
}

// Stale is Conflict for a form whose fields are not those of the record. The advice, if there is
// any, takes the place of the usual one.
func (f *Form) Stale(err error, version string, advice ...string) bool {
	if !fault.Is(err, fault.StaleWrite) {
		return false
	}
	f.Status, f.Problem = http.StatusConflict, ConflictMessage+" "+cmp.Or(strings.Join(advice, " "), retryAdvice)
	f.Values.Set("version", version)
	return true
}

// Outdated refuses a form that does not say of which version it was made.
func (f *Form) Outdated() { f.Status, f.Problem = http.StatusConflict, staleTitle+". "+staleWords }

// compare says at each field how it stands now, where that is not what was typed. The fields hold
// the record as it is now.
func (f *Form) compare(view *kit.Form) {
	if !f.compared {
		return
	}
	for _, g := range view.Groups {
		for i := range g.Fields {
			field := &g.Fields[i]
			sent, was := f.Values[field.Name]
			if !was || f.FieldErrors[field.Name] != "" {
				continue
			}
			if now := present(field, sent); now != "" {
				f.FieldErrors[field.Name], f.Problem = now, ConflictMessage+" "+compareAdvice
			}
		}
	}
}

// present says how a field stands now, where that is not what was typed.
func present(field *kit.Field, typed []string) string {
	now := []string{field.Value}
	if len(field.Choices) > 0 {
		now = labels(field.Choices, func(c *kit.Choice) bool { return c.Chosen })
		typed = labels(field.Choices, func(c *kit.Choice) bool { return slices.Contains(typed, c.Value) })
	}
	says, said := strings.Join(now, ", "), strings.Join(typed, ", ")
	switch {
	case field.Kind == "hidden" || LineEnds(says) == LineEnds(said):
		return ""
	case says == "":
		return "It’s empty now."
	case field.Lines > 0:
		return "The text is different now."
	}
	return "It says “" + says + "” now."
}

// labels are those of some choices.
func labels(all []kit.Choice, of func(*kit.Choice) bool) (names []string) {
	for i := range all {
		if of(&all[i]) {
			names = append(names, all[i].Label)
		}
	}
	return names
}
