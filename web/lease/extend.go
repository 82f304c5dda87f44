package lease

import (
	"net/http"

	"portal/api/change"
	"portal/api/portfolio"
	"portal/views/kit"
	"portal/web/page"
)

// extend gives the parties of a lease more time to sign.
func (p *leasePages) extend(v *page.Request, l *portfolio.Lease) error {
	at := v.In("/leases/" + l.ID)
	if v.Request().Method != http.MethodPost && !l.Open() && !l.Revivable() {
		return v.RefuseAt(at, "The time to sign a lease that’s "+page.Lowercase(l.Status)+" can’t be extended.")
	}
	words := []string{
		l.RentalAddress + ", " + page.TermOf(l) + ".",
		"Everyone who has yet to sign gets an email with the new last day. Their links stay the same.",
	}
	if l.Revivable() {
		words = append(
			words,
			"The lease is out for signature again, and the links work again. Signatures so far count.",
		)
	}
	form := changeForm("Extend", 1,
		kit.Field{Name: "expires_in_days", Label: "Days to sign", Value: "14", Hint: "From today, 1 to 90."})
	return page.Question{
		Title:  "Extend the time to sign?",
		Words:  words,
		Form:   form,
		Back:   at,
		Record: &l.Record,
		Do: func(f *page.Form, t change.Target) error {
			missing := map[string]string{"expires_in_days": "Enter the number of days."}
			u := bindChange(v, f, missing, "expires_in_days")
			if f.Rejected() {
				return nil
			}
			made, err := p.Portfolio.Leases.UpdateLease(v.Ctx(), v.Actor(), t, u)
			if err != nil {
				return err
			}
			return v.Warned(at, "The time to sign is extended.", made.Warnings)
		},
	}.Serve(v)
}
