package redact

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// disguises is how often a text may be percent-encoded.
const disguises = 3

// FreeText is what a person or a program has said in free words, without the secrets of
// Text, those of other services, bearer tokens, words that look drawn by lot, and the
// numbers of cards and of social security.
func FreeText(s string) string {
	switch {
	case harmless(s):
		return s
	case strings.IndexByte(s, '%') >= 0:
		return bare(s, disguises)
	}
	return scrubbed(s)
}

// bare looks for secrets beneath percent-encoding. Where there are some, the text
// stays decoded; where there are none, it stays as it was.
func bare(s string, deep int) string {
	if plain := unescaped(s); deep > 0 && plain != s {
		if out := bare(plain, deep-1); out != plain {
			return out
		}
	}
	return scrubbed(s)
}

// unescaped decodes what is percent-encoded and leaves per cents alone.
func unescaped(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b = append(b, byte(c))
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

// What stands for itself by how it begins; the beginning stays.
var (
	ours = regexp.MustCompile(`(sk_(?:test|live)_pm_[0-9A-Za-z]{6})[0-9A-Za-z]+|(whsec_)[0-9A-Za-z+/=_%-]+`)
	// theirs are secrets of Stripe, GitHub, Slack, AWS, and of those who run language models
	theirs = regexp.MustCompile(`([rps]k_(?:test|live)_|gh[oprsu]_|xox[abprs]-|\bAKIA|\bsk-)[0-9A-Za-z_-]{16,}`)
	web    = regexp.MustCompile(`(eyJ)[0-9A-Za-z_-]{10,}(?:\.[0-9A-Za-z_-]+){1,2}`) // RFC 7519
	bearer = regexp.MustCompile(`\b((?i)bearer|basic)([ \t]+)([0-9A-Za-z._~+/=-]{8,})`)
)

// words that nobody writes: letters and digits, and the two alphabets of base 64.
var words = []*regexp.Regexp{
	regexp.MustCompile(`[0-9A-Za-z]{40,}`),
	regexp.MustCompile(`[0-9A-Za-z_-]{40,}`),
	regexp.MustCompile(`[0-9A-Za-z+/=_-]{40,}`),
}

func scrubbed(s string) string {
	s = named(s)
	if hasOne(s, "k_", "gh", "xox", "AKIA", "sk-") {
		s = theirs.ReplaceAllString(s, "$1…")
	}
	if hasOne(s, "eyJ") {
		s = web.ReplaceAllString(s, "$1…")
	}
	if hasOne(s, "earer", "EARER", "asic", "ASIC") {
		s = bearer.ReplaceAllStringFunc(s, token)
	}
	return numberless(wordless(unnamed(s)))
}

func hasOne(s string, of ...string) bool {
	return slices.ContainsFunc(of, func(word string) bool { return strings.Contains(s, word) })
}

// named is without what says by its first characters that it is a secret of ours.
func named(s string) string {
	if hasOne(s, "sk_", "whsec_") {
		return ours.ReplaceAllString(s, "$1$2…")
	}
	return s
}

// token takes the token out of "Bearer token", unless it is a word of a language.
// Of a key of ours nothing is left that is not shown.
func token(s string) string {
	scheme := bearer.FindStringSubmatch(s)
	word := scheme[3]
	if plain(word) || strings.HasPrefix(word, "sk_live_pm_") || strings.HasPrefix(word, "sk_test_pm_") {
		return s
	}
	return scheme[1] + scheme[2] + "…"
}

// plain tells a word of a language: short, of letters, no large one behind a small one.
func plain(word string) bool {
	const long = 20
	for i := range len(word) {
		if digit(word[i]) || strings.IndexByte("_~+=", word[i]) >= 0 || i > 0 && upper(word[i]) && lower(word[i-1]) {
			return false
		}
	}
	return len(word) < long
}

// wordless replaces long words that look random.
func wordless(s string) string {
	if !hasWord(s, 40, "+/=_-") {
		return s
	}
	for _, w := range words {
		s = w.ReplaceAllStringFunc(s, func(word string) string {
			if drawn(word) {
				return "…"
			}
			return word
		})
	}
	return s
}

// tokenLength is how long 256 random bits are in the base 64 of addresses, as the tokens
// of our links are. By chance one has no long piece between its signs.
const tokenLength = 43

// drawn reports whether a word looks random: it has one long piece, or a piece that mixes
// upper-case letters, lower-case letters and digits as no slug or identifier of ours does.
func drawn(word string) bool {
	if len(word) == tokenLength && mixed(word) {
		return true
	}
	pieces := strings.FieldsFunc(word, func(c rune) bool { return strings.ContainsRune("+/=_-", c) })
	return slices.ContainsFunc(pieces, func(p string) bool { return len(p) >= 40 || len(p) >= 12 && mixed(p) })
}

func mixed(s string) bool {
	var large, small, digits bool
	rises := 0
	for i := range len(s) {
		large, small, digits = large || upper(s[i]), small || lower(s[i]), digits || digit(s[i])
		if i > 0 && upper(s[i]) && lower(s[i-1]) {
			rises++
		}
	}
	return large && small && (digits || rises > 2)
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
func upper(c byte) bool { return c >= 'A' && c <= 'Z' }
func lower(c byte) bool { return c >= 'a' && c <= 'z' }
