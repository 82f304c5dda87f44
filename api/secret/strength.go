package secret

import (
	"math"
	"strings"
	"unicode"

	"github.com/ccojocar/zxcvbn-go/scoring"
)

// ShortestPassword is the fewest characters that a password may have, and Most the most.
const (
	ShortestPassword = 10
	LongestPassword  = 1000
)

// fewestTries is how many tries a guesser needs at least for a password that is accepted
// (docs/decisions/0018).
const fewestTries = 1e8

// judged is how many characters of a password are judged: more make it no easier to guess,
// and the judging longer.
const judged = 64

// Guessable reports whether somebody who knows a person (their address, the name of their
// account) guesses a password within 10^8 tries, as zxcvbn estimates it.
func Guessable(plain string, about ...string) bool {
	if r := []rune(plain); len(r) > judged {
		plain = string(r[:judged])
	}
	known := []string{"portal"}
	for _, s := range about {
		s = strings.ToLower(s)
		known = append(known, s)
		known = append(known, strings.FieldsFunc(s, func(r rune) bool {
			return !unicode.IsLetter(r) &&
				!unicode.IsDigit(r)
		})...)
	}
	return scoring.MinimumEntropyMatchSequence(plain, matches(plain, known)).Entropy < math.Log2(fewestTries)
}

// PasswordHint is what is said beside a field for a new password, and TooEasy what of one that is
// guessed too soon.
const (
	PasswordHint = "At least 10 characters, and hard to guess: three or four words that have nothing to do with " +
		"each other, or what a password manager makes."
	PasswordTooEasy = "This password is too easy to guess. Choose three or four words that have nothing to do with " +
		"each other, or let a password manager make one."
)
