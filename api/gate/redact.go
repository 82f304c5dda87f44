package gate

import (
	"net/url"
	"regexp"
	"strings"
)

// secrets are what must not be written down, wherever a caller has put them: keys
// of ours (all but what is shown of them), signing secrets, and words as long as the
// rest of a key, before which its first characters may stand percent-encoded.
var secrets = regexp.MustCompile(`(sk_(?:test|live)_pm_[0-9A-Za-z]{0,6})[0-9A-Za-z]+|(whsec_)[0-9A-Za-z+/=_%-]+|[0-9A-Za-z]{40,}`)

// Redact takes secrets out of a caller's text that is written down.
func Redact(s string) string {
	if plain, err := url.PathUnescape(s); err == nil && plain != s && (strings.Contains(plain, "sk_") || strings.Contains(plain, "whsec_")) {
		s = plain // a secret in disguise; what is logged need not be sent again
	}
	if !strings.Contains(s, "sk_") && !strings.Contains(s, "whsec_") && !hasWord(s, 40) {
		return s // most of what comes; the expression would take microseconds
	}
	return secrets.ReplaceAllString(s, "$1$2…")
}

// hasWord tells whether so many letters and digits stand side by side.
func hasWord(s string, length int) bool {
	run := 0
	for i := 0; i < len(s) && run < length; i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9', c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z':
			run++
		default:
			run = 0
		}
	}
	return run == length
}
