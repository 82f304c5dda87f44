package secret_test

import (
	"strings"
	"testing"

	"portal/api/secret"
)

func TestGuessablePasswordIsRejected(t *testing.T) {
	t.Parallel()
	about := []string{"dana.rivera@example.com", "Maple & Oak"}
	for _, weak := range []string{
		"password12",
		"Passw0rd123!",
		"1234567890",
		"aaaaaaaaaa",
		"qwertyuiop",
		"iloveyou2024",
		"jennifer1984",
		"letmein123",
		"Summer2026!",
		"abcdefghij",
		"passwordpassword",
		"portalportal",
		"dana.rivera@example.com",
		"danarivera",
		"Rivera Dana 1",
		"maple oak 1",
		"a long password",
		strings.Repeat("password", 200),
		"1q2w3e4r5t",
	} {
		if !secret.Guessable(weak, about...) {
			t.Errorf("%.30q is taken", weak)
		}
	}
	for _, strong := range []string{
		"correct horse battery", "purple wagon tangerine", "U4ROYU2EFB5VKXH52ROLOA22ZK",
		"gato negro azul verde", "9f#kQ2!vLx", "ein Garten voller Zwiebeln",
		"Überraschung im Käsekeller",
	} {
		if secret.Guessable(strong, about...) {
			t.Errorf("%q is refused", strong)
		}
	}
}

// What an attacker sends costs no more than a hash does: the reading of signs as letters,
// which takes seconds for some, is left out where there are too many of them.
func TestPasswordStrengthCheckHandlesAnyInput(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{
		"",
		"\xff\xfe\x00",
		strings.Repeat("\xff", 1000),
		strings.Repeat("é", 1000),
		strings.Repeat("4@8({[</369&#!1|0$5+7%2", 43),
		strings.Repeat("4@31!0$5", 125),
		strings.Repeat("1q2w", 250),
		strings.Repeat("11.12.", 160),
		strings.Repeat("👩‍👩‍👧", 200),
	} {
		secret.Guessable(odd, odd, "dana@example.com")
	}
}
