package docs

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	views "portal/views/docs"
	"portal/views/kit"
	"portal/web/page"
	"portal/web/payload"
)

// tried is the operation that a page tries, with the reader's key; nil where there is
// none yet.
func (p *Section) tried(v *page.Request) (*bound, *docKey, error) {
	d := p.rendered().at[strings.TrimSuffix(v.Request().URL.Path, "/try")]
	if d == nil || d.operation == nil || p.API == nil || !p.offersKeys() {
		return nil, nil, page.NotFound
	}
	k, err := p.docKey(v)
	return d, k, err
}

func (p *Section) askTry(v *page.Request) error {
	d, k, err := p.tried(v)
	if err != nil {
		return err
	}
	return p.showTrial(v, d, k, page.Blank(url.Values{}), nil)
}

// try sends the request of the form with the reader's test key, as a program would send
// it: it is checked, limited and logged alike.
func (p *Section) try(v *page.Request) error {
	d, k, err := p.tried(v)
	if err != nil {
		return err
	}
	f := v.Form()
	if k == nil {
		return p.showTrial(v, d, nil, f, nil)
	}
	r, err := d.operation.requestOf(f, p.Base())
	if err != nil {
		return err
	}
	if f.Rejected() {
		return p.showTrial(v, d, k, f, nil)
	}
	r.Header.Set("Authorization", "Bearer "+k.whole)
	r.Header.Set("User-Agent", "portal-docs")
	r.RemoteAddr = net.JoinHostPort(v.RealIP(), "0")
	said := &replied{header: http.Header{}}
	p.API.ServeHTTP(said, r.WithContext(v.Ctx()))
	body, hidden := said.body.String(), false
	if !v.Fresh() {
		body, hidden = d.operation.masked(body)
	}
	heard := p.heard(r, said, body)
	if hidden {
		heard.Hidden = confirmFor(d.Address + "/try")
	}
	return p.showTrial(v, d, k, f, heard)
}

// requestOf is the request of a form, of the operation's own method and path whatever
// stands in the form.
func (o *apiEntry) requestOf(f *page.Form, base string) (*http.Request, error) {
	path, query, header := o.Path, url.Values{}, http.Header{}
	for _, parameter := range o.Parameters {
		name := fieldName(parameter)
		value := f.Text(name)
		switch {
		case parameter.In == "path":
			if value == "" || strings.ContainsAny(value, `/\%?#`) || strings.Trim(value, ".") == "" {
				f.Reject(name, "Enter the ID of a record.")
				continue
			}
			path = strings.ReplaceAll(path, "{"+parameter.Name+"}", url.PathEscape(value))
		case value == "":
		case parameter.In == "query":
			query.Set(parameter.Name, value)
		default:
			header.Set(parameter.Name, value)
		}
	}
	if f.Rejected() {
		return nil, nil //nolint:nilnil // the form says what is wrong
	}
	at := base + path
	if len(query) > 0 {
		at += "?" + query.Encode()
	}
	body := ""
	if o.RequestBody != nil {
		body = f.Raw("body")
		header.Set("Content-Type", jsonType)
	}
	r, err := http.NewRequest(o.Method, at, strings.NewReader(body)) //nolint:noctx // it gets the reader's
	if err != nil {
		return nil, err
	}
	r.Header = header
	return r, nil
}

// fieldName is that of a parameter in the form, which has a field called body too.
func fieldName(p *apiParameter) string { return p.In + "." + p.Name }

// replied takes what a handler answers.
type replied struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header is http.ResponseWriter.
func (a *replied) Header() http.Header { return a.header }

// WriteHeader is http.ResponseWriter.
func (a *replied) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write is http.ResponseWriter.
func (a *replied) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}

// mostHeard is how much of an answer a page shows.
const mostHeard = 8 << 10

// heard is the view of an answer with a body that the reader may see.
func (p *Section) heard(r *http.Request, a *replied, body string) *views.TryItResponse {
	h := &views.TryItResponse{
		Request: r.Method + " " + r.URL.RequestURI(),
		Status:  a.status,
		Phrase:  http.StatusText(a.status),
		Headers: page.HeaderLines(a.header),
		ID:      a.header.Get("X-Request-Id"),
	}
	if p.Served("/{mode}/logs") && h.ID != "" {
		h.Log = "/test/logs/" + h.ID
	}
	h.Body = payload.View(body)
	h.Body.Exact = ""
	if len(h.Body.Text) > mostHeard {
		h.Body.Note = fmt.Sprintf("The first %d KB of %d. A program gets all of it.", mostHeard>>10,
			len(h.Body.Text)>>10)
		h.Body.Text = strings.ToValidUTF8(h.Body.Text[:mostHeard], "")
	}
	return h
}

// showTrial shows the form of a request, with what was answered to it.
func (p *Section) showTrial(v *page.Request, d *bound, k *docKey, f *page.Form, heard *views.TryItResponse) error {
	view := p.docView(v, d)
	op := d.operation
	view.Title, view.About, view.Try = "Try: "+op.Summary, "", d.Address
	view.Frame.Title, view.Markdown = view.Title, ""
	box, err := p.keyBox(v, k, d.Address+"/try")
	if err != nil {
		return err
	}
	if k != nil {
		box.Words = "The request carries your test key “" + k.Name + "” (" + k.KeyPrefix +
			"…), which works until " + v.Time(*k.ExpiresAt).Text + "."
		box.Next = kit.Link{} // the key is not shown here
	}
	view.Key = box
	t := views.TryIt{Doc: view, Ready: k != nil, Response: heard}
	if k != nil {
		own, err := p.ownExamples(v, op.examples())
		if err != nil {
			return err
		}
		t.Form = f.Fill(kit.Form{Action: d.Address + "/try#answer", Submit: "Send the request", Groups: op.fields(own)})
		if v.Request().Method == http.MethodPost && heard == nil {
			t.Form.Anchor = "answer"
		}
	}
	return v.ShowAs(f.Status, views.TryItPage(t))
}

// examples is what the operation's examples say, for the ids in it.
func (o *apiEntry) examples() string {
	var b strings.Builder
	for _, p := range o.Parameters {
		if p.In == "path" {
			fmt.Fprintln(&b, p.Example)
		}
	}
	if o.RequestBody != nil {
		b.Write(o.RequestBody.Content[jsonType].Example)
	}
	return b.String()
}

// fields are those of the form on which the operation is tried, with examples in which
// the reader's own records stand.
func (o *apiEntry) fields(own *strings.Replacer) (all []kit.FieldGroup) {
	add := func(in, title string) {
		g := kit.FieldGroup{Title: title}
		for _, p := range o.Parameters {
			if p.In == in {
				g.Fields = append(g.Fields, p.field(own))
			}
		}
		if g.Fields != nil {
			all = append(all, g)
		}
	}
	add("path", "In the path")
	add("query", "In the query")
	if o.RequestBody != nil {
		text := own.Replace(pretty(o.RequestBody.Content[jsonType].Example))
		all = append(all, kit.FieldGroup{
			Title: "Body",
			Fields: []kit.Field{{
				Name:     "body",
				Label:    "JSON",
				Value:    text,
				Lines:    strings.Count(text, "\n") + 3,
				Code:     true,
				Complete: "off",
			}},
		})
	}
	add("header", "Headers")
	return all
}

func (p *apiParameter) field(own *strings.Replacer) kit.Field {
	f := kit.Field{
		Name:     fieldName(p),
		Label:    p.Name,
		Optional: !p.Required,
		Code:     true,
		Complete: "off",
	}
	switch {
	case p.In == "path":
		f.Value = own.Replace(fmt.Sprint(p.Example))
	case p.Name == "limit":
		f.Value = "2"
	case len(p.Schema.Enum) > 0:
		f.Kind, f.Code = "select", false
		f.Choices = []kit.Choice{{Label: "–"}}
		for _, e := range p.Schema.Enum {
			f.Choices = append(f.Choices, kit.Choice{Value: fmt.Sprint(e), Label: fmt.Sprint(e)})
		}
	}
	return f
}
