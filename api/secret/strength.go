package secret

import (
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/ccojocar/zxcvbn-go/adjacency"
	"github.com/ccojocar/zxcvbn-go/data"
	"github.com/ccojocar/zxcvbn-go/entropy"
	"github.com/ccojocar/zxcvbn-go/match"
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

// matches are the parts of a password that a guesser would try before all others, each with its
// entropy. They are those that the package matching of zxcvbn-go finds (a test compares the two).
// That package parses its word lists when a process starts, which takes every command 35 ms and
// 18 MB; here they are parsed for the first password that is judged. known are words about the
// person, the likeliest first.
func matches(plain string, known []string) []match.Match {
	found := wordMatches(plain, ranks(known))
	for _, reading := range append(unleet(plain), plain) {
		found = append(found, wordMatches(reading, commonWords())...)
	}
	for _, keyboard := range []string{"qwerty", "dvorak", "keypad", "macKeypad"} {
		found = append(found, keyboardMatches(plain, adjacency.GraphMap[keyboard])...)
	}
	found = append(found, repeatMatches(plain)...)
	found = append(found, sequenceMatches(plain)...)
	return append(found, dateMatches(plain)...)
}

// commonWords are names, English words and leaked passwords with their ranks, the lowest one
// where several lists have a word.
var commonWords = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for _, name := range []string{"MaleNames", "FemaleNames", "Surnames", "English", "Passwords"} {
		var words struct{ List []string }
		if err := json.Unmarshal(data.MustAsset("data/"+name+".json"), &words); err != nil {
			panic(err)
		}
		for word, rank := range ranks(words.List) {
			if lowest, found := all[word]; !found || rank < lowest {
				all[word] = rank
			}
		}
	}
	return all
})

// ranks are the positions of words in a list, from 1. The last one counts.
func ranks(words []string) map[string]int {
	ranked := make(map[string]int, len(words))
	for i, word := range words {
		ranked[strings.ToLower(word)] = i + 1
	}
	return ranked
}

func wordMatches(plain string, ranked map[string]int) (found []match.Match) {
	original, lower := []rune(plain), []rune(strings.ToLower(plain))
	for i := range lower {
		for j := i; j < len(lower); j++ {
			if rank, ok := ranked[string(lower[i:j+1])]; ok {
				m := match.Match{Pattern: "dictionary", I: i, J: j, Token: string(original[i : j+1])}
				m.Entropy = entropy.DictionaryEntropy(m, float64(rank))
				found = append(found, m)
			}
		}
	}
	return found
}

// mostSigns is of how many different signs that stand for letters every reading is tried:
// the time doubles with each.
const mostSigns = 8

// unleet are the readings of a password with letters for the signs that stand for them, such
// as "password" for "p4$$w0rd". A sign stands for one letter at a time (1 for i or l), and a
// letter is written as one sign. With too many signs there are no readings.
func unleet(plain string) []string {
	letters := map[string][]string{}
	for letter, signs := range adjacency.GraphMap["l33t"].Graph {
		for _, sign := range signs {
			if strings.Contains(plain, sign) {
				letters[sign] = append(letters[sign], letter)
			}
		}
	}
	if len(letters) == 0 || len(letters) > mostSigns {
		return nil
	}
	meanings := []map[string][]string{{}} // the signs of each letter
	for sign, meant := range letters {
		var next []map[string][]string
		for _, signs := range meanings {
			for _, letter := range meant {
				more := maps.Clone(signs)
				more[letter] = append(slices.Clone(more[letter]), sign)
				next = append(next, more)
			}
		}
		meanings = next
	}
	var readings []string
	for _, signs := range meanings {
		readings = append(readings, replaceOne(plain, signs)...)
	}
	slices.Sort(readings)
	return slices.Compact(readings)
}

// replaceOne are the readings that replace one sign of each letter.
func replaceOne(plain string, signs map[string][]string) []string {
	readings := []string{plain}
	for letter, written := range signs {
		var next []string
		for _, reading := range readings {
			for _, sign := range written {
				next = append(next, strings.ReplaceAll(reading, sign, letter))
			}
		}
		readings = next
	}
	return readings
}

// keyboardMatches are walks over three and more neighboring keys.
func keyboardMatches(plain string, keyboard adjacency.Graph) (found []match.Match) {
	for i := 0; i < len(plain)-1; {
		j, turns, shifted, last := i+1, 0, 0, -1
		for ; j < len(plain); j++ {
			next := string(rune(plain[j]))
			direction := slices.IndexFunc(keyboard.Graph[string(rune(plain[j-1]))], func(keys string) bool {
				return strings.Contains(keys, next)
			})
			if direction < 0 {
				break
			}
			if keys := keyboard.Graph[string(rune(plain[j-1]))][direction]; strings.Index(keys, next) == 1 {
				shifted++
			}
			if direction != last {
				turns, last = turns+1, direction
			}
		}
		if j-i > 2 {
			m := match.Match{Pattern: "spatial", I: i, J: j - 1, Token: plain[i:j], DictionaryName: keyboard.Name}
			m.Entropy = entropy.SpatialEntropy(m, turns, shifted)
			found = append(found, m)
		}
		i = j
	}
	return found
}

// repeatMatches are runs of three and more of one character. zxcvbn-go counts the characters of
// a run, and starts it as many bytes before its end.
func repeatMatches(plain string) (found []match.Match) {
	run, previous := 0, ""
	add := func(end int) {
		if run > 2 {
			m := match.Match{Pattern: "repeat", I: end - run, J: end - 1, Token: plain[end-run : end]}
			m.Entropy = entropy.RepeatEntropy(m)
			found = append(found, m)
		}
	}
	last := 0
	for i, char := range plain {
		if !strings.EqualFold(string(char), previous) {
			add(i)
			run = 0
		}
		run++
		previous, last = string(char), i
	}
	add(last + 1)
	return found
}

// sequenceMatches are three and more characters that follow one another in either direction.
func sequenceMatches(plain string) (found []match.Match) {
	sequences := []string{"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"}
	for i := 0; i < len(plain); {
		j := i + 1
		for _, sequence := range sequences {
			first := strings.IndexByte(sequence, plain[i])
			if first < 0 || j == len(plain) {
				continue
			}
			second := strings.IndexByte(sequence, plain[j])
			step := second - first
			if second < 0 || step != 1 && step != -1 {
				continue
			}
			for j < len(plain) &&
				strings.IndexByte(sequence, plain[j])-strings.IndexByte(sequence, plain[j-1]) == step {
				j++
			}
			if j-i > 2 {
				m := match.Match{Pattern: "sequence", I: i, J: j - 1, Token: plain[i:j]}
				m.Entropy = entropy.SequenceEntropy(m, len(sequence), step == 1)
				found = append(found, m)
			}
			break
		}
		i = j
	}
	return found
}

// Dates in digits, with separators (the year last or first) and without.
var (
	yearLast  = regexp.MustCompile(`(\d{1,2})[\s\-/\\_.](\d{1,2})([\s\-/\\_.])(19\d{2}|200\d|201\d|\d{2})`)
	yearFirst = regexp.MustCompile(`(19\d{2}|200\d|201\d|\d{2})[\s\-/\\_.](\d{1,2})([\s\-/\\_.])(\d{1,2})`)
	digits    = regexp.MustCompile(`\d{4,8}`)
)

func dateMatches(plain string) (found []match.Match) {
	add := func(text, day, month, year, separator string) {
		y, _ := strconv.ParseInt(year, 10, 64) // digits only
		if !isDate(day, month, y) {
			return
		}
		i := strings.Index(plain, text)
		found = append(found, match.Match{I: i, J: i + len(text),
			Entropy: entropy.DateEntropy(match.DateMatch{Year: y, Separator: separator})})
	}
	for _, m := range yearLast.FindAllStringSubmatch(plain, -1) {
		add(m[0], m[2], m[1], m[4], m[3])
	}
	for _, m := range yearFirst.FindAllStringSubmatch(plain, -1) {
		add(m[0], m[2], m[4], m[1], m[3])
	}
	for _, s := range digits.FindAllString(plain, -1) {
		switch len(s) {
		case len("yymmdd"):
			add(s, s[2:4], s[4:], s[:2], "")
		case len("yyyymmdd"):
			add(s, s[4:6], s[6:], s[:4], "")
			add(s, s[:2], s[2:4], s[4:], "")
		}
	}
	return found
}

// isDate reports whether a day and a month, in either order, and a year make a date.
func isDate(day, month string, year int64) bool {
	d, _ := strconv.Atoi(day) // digits only
	m, _ := strconv.Atoi(month)
	return (d <= 31 && m <= 12 || m <= 31 && d <= 12) && (1900 <= year && year <= 2025 || 0 <= year && year <= 99)
}
