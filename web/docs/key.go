package docs

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	views "portal/views/docs"
	"portal/views/kit"
	"portal/web/page"
)

// docKeyLife is how long a key of the documentation works.
const docKeyLife = 24 * time.Hour

// docKeyKey is where a session keeps it: the account that it is of, its id, and the key
// itself, sealed.
const docKeyKey = "docs_key"

// docKey is a test key that stands in the samples of one session.
type docKey struct {
	developer.Key
	whole string
}

func docKeyPurpose(accountID string) string { return "key of the documentation, account " + accountID }

// docKey is the key of the reader's samples, nil where there is none that works.
func (p *Section) docKey(v *page.Request) (*docKey, error) {
	parts := strings.Fields(v.Session.Kept(docKeyKey))
	if !p.offersKeys() || len(parts) != 3 || v.Person == nil || v.Person.Pending || !v.Owns() ||
		parts[0] != v.Person.Account.AccountID {
		return nil, nil //nolint:nilnil // there being none is no error
	}
	k, err := p.Developer.KeyOf(v.Ctx(), v.Member(), parts[1])
	if err != nil {
		return nil, err
	}
	sealed, err := base64.RawStdEncoding.DecodeString(parts[2])
	if err != nil {
		return nil, err
	}
	whole, err := p.Box.Open(docKeyPurpose(parts[0]), sealed)
	if state := k.State(p.Now()); err != nil || state != developer.KeyActive && state != developer.KeyEnding {
		v.Session.Take(docKeyKey)
		return nil, nil //nolint:nilnil,nilerr // it works no longer, or the vault has another key since
	}
	return &docKey{k, whole}, nil
}

// offersKeys reports whether the documentation can have a key of its reader's.
func (p *Section) offersKeys() bool {
	return p.Developer != nil && p.Box != nil && p.Examples != nil
}

// personal puts the reader's own key and records into the samples of a page, or says how
// they come there.
func (p *Section) personal(v *page.Request, view *views.Doc, d *bound) error {
	if !p.offersKeys() || !strings.Contains(d.text, sampleKey) {
		return nil
	}
	k, err := p.docKey(v)
	if err != nil {
		return err
	}
	if view.Key, err = p.keyBox(v, k, d.Address); err != nil || k == nil {
		return err
	}
	own, err := p.ownExamples(v, d.text)
	if err != nil {
		return err
	}
	shown := k.KeyPrefix + "…"
	if v.Fresh() {
		shown = k.whole
	}
	fill := func(html string) string { return own.Replace(strings.ReplaceAll(html, sampleKey, shown)) }
	rows := view.Rows
	view.Rows = make([]views.DocRow, len(rows))
	for i, r := range rows {
		r.HTML = fill(r.HTML)
		view.Rows[i] = r
	}
	if view.Operation != nil {
		filled := *view.Operation
		filled.Request, filled.Response = fill(filled.Request), fill(filled.Response)
		view.Operation = &filled
	}
	return nil
}

// keyBox says which key is in the samples, and what the reader can do about it.
func (p *Section) keyBox(v *page.Request, k *docKey, back string) (views.DocKey, error) {
	switch {
	case v.Person == nil || v.Person.Pending:
		return views.DocKey{
			Shown: true,
			Words: "Sign in to see your own test key and records in these samples.",
			Next:  kit.Link{Name: "Sign in", Path: "/docs/key"},
		}, nil
	case v.Person.Account == nil:
		return views.DocKey{}, nil
	case k != nil:
		box := views.DocKey{Shown: true, Forget: true, Words: "The samples use your test key “" +
			k.Name + "” (" + k.KeyPrefix + "…). Only this browser shows it. It expires when you sign out, or on " + v.Time(*k.ExpiresAt).Text + "."}
		if !v.Fresh() {
			box.Words += " To show the whole key, confirm it’s you."
			box.Next = kit.Link{Name: "Show the key", Path: confirmFor(back)}
		}
		return box, nil
	case !v.Owns():
		return views.DocKey{Shown: true, Words: "Owners of the account can use a test key in these samples."}, nil
	}
	approved, err := v.Approved(p.Developer)
	if err != nil || !approved {
		return views.DocKey{
			Shown: true,
			Words: "You can use a test key in these samples once your request for API access is approved.",
			Next:  kit.Link{Name: "API access", Path: "/access"},
		}, err
	}
	return views.DocKey{
		Shown: true,
		Make:  true,
		Back:  back,
		Words: "Use a test key in these samples. Only this browser shows it, and it expires when you sign out, or " +
			"after a day.",
	}, nil
}

// confirmFor is where the reader confirms who they are and comes back to a page.
func confirmFor(address string) string { return "/confirm?next=" + url.QueryEscape(address) }

func (p *Section) askDocKey(v *page.Request) error {
	if may, err := p.mayHaveKey(v); err != nil || !may {
		return err
	}
	return v.Show(kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame("Use a test key"),
		Title: "Use a test key in the docs?",
		Words: []string{
			"We create a test key named “" + docKeyName +
				"” with the scope write, and this browser shows it in the samples. It works with demo data only, and " +
				"expires when you sign out, or after a day. It’s listed under API keys.",
		},
		Form: kit.Form{Action: "/docs/key", Submit: "Use a test key", Cancel: "/docs"},
	}))
}

const docKeyName = "Docs"

// mayHaveKey reports whether a key can be made; who may not yet is led to the next step.
func (p *Section) mayHaveKey(v *page.Request) (bool, error) {
	if !p.offersKeys() {
		return false, page.NotFound
	}
	approved, err := v.Approved(p.Developer)
	if err != nil || approved {
		return approved, err
	}
	v.Say(kit.Waiting, "You can create a key once your request for API access is approved.")
	return false, v.SeeOther("/access")
}

// makeDocKey makes a key, in the place of the one that the session had.
func (p *Section) makeDocKey(v *page.Request) error {
	f := v.Form()
	if may, err := p.mayHaveKey(v); err != nil || !may {
		return err
	}
	if err := p.StopKey(v); err != nil {
		return err
	}
	k, err := p.Developer.AddKey(v.Ctx(), v.Member(), developer.KeyCreate{
		Name:      docKeyName,
		Mode:      access.Test,
		Scopes:    []string{string(access.Write)},
		ExpiresAt: new(clock.At(p.Now().Add(docKeyLife))),
		OfSession: true,
	})
	if err != nil {
		return err
	}
	account := v.Person.Account.AccountID
	sealed := p.Box.Seal(docKeyPurpose(account), *k.Plaintext)
	v.Session.Keep(docKeyKey, account+" "+k.ID+" "+base64.RawStdEncoding.EncodeToString(sealed))
	return v.Done(backToDocs(f), "The samples now use your test key. It expires in a day.")
}

// backToDocs is the page of the documentation that a form came from.
func backToDocs(f *page.Form) string {
	if to := page.Next(f.Raw("next"), "/docs/quickstart"); strings.HasPrefix(to, "/docs") {
		return to
	}
	return "/docs/quickstart"
}

func (p *Section) askForgetKey(v *page.Request) error {
	return v.Show(kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame("Revoke the docs key"),
		Title: "Revoke the docs key?",
		Words: []string{
			"Requests with this key fail from now on, also where you pasted it. You can create another one at any time.",
		},
		Form: kit.Form{
			Action: "/docs/key/forget",
			Submit: "Revoke key",
			Danger: true,
			Cancel: "/docs",
		},
	}))
}

func (p *Section) forgetDocKey(v *page.Request) error {
	if err := p.StopKey(v); err != nil {
		return err
	}
	return v.Done("/docs", "The docs key is revoked. The samples no longer show a key.")
}

// StopKey revokes the key that the session has, if it has one. It was made by an owner
// in this session, so it ends with the session, even if the session shows another account by now
// or its account has other owners.
func (p *Section) StopKey(v *page.Request) error {
	parts := strings.Fields(v.Session.Take(docKeyKey))
	if !p.offersKeys() || len(parts) != 3 || v.Person == nil {
		return nil
	}
	made := developer.Member{UserID: v.Person.UserID, AccountID: parts[0], Role: access.Owner}
	err := p.Developer.StopKey(v.Ctx(), made, parts[1])
	if fault.Is(err, fault.InvalidTransition) || fault.Is(err, fault.NoRecord) { // it is revoked already
		return nil
	}
	return err
}

// secretFormat is that of a field with a whole key or a signing secret.
const secretFormat = "password"

// secretsOf are the names of those fields in what an operation answers.
func (r *reference) secretsOf(op *apiOperation) (names []string) {
	for _, a := range op.Responses {
		if s := a.Value.Content[jsonType].Schema; s != nil && strings.HasPrefix(a.Name, "2") {
			names = r.collectSecrets(s, names, map[string]bool{})
		}
	}
	return names
}

// collectSecrets adds the names of the secrets in a schema and in all that it is made of; each
// named schema is looked at once.
func (r *reference) collectSecrets(s *apiSchema, names []string, seen map[string]bool) []string {
	if s.Ref != "" {
		if seen[s.Ref] {
			return names
		}
		seen[s.Ref] = true
		s = r.schema(s)
	}
	for _, f := range s.Properties {
		if own, _ := r.one(f.Value); own.Format == secretFormat {
			names = append(names, f.Name)
		}
		names = r.collectSecrets(f.Value, names, seen)
	}
	if s.Items != nil {
		names = r.collectSecrets(s.Items, names, seen)
	}
	for _, part := range append(s.OneOf, s.AllOf...) {
		names = r.collectSecrets(part, names, seen)
	}
	return names
}

// triesForSecret reports whether a request is tried whose answer may be the only one that shows
// a secret: who sends it confirms first who they are. What only reads may be tried without, and
// is shown without the secret.
func (p *Section) triesForSecret(v *page.Request) (bool, error) {
	d := p.rendered().at[strings.TrimSuffix(v.Request().URL.Path, "/try")]
	return d != nil && d.operation != nil && d.operation.writes() && len(d.operation.secrets) > 0, nil
}

// masked is an answer without its secrets, for a reader who has not confirmed lately who they are.
func (o *apiEntry) masked(body string) (text string, hidden bool) {
	text = body
	for _, name := range o.secrets {
		text = regexp.MustCompile(
			`("`+regexp.QuoteMeta(name)+`"\s*:\s*)"(?:[^"\\]|\\.)*"`,
		).ReplaceAllString(text, `$1"…"`)
	}
	return text, text != body
}
