package docs

import (
	"regexp"
	"strings"

	"portal/web/page"
)

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
