package property

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/property/verification"
	"portal/views/kit"
	"portal/web/page"
)

// confirmAction is a question about a property, and what is done once it is answered.
type confirmAction struct {
	path, title, submit, said string
	words                     []string
	fields                    []kit.Field
	do                        func(
		ctx context.Context, by access.Actor, t change.Target,
	) (*change.Result[portfolio.Property], error)
}

func (p *propertyPages) archive(v *page.Request) error {
	return p.ask(v, confirmAction{
		path:   "archive",
		title:  "Archive the property?",
		submit: "Archive property",
		said:   "The property is archived.",
		do:     p.Portfolio.Properties.ArchiveProperty,
		words: []string{
			"It leaves your lists, and its units stop counting toward your plan’s limit. You can still read it here and over the API, with its leases, tickets, and payments.",
			"You can’t archive a property that has an active lease or one out for signature. You can restore it at any time.",
		},
	})
}

func (p *propertyPages) restore(v *page.Request) error {
	return p.ask(v, confirmAction{
		path:   "restore",
		title:  "Restore the property?",
		submit: "Restore property",
		said:   "The property is restored.",
		do:     p.Portfolio.Properties.RestoreProperty,
		words:  []string{"It’s in use again, and its units count toward your plan’s limit of live units."},
	})
}

func (p *propertyPages) verify(v *page.Request) error {
	q := confirmAction{
		path:   "verify",
		title:  "Verify the property?",
		submit: "Verify property",
		said:   "The property is verified.",
		words: []string{
			"In live mode our staff check that you own or manage the property. The demo portfolio isn’t real, so here it’s verified immediately.",
		},
		do: func(ctx context.Context, by access.Actor, t change.Target) (*change.Result[portfolio.Property], error) {
			return p.Verifications.AskVerification(ctx, by, t, page.Lines(v.Form(), "note"))
		},
	}
	if v.Mode() == access.Live {
		q.title = "Have the property verified?"
		q.submit = "Ask for verification"
		q.said = "Verification requested. This page shows the result."
		q.words = []string{
			"Our staff check that you own or manage the property. Until then its ownership is In review.",
		}
		length := fault.Between("", new(verification.ShortestNote), new(verification.LongestNote))
		q.fields = []kit.Field{{
			Name:  "note",
			Label: "What shows it",
			Lines: 5,
			Hint: "Where the deed is recorded and in whose name, or who the management agreement is with. " + length +
				" characters. Only our staff read it.",
		}}
	}
	return p.ask(v, q)
}

// ask asks about the property of the address, and does what was asked about.
func (p *propertyPages) ask(v *page.Request, q confirmAction) error {
	x, err := p.thisProperty(v)
	if err != nil {
		return err
	}
	at := v.In("/properties/" + x.ID)
	return page.Question{
		Title: q.title,
		Words: append([]string{page.Street(x) + ", " + page.Town(x) + "."}, q.words...),
		Form: kit.Form{
			Action: at + "/" + q.path, Submit: q.submit, Groups: []kit.FieldGroup{{Fields: q.fields}},
		},
		Back: at, Record: &x.Record,
		Do: func(_ *page.Form, t change.Target) error {
			made, err := q.do(v.Ctx(), v.Actor(), t)
			if err != nil {
				return err
			}
			return page.Saved(v, at, q.said, made)
		},
	}.Serve(v)
}
