package secret

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ccojocar/zxcvbn-go"
	"github.com/ccojocar/zxcvbn-go/match"
	"github.com/ccojocar/zxcvbn-go/scoring"
)

func TestPasswordScoresMatchZxcvbn(t *testing.T) {
	t.Parallel()
	parts := []string{
		"password",
		"Passw0rd",
		"p4$$w0rd",
		"CORRECT",
		"horse",
		"maple",
		"Oak",
		"rivera",
		"Dana",
		"smith",
		"qwerty",
		"QwErTy",
		"zxcvbn",
		"!@#$%",
		"7410",
		"aoeui",
		"1q2w3e",
		"aaaa",
		"AaAa",
		"éÉé",
		"ééé",
		"\xff\xff\xff",
		"abcdef",
		"FEDCBA",
		"6543",
		"210a",
		"10-",
		"31/12/1999",
		"12.31.07",
		"1999-12-31",
		"07_31_40",
		"2026",
		"311299",
		"19991231",
		"31121999",
		"99991231",
		"1234567",
		" ",
		"-",
		"/",
		"x",
		"K",
		"9",
		"4@8",
		"({[<",
		"3691!",
		"|70",
		"$5+%2",
		"Überraschung",
		"ſtraße",
		"İstanbul",
		"👩‍👩‍👧",
		"\x00",
		"gato",
	}
	known := []string{"portal", "dana.rivera@example.com", "dana", "rivera", "example", "com", "dana", "maple & oak"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var plain strings.Builder
		for range random.IntN(7) {
			plain.WriteString(parts[random.IntN(len(parts))])
		}
		p := plain.String()
		if r := []rune(p); len(r) > judged {
			p = string(r[:judged])
		}
		got := scoring.MinimumEntropyMatchSequence(p, matches(p, known)).Entropy
		want := zxcvbn.PasswordStrength(p, known, func(m match.Matcher) bool {
			return m.ID == "l33t" && unleet(p) == nil
		}).Entropy
		if got != want {
			t.Errorf("%q has %v bits, zxcvbn says %v", p, got, want)
		}
	}
}
