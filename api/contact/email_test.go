package contact_test

import (
	"strings"
	"testing"

	"portal/api/contact"
)

func TestEmailAddressKeepsCaseAndTrimsSpaces(t *testing.T) {
	for in, want := range map[string]string{
		"dana@example.com":              "dana@example.com",
		" Dana.Whitfield@Example.COM ":  "Dana.Whitfield@Example.COM",
		"o'brien+rent@mail.example.com": "o'brien+rent@mail.example.com",
		"1@xn--bcher-kva.example":       "1@xn--bcher-kva.example",
		"josé@example.com":              "josé@example.com",
		"jose\u0301@example.com":        "josé@example.com",
		"用户@example.com":                "用户@example.com",
	} {
		got, err := contact.Email(in)
		if err != nil || got != want {
			t.Errorf("Email(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestInvalidEmailAddressesAreRefused(t *testing.T) {
	for _, in := range []string{
		"", "dana", "@example.com", "dana@", "dana@example", "dana@@example.com",
		"dana@example..com", ".dana@example.com", "dana.@example.com", "da..na@example.com",
		"dana @example.com", "dana@exam ple.com", "dana@-example.com", "dana@example-.com",
		"dana@example.com;robin@example.com", "Dana <dana@example.com>", "da\u200bna@example.com",
		"da\u202ena@example.com", "d😀@example.com",
		"da\u00a0na@example.com", "d\xff@example.com", strings.Repeat("é", 33) + "@example.com",
		"dana@exämple.com", "dana\r\nBcc:x@example.com", "dana@example.com\x00", "\"d\"@example.com",
		strings.Repeat("d", 65) + "@example.com", "d@" + strings.Repeat("e", 64) + ".com",
		"d@" + strings.Repeat("example.", 32) + "com",
	} {
		if got, err := contact.Email(in); err == nil {
			t.Errorf("Email(%q) = %q; want a refusal", in, got)
		}
	}
}
