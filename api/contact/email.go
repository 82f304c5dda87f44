// Package contact reads how people are reached, email addresses, phone numbers and the states of
// addresses, and gives each in the one form that is stored.
//
// It knows nothing of whose they are.
package contact

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Email reads an email address and gives it without the spaces around it, its
// case kept. It takes what the HTML standard takes in a form and letters of every script before
// the @ (SMTPUTF8), in one form of Unicode, within the lengths of RFC 5321, and wants a dot in the
// domain, as tenants live on the internet.
func Email(s string) (string, error) {
	address := norm.NFC.String(strings.TrimSpace(s))
	local, domain, _ := strings.Cut(address, "@")
	if len(address) > 254 || !mailbox(local) || !domainName(domain) {
		return "", fmt.Errorf("not an email address, such as dana@example.com: %q", s)
	}
	return address, nil
}

// mailbox tells an unquoted local part: words parted by single dots.
func mailbox(s string) bool {
	if len(s) > 64 {
		return false
	}
	for word := range strings.SplitSeq(s, ".") {
		if word == "" || strings.ContainsFunc(word, notMailbox) {
			return false
		}
	}
	return true
}

func notMailbox(r rune) bool {
	if r >= utf8.RuneSelf {
		return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	}
	return !alphanumeric(r) && !strings.ContainsRune("!#$%&'*+/=?^_`{|}~-", r)
}

// domainName tells a host name of at least two labels; one in another script is
// written in its ASCII form.
func domainName(s string) bool {
	labels := strings.Split(s, ".")
	for _, label := range labels {
		if !domainLabel(label) {
			return false
		}
	}
	return len(labels) > 1
}

func domainLabel(s string) bool {
	return s != "" && len(s) <= 63 && s[0] != '-' && s[len(s)-1] != '-' &&
		!strings.ContainsFunc(s, func(r rune) bool { return !alphanumeric(r) && r != '-' })
}

func alphanumeric(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
