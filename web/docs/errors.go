package docs

import (
	"strings"

	"portal/api/fault"
	"portal/static"
	views "portal/views/docs"
	"portal/web/page"
)

func (p *Section) errors(v *page.Request) error {
	v.Response().Header().Add("Vary", "Accept")
	if prefersMarkdown(v.Request()) {
		return p.errorsMarkdown(v)
	}
	e := p.dictionary()
	e.Frame = v.Open("Error dictionary", "Every error code of the API with its cause and its remedy.")
	e.Styles = []string{static.URL("docs.css")}
	return v.Show(views.ErrorsPage(e))
}

func (p *Section) errorsMarkdown(v *page.Request) error {
	return v.Send.Document(kindMarkdown, "/docs/errors.md", func() []byte { return []byte(p.errorsText()) })
}

func (p *Section) errorsText() string {
	var b strings.Builder
	must(views.ErrorsMarkdown(&b, p.dictionary())) // a builder takes everything
	return b.String()
}

// dictionary is the view of every code, by type.
func (p *Section) dictionary() views.Errors {
	return views.Errors{
		URL:    p.Base() + "/docs/errors",
		Groups: groups(fault.Dictionary()),
	}
}

// groups gathers the entries by type, both in the order of the dictionary.
func groups(entries []fault.Entry) []views.ErrorGroup {
	var all []views.ErrorGroup
	at := map[fault.Type]int{}
	for _, e := range entries {
		i, ok := at[e.Type]
		if !ok {
			i = len(all)
			at[e.Type] = i
			all = append(all, ofType(e.Type))
		}
		all[i].Entries = append(all[i].Entries, entry(e))
	}
	return all
}

func ofType(t fault.Type) views.ErrorGroup {
	g := views.ErrorGroup{Type: string(t), Title: string(t)}
	if say, ok := types[t]; ok {
		g.Title, g.About = say.title, say.about
	}
	return g
}

func entry(e fault.Entry) views.ErrorEntry {
	return views.ErrorEntry{
		Code:   string(e.Code),
		Type:   string(e.Type),
		Status: e.Status,
		Cause:  e.Cause,
		Remedy: e.Remedy,
	}
}

// types is what each type means to a caller.
var types = map[fault.Type]struct{ title, about string }{
	fault.Validation: {
		"The request is not valid",
		"The request is not one that the operation takes. Change it before you send it again; unchanged, it fails alike.",
	},
	fault.Authentication: {
		"The key is not accepted",
		"The request carries no key that opens a portfolio. Fix the header or the key, then send it again.",
	},
	fault.Permission: {
		"The key may not do this",
		"The key is good, but this takes more than it has: another scope, another role or a larger plan.",
	},
	fault.Missing: {
		"Nothing is there",
		"The path leads nowhere, or no such record is in the portfolio of the key. Check both, and the mode of the key.",
	},
	fault.Conflict: {
		"The request does not fit",
		"The request is valid, but does not fit the present state. Look at that first, then decide.",
	},
	fault.RateLimit: {
		"Too many requests",
		"The key has sent more than its plan admits. Nothing is wrong with the request; it succeeds later.",
	},
	fault.Server: {
		"The fault is ours",
		"Nothing is wrong with the request. It is safe to send the same again, with growing pauses.",
	},
}
