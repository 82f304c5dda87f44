package redact

import (
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"portal/api/strictjson"
)

// Kept is a text as it is kept.
type Kept struct {
	Text   string
	Hidden bool // secrets were taken out, or what is no text
	Cut    bool // the end is missing
}

// Body is what is kept of a body that was sent, at most so many bytes of it. JSON without
// a secret stays as it was written, byte for byte; of other JSON the secrets are taken out
// by the names of their members and by how they look, of other texts by how they look.
func Body(text []byte, most int) Kept {
	k := Kept{Text: string(text)}
	if !clean(k.Text) {
		k = scrubbedBody(text)
	}
	if len(k.Text) > most {
		k.Text, k.Cut = whole(k.Text, most), true
	}
	return k
}

// scrubbedBody is a body without its secrets, however long it is.
func scrubbedBody(text []byte) Kept {
	k := Kept{Text: string(text)}
	if v, err := strictjson.Parse(text); err == nil {
		s := scrubber{b: make([]byte, 0, len(text))}
		if s.value("", &v, 0); s.hid {
			k.Text, k.Hidden = string(s.b), true
		}
	} else if plain := FreeText(strings.ReplaceAll(
		strings.ToValidUTF8(k.Text, "\ufffd"),
		"\x00",
		"\ufffd",
	)); plain != k.Text {
		k.Text, k.Hidden = plain, true
	}
	return k
}

// scrubber writes a value of JSON without its secrets, and reports whether there were any.
type scrubber struct {
	b   []byte
	hid bool
}

// embedded is how deep JSON may stand in a string of JSON; a tool answers so.
const embedded = 2

func (s *scrubber) value(name string, v *strictjson.Value, within int) {
	switch {
	case v.Kind == strictjson.Text:
		s.b = strictjson.AppendString(s.b, s.text(name, v.Text, within))
	case v.Kind == strictjson.Number &&
		(hidden(name) || numberless(v.Text) != v.Text), (v.Kind == strictjson.Array || v.Kind == strictjson.Object) &&
		hidden(name):
		s.b, s.hid = append(s.b, `"…"`...), true
	case v.Kind == strictjson.Array:
		s.b = append(s.b, '[')
		for i := range v.Items {
			s.b = appendComma(s.b, i)
			s.value("", &v.Items[i], within)
		}
		s.b = append(s.b, ']')
	case v.Kind == strictjson.Object:
		s.b = append(s.b, '{')
		for i := range v.Members {
			s.b = append(strictjson.AppendString(appendComma(s.b, i), s.freeText(v.Members[i].Name)), ':')
			s.value(v.Members[i].Name, &v.Members[i].Value, within)
		}
		s.b = append(s.b, '}')
	default:
		s.b = append(s.b, v.Text...)
	}
}

func (s *scrubber) text(name, text string, within int) string {
	switch {
	case text == "":
		return ""
	case hidden(name):
		s.hid = true
		return "…"
	case links[name]:
		s.hid = true
		return linkless(text)
	case text[0] == '{' || text[0] == '[':
		if v, err := strictjson.Parse([]byte(text)); err == nil && within < embedded {
			inner := scrubber{}
			if inner.value("", &v, within+1); inner.hid {
				s.hid = true
				return string(inner.b)
			}
			return text
		}
	}
	return s.freeText(text)
}

func (s *scrubber) freeText(text string) string {
	plain := FreeText(text)
	s.hid = s.hid || plain != text
	return plain
}

// links are members whose value is an address that opens something to anybody who has it.
var links = map[string]bool{"apply_url": true, "esign_url": true, "document_url": true, "signing_url": true}

// linkless is an address without what opens it: the last part of its path, and all that
// follows.
func linkless(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "…"
	}
	end := strings.LastIndexByte(u.EscapedPath(), '/')
	return FreeText(u.Scheme+"://"+u.Host+u.EscapedPath()[:max(end, 0)]) + "/…"
}

// Header is what is kept of the value of a header, at most so many bytes of it.
func Header(name, value string, most int) Kept {
	k := Kept{Text: value}
	switch {
	case strings.EqualFold(name, "Authorization"), strings.EqualFold(name, "Proxy-Authorization"):
		k.Text = credential(value)
	case strings.EqualFold(name, "Cookie"), strings.EqualFold(name, "Set-Cookie"), hidden(name):
		k.Text = "…"
	case strings.EqualFold(name, "Idempotency-Key"):
		k.Text = named(value)
	default:
		k.Text = FreeText(strings.ToValidUTF8(value, "\ufffd"))
	}
	k.Hidden = k.Text != value
	if len(k.Text) > most {
		k.Text, k.Cut = whole(k.Text, most), true
	}
	return k
}

// credential is the scheme of an Authorization header, and of a key of ours what is shown
// of it.
func credential(value string) string {
	scheme, token, two := strings.Cut(value, " ")
	if two && isKey(token) {
		return scheme + " " + token[:shownKey] + "…"
	}
	if two && plain(scheme) && utf8.RuneCountInString(scheme) < 20 {
		return scheme + " …"
	}
	return "…"
}

// shownKey is how many characters of a key of ours are shown: its prefix and six of the rest.
const shownKey = len("sk_test_pm_") + 6

// isKey tells a key of ours.
func isKey(token string) bool {
	if len(token) <= shownKey || !strings.HasPrefix(token, "sk_test_pm_") && !strings.HasPrefix(token, "sk_live_pm_") {
		return false
	}
	drawn := token[len("sk_test_pm_"):]
	return hasWord(drawn, len(drawn), "")
}

// Query is what is kept of a query or of an address with one: without the values of
// parameters whose names say that they are secret, without the user name in an address, and
// without what Text takes out.
func Query(s string) string {
	if strings.IndexByte(s, '=') >= 0 {
		s = parameters.ReplaceAllString(s, "$1…")
	}
	return Text(loginless(s))
}

// What is secret by the name before it, in a query and in what is nearly JSON.
var (
	parameters = regexp.MustCompile(`(?i)((?:^|[?&;])` + privateNames + `=)[^&;#\s"'<>]+`)
	members    = regexp.MustCompile(
		`(?i)(["']` + privateNames + `\\?["']\s*:\s*)(?:\\?"(?:[^"\\]|\\.)*(?:"|$)|[^\s,}\]"]+)`,
	)
	addresses = regexp.MustCompile(`(?i)(["'](?:apply|esign|document|signing)_url\\?["']\s*:\s*)\\?"[^"]*(?:"|$)`)
)

// privateNames are how the names in private may end a name.
const privateNames = `[0-9a-z_-]*(?:pass(?:word|wd|phrase)|secret|private[_-]?key|api[_-]?key|token|authorization|signature|ssn|social[_-]?security[_-]?number|tax[_-]?id|card[_-]?number|cvv|cvc)`

// unnamed is without what the names before it tell to be secret.
func unnamed(s string) string {
	if strings.IndexByte(s, '=') >= 0 {
		s = parameters.ReplaceAllString(s, "$1…")
	}
	if strings.IndexByte(s, ':') < 0 {
		return s
	}
	if strings.IndexByte(s, '"') >= 0 || strings.IndexByte(s, '\'') >= 0 {
		s = members.ReplaceAllString(addresses.ReplaceAllString(s, `$1"…"`), `$1"…"`)
	}
	return loginless(s)
}
