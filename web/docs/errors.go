package docs

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"portal/api/fault"
	views "portal/views/docs"
	"portal/web/page"
)

// errorsAt is the error dictionary, to which answers of the API link.
const errorsAt = "/docs/errors"

// errors answers with the dictionary, or with the codes of it that match what is asked for.
func (p *Section) errors(v *page.Request) error {
	v.Response().Header().Add("Vary", "Accept")
	if prefersMarkdown(v.Request()) {
		return p.errorsMarkdown(v)
	}
	view := p.docView(v, p.rendered().at[errorsAt])
	e := p.dictionary(asked(v))
	e.Draw(&view)
	return v.Show(views.DocPage(view))
}

func (p *Section) errorsMarkdown(v *page.Request) error {
	return v.Send.Document(kindMarkdown, "/docs/errors.md", func() []byte { return []byte(p.errorsText()) })
}

func (p *Section) errorsText() string { return views.ErrorsMarkdown(p.dictionary("")) }

// dictionary is the view of the codes that match, by status.
func (p *Section) dictionary(asked string) views.Errors {
	e := views.Errors{
		URL:    p.Base() + errorsAt,
		Asked:  asked,
		Groups: groups(matching(fault.Dictionary(), asked)),
	}
	for _, t := range fault.Type("").Values() {
		about := types[fault.Type(t)]
		e.Types = append(e.Types, views.ErrorType{Type: t, Title: about.title, About: about.about})
	}
	return e
}

// matching are the entries that have every word, in any of their parts.
func matching(entries []fault.Entry, asked string) (some []fault.Entry) {
	words := strings.Fields(strings.ToLower(asked))
	for _, e := range entries {
		text := strings.ToLower(strings.Join(
			[]string{
				strconv.Itoa(e.Status),
				http.StatusText(e.Status),
				string(e.Code),
				string(e.Type),
				e.Cause,
				e.Remedy,
			},
			" ",
		))
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			some = append(some, e)
		}
	}
	return some
}

// groups gathers the entries by status, the lowest first.
func groups(entries []fault.Entry) (all []views.ErrorGroup) {
	sorted := slices.SortedStableFunc(slices.Values(entries), func(a, b fault.Entry) int { return a.Status - b.Status })
	for _, e := range sorted {
		if n := len(all); n == 0 || all[n-1].Status != e.Status {
			all = append(all, views.ErrorGroup{Status: e.Status, Phrase: http.StatusText(e.Status)})
		}
		last := &all[len(all)-1]
		last.Entries = append(last.Entries, views.ErrorEntry{
			Code:   string(e.Code),
			Type:   string(e.Type),
			Status: e.Status,
			Cause:  e.Cause,
			Remedy: e.Remedy,
		})
	}
	return all
}

// types is what each type means to a caller.
var types = map[fault.Type]struct{ title, about string }{
	fault.Validation: {
		"Invalid request",
		"The operation doesn’t accept this request. Fix it before you send it again.",
	},
	fault.Authentication: {
		"Key not accepted",
		"The request has no valid API key. Fix the header or the key, then send it again.",
	},
	fault.Permission: {
		"Not allowed",
		"The key is valid, but this needs another scope, another role, or a larger plan.",
	},
	fault.Missing: {
		"Not found",
		"There is no such path, or no such record in the portfolio of the key. Check the path, the ID, and the " +
			"mode of the key.",
	},
	fault.Conflict: {
		"Conflict",
		"The request is valid, but the record’s current status doesn’t allow it. Retrieve the record, then decide.",
	},
	fault.RateLimit: {
		"Too many requests",
		"The key sent more requests than its plan allows. Wait, then send the same request again.",
	},
	fault.Server: {
		"Our error",
		"Nothing is wrong with your request. Send it again, and wait longer after each failure.",
	},
}
