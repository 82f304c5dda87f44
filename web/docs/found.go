package docs

import (
	"encoding/json"
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"portal/api/compress"
	"portal/api/fault"
	"portal/api/portfolio/lease/law"
	"portal/api/webhook"
	views "portal/views/docs"
	"portal/views/kit"
	"portal/web/docs/search"
	"portal/web/page"
)

// What a search of the documentation shows.
const (
	searchAt  = "/docs/search"
	mostFound = 30  // on the page
	mostNamed = 8   // for programs
	mostAsked = 200 // bytes of a query
)

// What can be found, in words.
const (
	kindGuide     = "Guide"
	kindReference = "Reference"
	kindOperation = "Operation"
	kindField     = "Field"
	kindError     = "Error code"
	kindEvent     = "Event"
	kindState     = "Lease rules"
)

// How much a find counts beside others. There are 51 states, whose sections are alike.
const (
	ofGuide     = 1.3
	ofState     = .3
	ofError     = .7
	ofField     = .6
	ofChangelog = .4
)

// search answers with what was found in the documentation.
func (p *Section) search(v *page.Request) error {
	asked := asked(v)
	found := p.index().Find(asked, mostFound)
	view := views.Search{
		Doc:   p.frame(v, "Search the docs"),
		Asked: asked,
		Total: found.Total,
	}
	for _, r := range found.Results {
		view.Results = append(view.Results, views.Found{
			Title:   parts(r.Marked),
			Page:    r.Page,
			Kind:    r.Kind,
			Path:    r.Path,
			Snippet: parts(r.Snippet),
		})
	}
	return v.Show(views.SearchPage(view))
}

// Places are at most so many pages that have the words of a query, the best first. Each leads to the
// part of it that fits best.
func (p *Section) Places(words string, most int) (all []kit.PaletteItem) {
	seen := map[string]bool{}
	for _, r := range p.index().Find(words, mostFound).Results {
		at, _, _ := strings.Cut(r.Path, "#")
		if at == "/docs/errors" { // whose parts are codes, and no two of them about the same
			at = r.Path
		}
		if seen[at] || len(all) == most {
			continue
		}
		seen[at] = true
		all = append(all, kit.PaletteItem{Icon: "book-open", Name: r.Title, Note: noteOn(r.Entry), Path: r.Path})
	}
	return all
}

// noteOn is what a find is: a part of a page, the request of an operation, or its kind.
func noteOn(e *search.Entry) string {
	names := strings.Fields(e.Names)
	switch {
	case e.Page != "":
		return e.Page
	case e.Kind == kindOperation && len(names) > 2:
		return names[1] + " " + names[2] // behind its id
	}
	return e.Kind
}

func parts(all []search.Part) (found []views.FoundPart) {
	for _, p := range all {
		found = append(found, views.FoundPart(p))
	}
	return found
}

// foundEntry is a find for programs, such as the search of the pages.
type foundEntry struct {
	Title   string `json:"title"`
	Page    string `json:"page"`
	Kind    string `json:"kind"`
	Path    string `json:"path"`
	Snippet string `json:"snippet"`
}

// searchJSON is search for programs. It is public, and has nothing of who asks.
func (p *Section) searchJSON(v *page.Request) error {
	body := struct {
		Query   string       `json:"query"`
		Results []foundEntry `json:"results"`
	}{asked(v), []foundEntry{}}
	for _, r := range p.index().Find(body.Query, mostNamed).Results {
		body.Results = append(body.Results, foundEntry{r.Title, r.Page, r.Kind, r.Path, search.Plain(r.Snippet)})
	}
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	h := v.Response().Header()
	h.Set("Cache-Control", "public, max-age=60")
	encoding := compress.Negotiate(h, v.Request().Header["Accept-Encoding"], len(text), compress.Gzip)
	if encoding != "" {
		text = compress.Fast(text)
	}
	return v.Send.Body("application/json", text)
}

// asked is what is looked for, as it may be shown: no longer than a search heeds, without control
// characters.
func asked(v *page.Request) string {
	q := v.QueryParam("q")
	if len(q) > mostAsked {
		q = q[:mostAsked]
	}
	q = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(q, " "))
	return strings.TrimSpace(q)
}

// also is what people call a page, or a section of the rules of a state, whose title has other words.
var also = map[string]string{
	"/docs/authentication":            "api key bearer token unauthorized 401 scopes",
	"/docs/limits":                    "rate limit throttling quota 429 plans",
	"/docs/idempotency":               "idempotency-key retry safely",
	"/docs/previews":                  "dry run dry-run",
	"/docs/pagination":                "list has_more next_cursor limit filter sort",
	"/docs/lease-rules":               "security deposit late fee entry notice eviction state law",
	"/docs/verify":                    "pdf signature seal",
	"/docs/webhooks":                  "webhook events deliveries retry retries",
	"/docs/events":                    "webhook event types payload trigger test event",
	"/docs/webhooks/verify":           "webhook signature secret hmac verify",
	"/docs/webhooks/listen":           "webhook localhost tunnel command line cli",
	"/docs/assistants":                "mcp model context protocol ai agent tools",
	"/docs/compatibility":             "version versioning deprecation breaking changes",
	"/docs/api":                       "rest endpoints operations openapi",
	"/docs/api/leases/generate_lease": "create a lease",
	"Deposit":                         "security deposit",
	"Notice":                          "entry notice eviction pay or quit",
}

// finds are all that can be found.
func (p *Section) finds() []search.Entry {
	rendered, facts := p.rendered(), p.figures()
	var all []search.Entry
	for _, g := range rendered.groups {
		for _, b := range g.Pages {
			if b.Address == catalogAt { // its sections are found as events
				all = append(all, sections(b, kindOf(b), weightOf(b))[0])
				continue
			}
			ofOperation := strings.Count(b.Address, "/") == 4
			if b.Address != "/docs" && b.Address != "/docs/errors" && !ofOperation {
				all = append(all, sections(b, kindOf(b), weightOf(b))...)
			}
		}
	}
	for _, b := range rendered.earlier {
		all = append(all, sections(b, kindOf(b), weightOf(b))...)
	}
	for _, a := range facts.api.resources {
		for _, op := range a.Operations {
			all = append(all, facts.api.findOperation(op))
		}
		all = append(all, facts.api.findFields(a, rendered.at[a.Address()])...)
	}
	for _, e := range fault.Dictionary() {
		all = append(all, search.Entry{
			Title:  string(e.Code),
			Kind:   kindError,
			Path:   "/docs/errors#" + string(e.Code),
			Names:  strconv.Itoa(e.Status) + " " + string(e.Type),
			Body:   e.Cause + " " + e.Remedy,
			Weight: ofError,
		})
	}
	for _, k := range webhook.Kinds() {
		all = append(all, search.Entry{
			Title: k.Type,
			Kind:  kindEvent,
			Path:  catalogAt + "#" + eventID(k.Type),
			Names: k.Summary,
			Body:  k.Description,
		})
	}
	for _, r := range law.All() {
		of := sections(rendered.at[stateAt(r)], kindState, ofState)
		of[0].Names = string(r.State)
		all = append(all, of...)
	}
	return all
}

func kindOf(b *bound) string {
	if strings.HasPrefix(b.Address, "/docs/api") {
		return kindReference
	}
	return kindGuide
}

func weightOf(b *bound) float64 {
	if strings.HasPrefix(b.Address, changelogAt) {
		return ofChangelog
	}
	switch b.Address {
	case "/docs/api": // has of each resource what its page has
		return ofField
	}
	return ofGuide
}

// sections are a page and its sections.
func sections(b *bound, kind string, weight float64) []search.Entry {
	intro, code := textOfHTML(b.page.Intro)
	all := []search.Entry{{
		Title:  b.page.Title,
		Kind:   kind,
		Path:   b.Address,
		Names:  b.Name,
		Also:   also[b.Address],
		Body:   intro,
		Code:   code,
		Weight: weight,
	}}
	for _, r := range b.page.Rows {
		if r.Title == "Sources" { // addresses of other sites
			continue
		}
		body, code := textOfHTML(r.HTML)
		all = append(all, search.Entry{
			Title:  r.Title,
			Page:   b.page.Title,
			Kind:   kind,
			Path:   b.Address + "#" + r.ID,
			Also:   also[r.Title],
			Body:   body,
			Code:   code,
			Weight: weight,
		})
	}
	return all
}

// findOperation is an operation with the names of what it takes.
func (r *reference) findOperation(op *apiEntry) search.Entry {
	names := []string{op.OperationID, op.Method, op.Short(), op.Scope}
	body := []string{op.About}
	for _, parameter := range op.Parameters {
		if parameter.In != "header" { // most operations take the same ones
			names = append(names, parameter.Name)
		}
	}
	if op.RequestBody != nil {
		for _, f := range r.schema(op.RequestBody.of().Schema).Properties {
			body = append(body, f.Name+".")
		}
	}
	return search.Entry{
		Title: op.Summary,
		Kind:  kindOperation,
		Path:  op.Address(),
		Also:  also[op.Address()],
		Names: strings.Join(names, " "),
		Body:  strings.Join(body, " "),
	}
}

// findFields are the fields of the record of a resource.
func (r *reference) findFields(a *apiResource, b *bound) (all []search.Entry) {
	for _, op := range a.Operations {
		record := r.record(op)
		if record == nil {
			continue
		}
		for _, f := range record.Properties {
			about := f.Value.Description
			if about == "" {
				own, _ := r.one(f.Value)
				about = own.Description
			}
			all = append(all, search.Entry{
				Title:  f.Name,
				Page:   a.Name,
				Kind:   kindField,
				Path:   b.Address + partNamed(b, "The record"),
				Body:   about,
				Weight: ofField,
			})
		}
		return all
	}
	return nil
}

// partNamed is the fragment of a section of a page, "" where it has none of that title.
func partNamed(b *bound, title string) string {
	for _, r := range b.page.Rows {
		if r.Title == title {
			return "#" + r.ID
		}
	}
	return ""
}

var (
	samples   = regexp.MustCompile(`(?s)<pre\b.*?</pre>`)
	controls  = regexp.MustCompile(`(?s)<(?:button|figcaption|label)\b.*?</(?:button|figcaption|label)>`)
	inline    = regexp.MustCompile(`</?(?:a|abbr|b|code|em|i|span|strong|wbr)\b[^>]*>`)
	anyTag    = regexp.MustCompile(`<[^>]*>`)
	anySpaces = regexp.MustCompile(`\s+`)
)

// textOfHTML is the text of a part of a page without what can be clicked, and apart from it its samples.
func textOfHTML(part string) (text, code string) {
	code = strings.Join(samples.FindAllString(part, -1), " ")
	part = controls.ReplaceAllString(samples.ReplaceAllString(part, " "), " ")
	return untagged(part), untagged(code)
}

func untagged(part string) string {
	part = anyTag.ReplaceAllString(inline.ReplaceAllString(part, ""), " ")
	return strings.TrimSpace(anySpaces.ReplaceAllString(html.UnescapeString(part), " "))
}
