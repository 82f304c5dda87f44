package developer

import (
	"strconv"
	"time"

	"portal/api/developer"
	"portal/views/kit"
	"portal/web/page"
)

// overlaps are when the old key may end, in the words of the form.
var overlaps = []string{"At once", "In an hour", "In 24 hours", "In 7 days"}

func (p *keyPages) askRoll(v *page.Request) error { return p.rollForm(v, v.Blank(nil)) }

func (p *keyPages) rollForm(v *page.Request, f *page.Form) error {
	k, err := p.Developer.KeyOf(v.Ctx(), v.Member(), v.Param("id"))
	if err != nil {
		return err
	}
	field := kit.Field{Name: "ends", Label: "The old key ends", Kind: "radios"}
	for i, words := range overlaps {
		field.Choices = append(field.Choices, kit.Choice{Value: strconv.Itoa(i), Label: words, Chosen: i == 2})
	}
	words := []string{
		"You get a new key with the same name, mode, and scopes. It’s shown once. Both keys work until the old one ends.",
	}
	if k.ExpiresAt != nil {
		words = append(words, "The new key lasts as long as the old one was set to last.")
	}
	return v.ShowAs(f.Status, kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame("Roll key"),
		Title: "Roll “" + k.Name + "”?",
		Words: words,
		Form: f.Fill(kit.Form{
			Action: "/keys/" + k.ID + "/roll",
			Submit: "Roll key",
			Cancel: "/keys/" + k.ID,
			Groups: []kit.FieldGroup{{Fields: []kit.Field{field}}},
		}),
	}))
}

func (p *keyPages) rollKey(v *page.Request) error {
	f := v.Form()
	i, err := strconv.Atoi(f.Text("ends"))
	if err != nil || i < 0 || i >= len(developer.Overlaps) {
		f.Reject("ends", "Choose when the old key ends.")
		return p.rollForm(v, f)
	}
	k, err := p.Developer.RollKey(v.Ctx(), v.Member(), v.Param("id"), developer.Overlaps[i])
	if err != nil {
		return f.Again(v, err, p.rollForm)
	}
	return p.showKey(v, &k, ended(developer.Overlaps[i]))
}

// ended says what becomes of the key that was rolled.
func ended(after time.Duration) string {
	switch {
	case after == 0:
		return "The old key has ended. Requests with it are refused."
	case after < 48*time.Hour:
		return "The old key works for " + page.Counted(int(after/time.Hour), "more hour") +
			", unless it expires before then. Replace it with the new one."
	}
	return "The old key works for " + page.Counted(int(after/(24*time.Hour)), "more day") +
		", unless it expires before then. Replace it with the new one."
}
