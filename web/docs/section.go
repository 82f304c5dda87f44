// Package docs is the documentation on the site: its pages, the reference of the API, trying an
// operation, and the same texts for programs.
//
// It knows no other section and no SQL.
package docs

import (
	"net/http"
	"sync"

	"portal/api/agreement"
	"portal/api/developer"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/api/webhook"
	"portal/web/docs/search"
	"portal/web/page"
)

// Config is what the documentation is made of.
type Config struct {
	OpenAPI   func() []byte      // the document of the API, nil: there is no reference
	API       http.Handler       // serves the API, for people who try an operation
	Box       *secret.Box        // keeps the key of the documentation
	Examples  *records.Service   // of the records that samples name
	Templates *agreement.Service // of the templates that they name; may be nil
	Developer *developer.Service
	Webhook   *webhook.Service
}

// Section is the documentation: its pages, the reference of the API, and trying an operation.
type Section struct {
	*page.Shell
	Config
	rendered func() *renderedDocs // the documentation, drawn when it is first asked for
	index    func() *search.Index // what can be found in it
}

// New makes the pages of the documentation. They are drawn by Prepare or for the first reader,
// which panics where a text names what is not there.
func New(shell *page.Shell, c Config) *Section {
	p := &Section{Shell: shell, Config: c}
	p.rendered = sync.OnceValue(p.bind)
	p.index = sync.OnceValue(func() *search.Index { return search.New(p.finds()) })
	return p
}

// Prepare draws the documentation and makes the index of the search, which the first reader would
// wait for.
func (p *Section) Prepare() {
	if p.OpenAPI != nil {
		p.rendered()
		p.index()
	}
}
