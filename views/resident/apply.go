// Package resident draws the pages for people with a link and no account.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package resident

import "portal/views/kit"

// Apply is the form of an application.
type Apply struct {
	kit.GuestHeader
	Address string
	Facts   []kit.Fact
	Until   string // last day of the link, in words
	Action  string // where the form goes
	Groups  []kit.FieldGroup
	Trouble string // why nothing was sent although nothing is wrong with the form, "" for none
}

func (a Apply) fieldErrors() []kit.Field { return kit.FieldErrors(a.Groups) }

// form is what is wrong with the application.
func (a Apply) form() kit.Form {
	f := kit.Form{
		Groups:  a.Groups,
		Trouble: a.Trouble,
		Failed:  a.Say("Nothing was saved yet", "Aún no se guardó nada"),
	}
	if a.Trouble != "" {
		f.Failed = a.Say("Nothing was saved: something failed on our side",
			"No se guardó nada: algo falló de nuestro lado")
	}
	return f
}
