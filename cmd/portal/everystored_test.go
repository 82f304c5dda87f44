package main

import (
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"portal/api/mail"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// secretsSeen are the secrets that guests and members were shown, sent, or had typed.
type secretsSeen map[string]string // what it is, by secret

var (
	// endsPages are forms after which other pages are no longer shown.
	endsPages = regexp.MustCompile(
		`sign-out|close|end|revoke|decline|/reset/|/join/|/email/|/settings|/team|/keys|/staff`,
	)
	linkToken   = regexp.MustCompile(`/([\w-]{20,})(?:[/?\s]|$)`)
	shownSecret = regexp.MustCompile(`\b(?:sk_(?:live|test)_|whsec_)[\w+/=-]{20,}|<code>([A-Za-z0-9-]{10,})</code>`)
	mailedCode  = regexp.MustCompile(`\b\d{6}\b`)
)

// links adds the tokens of the addresses in a text.
func (s secretsSeen) links(text, what string) {
	for _, found := range linkToken.FindAllStringSubmatch(text, -1) {
		if !identifier.MatchString(found[1]) && strings.ContainsAny(found[1], "0123456789") {
			s[found[1]] = what
		}
	}
}

// storeNoSecret sends every form that a guest or a member is shown, and then looks in the files of the database, in
// a backup and in the log for each secret that somebody could use.
func (e *everyPage) storeNoSecret(t *testing.T) {
	seen := secretsSeen{}
	sent := map[string]bool{}
	var last []func()
	for _, s := range e.all {
		seen.links(s.path, "the address of "+s.name)
		page := s.who.ask(http.MethodGet, s.path, nil)
		doc, err := html.Parse(strings.NewReader(page.Body.String()))
		orFail(t, err)
		for form := range doc.Descendants() {
			if form.Data != "form" || !strings.EqualFold(pagetest.Attr(form, "method"), http.MethodPost) {
				continue
			}
			send := func() { e.sendForm(t, seen, sent, s, form) }
			if endsPages.MatchString(pagetest.Attr(form, "action") + s.path) {
				last = append(last, send)
				continue
			}
			send()
		}
	}
	for _, send := range last {
		send()
	}
	if len(sent) < 100 {
		t.Errorf("only %d forms were sent", len(sent))
	}
	codes := e.mailedSecrets(t, seen)
	if len(seen) < 40 || len(codes) == 0 {
		t.Errorf("only %d secrets and %d codes were seen", len(seen), len(codes))
	}
	copied := filepath.Join(t.TempDir(), "backup.db")
	orFail(t, (&backup{file: copied}).write(t.Context(), e.product.config, false))
	files, err := filepath.Glob(filepath.Join(e.product.config.data, "portal.db*"))
	orFail(t, err)
	for _, file := range append(files, copied) {
		content, err := os.ReadFile(file)
		orFail(t, err)
		for secret, what := range seen {
			if at := strings.Index(string(content), secret); at >= 0 {
				t.Errorf(
					"%s holds %s in clear: %q",
					filepath.Base(file),
					what,
					content[max(0, at-60):min(len(content), at+80)],
				)
			}
		}
	}
	for secret, what := range seen {
		if strings.Contains(e.log.String(), secret) {
			t.Errorf("the log holds %s", what)
		}
	}
	e.holdNoCode(t, codes)
}

// sendForm sends a form as it is shown, with what its empty fields ask for.
func (e *everyPage) sendForm(t *testing.T, seen secretsSeen, sent map[string]bool, s sight, form *html.Node) {
	t.Helper()
	base, err := url.Parse(s.path)
	orFail(t, err)
	action, err := base.Parse(pagetest.Attr(form, "action"))
	orFail(t, err)
	kind := identifier.ReplaceAllString(action.Path, "ID")
	fields := pagetest.FieldsOf(form)
	for n := range form.Descendants() {
		name := pagetest.Attr(n, "name")
		switch {
		case name == "token" || name == "once":
			fields.Set(name, pagetest.Attr(n, "value"))
		case n.Data == "select" && fields.Get(name) == "":
			for o := range n.Descendants() {
				if o.Data == "option" && pagetest.Attr(o, "value") != "" {
					fields.Set(name, pagetest.Attr(o, "value"))
					break
				}
			}
		case name == "" || fields.Get(name) != "" || n.Data != "input" && n.Data != "textarea":
		case strings.Contains(name, "password"):
			fields.Set(name, pagePassword)
		case strings.Contains(name, "email"):
			fields.Set(name, "sam@example.com")
		case strings.HasSuffix(name, "_date"):
			fields.Set(name, "2030-01-01")
		case pagetest.Attr(n, "type") == "radio" || pagetest.Attr(n, "type") == "checkbox":
			fields.Set(name, pagetest.Attr(n, "value"))
		case pagetest.Attr(n, "inputmode") == "decimal" || pagetest.Attr(n, "inputmode") == "numeric":
			fields.Set(name, "12")
		default:
			fields.Set(name, "Words of "+s.name)
		}
	}
	sent[kind+" "+strings.Join(slices.Sorted(maps.Keys(fields)), " ")] = true
	w := s.who.ask(http.MethodPost, action.RequestURI(), fields)
	if w.Code >= http.StatusInternalServerError {
		t.Errorf("the form %s of %s: %d %s", action.Path, s.name, w.Code, textOf(w.Body.String()))
	}
	seen.links(w.Header().Get("Location"), "where "+kind+" leads")
	for _, found := range shownSecret.FindAllStringSubmatch(w.Body.String(), -1) {
		secret := found[0]
		if found[1] != "" {
			secret = found[1]
		}
		if strings.ContainsAny(secret, "0123456789") && !identifier.MatchString(secret) {
			seen[secret] = "what " + kind + " shows"
		}
	}
	for name, c := range s.who.cookies {
		if len(c.Value) >= 20 && !identifier.MatchString(c.Value) {
			seen[c.Value] = "the cookie " + name
		}
	}
}

// mailedSecrets adds the links of all emails and is the codes in them.
func (e *everyPage) mailedSecrets(t *testing.T, seen secretsSeen) (codes []string) {
	t.Helper()
	all, err := e.product.Mail.Mails(t.Context(), mail.Filter{Limit: 1000})
	orFail(t, err)
	for _, m := range all {
		l, err := e.product.Mail.Mail(t.Context(), m.ID)
		orFail(t, err)
		seen.links(l.Content.Text, "a link that was mailed to "+m.To)
		if strings.Contains(strings.ToLower(l.Content.Text), "code") {
			codes = append(codes, mailedCode.FindAllString(l.Content.Text, -1)...)
		}
	}
	return codes
}

// holdNoCode looks for codes in every column of text.
func (e *everyPage) holdNoCode(t *testing.T, codes []string) {
	t.Helper()
	for _, column := range dbtest.Texts(t, e.product.DB, `SELECT m.name || '.' || c.name
		FROM sqlite_master m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND c.type LIKE '%TEXT%'`) {
		table, name, _ := strings.Cut(column, ".")
		text := strings.Join(
			dbtest.Texts(t, e.product.DB, "SELECT "+name+" FROM "+table+" WHERE "+name+" IS NOT NULL"),
			"\n",
		)
		for _, code := range codes {
			if regexp.MustCompile(`\b` + code + `\b`).MatchString(text) {
				t.Errorf("%s holds a code that was mailed", column)
			}
		}
	}
}
