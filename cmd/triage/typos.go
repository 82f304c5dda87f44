package main

import (
	"math/rand/v2"
	"strings"
)

// Tenants write on phones, in a hurry, and in a second language. The model learns some of its
// messages a second time with the mistakes that they make.

// misspelt is out of how many words of a message one is written wrong.
const misspelt = 3

// soundsLike are letters that are written for others that sound alike, in English and Spanish.
var soundsLike = [][2]string{
	{"ight", "ite"}, {"ck", "k"}, {"ph", "f"}, {"ough", "uff"}, {"tion", "shun"}, {"ing", "in"}, {"ee", "ea"},
	{"ea", "ee"}, {"ei", "ie"}, {"ie", "ei"}, {"ll", "l"}, {"tt", "t"}, {"ss", "s"}, {"pp", "p"}, {"er", "re"},
	{"able", "ible"}, {"oo", "o"}, {"ou", "u"}, {"ai", "ia"}, {"wh", "w"}, {"kn", "n"}, {"c", "s"}, {"qu", "k"},
	{"v", "b"}, {"z", "s"}, {"y", "ll"}, {"h", ""}, {"e", "a"}, {"i", "e"}, {"a", "e"}, {"o", "u"},
}

// shortForms are words as they are written in messages.
var shortForms = map[string]string{
	"you": "u", "are": "r", "please": "pls", "and": "n", "with": "w", "for": "4", "to": "2", "because": "cuz",
	"your": "ur", "the": "teh", "apartment": "apt", "building": "bldg", //nolint:misspell // typos are the point
	"people": "ppl", "thanks": "thx", "something": "smth", "really": "rly", "about": "abt", "before": "b4",
	"night": "nite", "through": "thru", "light": "lite", "right": "rite",
	"que": "q", "de": "d", "por": "x", "porque": "xq", "tambien": "tmb",
}

// withTypos gives a message again as somebody in a hurry writes it.
func withTypos(text string, dice *rand.Rand) string {
	words := strings.Fields(text)
	for i, w := range words {
		if dice.IntN(misspelt) == 0 {
			words[i] = misspell(w, dice)
		}
	}
	text = strings.Join(words, " ")
	switch dice.IntN(4) {
	case 0:
		text = strings.ToLower(text)
	case 1:
		text = strings.NewReplacer("'", "", ".", "", ",", "").Replace(strings.ToLower(text))
	}
	return text
}

// misspell makes one mistake in a word, two in some of the long ones. Short words, numbers
// and words with other letters than those of English stay.
func misspell(w string, dice *rand.Rand) string {
	if short, is := shortForms[strings.ToLower(w)]; is && dice.IntN(2) == 0 {
		return short
	}
	out := slip(w, dice)
	if len(w) > 8 && dice.IntN(3) == 0 {
		out = slip(out, dice)
	}
	return out
}

const keyboard = "qwertyuiop asdfghjkl zxcvbnm"

// slip makes one mistake: a letter left out, doubled, exchanged with its neighbor or with the
// next key, or letters written as they sound.
func slip(w string, dice *rand.Rand) string {
	if len(w) < 4 || strings.ContainsFunc(w, func(r rune) bool { return r > 'z' || r >= '0' && r <= '9' }) {
		return w
	}
	i := 1 + dice.IntN(len(w)-2)
	switch dice.IntN(6) {
	case 0, 1:
		return w[:i] + w[i+1:]
	case 2:
		return w[:i] + w[i+1:i+2] + w[i:i+1] + w[i+2:]
	case 3:
		return w[:i] + w[i-1:i] + w[i:]
	case 4:
		if at := strings.IndexByte(keyboard, w[i]); at > 0 && keyboard[at-1] != ' ' {
			return w[:i] + keyboard[at-1:at] + w[i+1:]
		}
	}
	sound := soundsLike[dice.IntN(len(soundsLike))]
	if at := strings.Index(w[1:], sound[0]); at >= 0 {
		return w[:1+at] + sound[1] + w[1+at+len(sound[0]):]
	}
	return w[:i] + w[i+1:]
}
