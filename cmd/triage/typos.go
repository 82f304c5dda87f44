package main

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// Tenants write on phones, in a hurry, and in a second language. The model learns each of its
// messages again with the mistakes that they make.

// shortForms are words as they are written in messages.
var shortForms = map[string]string{
	"you": "u", "are": "r", "please": "pls", "and": "n", "with": "w", "for": "4", "to": "2", "because": "cuz",
	"your": "ur", "the": "teh", "apartment": "apt", "building": "bldg", //nolint:misspell // typos are the point
	"people": "ppl", "thanks": "thx", "something": "smth", "really": "rly", "about": "abt", "before": "b4",
	"night": "nite", "through": "thru", "light": "lite", "right": "rite",
	"que": "q", "de": "d", "por": "x", "porque": "xq", "tambien": "tmb",
}

// asHeard are short words as they are written by ear.
var asHeard = map[string]string{
	"and":       "an",
	"every":     "evry",
	"know":      "kno",
	"there":     "ther", //nolint:misspell // typos are the point
	"here":      "heer",
	"from":      "frum",
	"was":       "wuz",
	"would":     "wud",
	"could":     "culd",
	"should":    "shuld",
	"have":      "hav",
	"does":      "dose",
	"their":     "there",
	"don't":     "dont",
	"can't":     "cant",
	"won't":     "wont",
	"doesn't":   "dosnt",
	"isn't":     "isnt",
	"didn't":    "didnt",
	"it's":      "its",
	"i'm":       "im",
	"just":      "jus",
	"with":      "wit",
	"when":      "wen",
	"where":     "were",
	"which":     "wich", //nolint:misspell // typos are the point
	"water":     "watter",
	"door":      "dor",
	"front":     "frunt",
	"floor":     "flor",
	"kitchen":   "kichen",
	"ceiling":   "cieling",
	"light":     "lite",
	"lights":    "lites",
	"night":     "nite",
	"right":     "rite",
	"once":      "wonce",
	"again":     "agin", //nolint:misspell // typos are the point
	"another":   "anuther",
	"other":     "othr",
	"still":     "stil",
	"window":    "windo",
	"outlet":    "outlit",
	"broke":     "brok",
	"someone":   "somone",
	"something": "somthin",
	"anything":  "anythin",
	"nothing":   "nothin",
	"whole":     "hole",
	"hay":       "ai",
	"que":       "ke",
	"ya":        "lla",
	"haber":     "aver",
	"hace":      "ase",
	"está":      "esta",
	"llave":     "yave",
	"ahora":     "ora",
	"porque":    "xk",
	"también":   "tanbien",
	"entonces":  "entonses",
	"hasta":     "asta",
	"hoy":       "oi",
}

// soundsLike are letters that are written for others that sound alike.
var soundsLike = [...][][2]string{
	english: {
		{"ight", "ite"}, {"ck", "k"}, {"ph", "f"}, {"ough", "uff"}, {"tion", "shun"}, {"ing", "in"}, {"ee", "ea"},
		{"ea", "ee"}, {"ei", "ie"}, {"ie", "ei"}, {"ll", "l"}, {"tt", "t"}, {"ss", "s"}, {"pp", "p"}, {"er", "re"},
		{"rr", "r"}, {"oo", "u"}, {"ou", "ow"}, {"ai", "ay"}, {"wh", "w"}, {"kn", "n"}, {"ce", "se"}, {"ci", "si"},
		{"que", "k"}, {"tch", "ch"}, {"ough", "u"}, {"ed", "d"}, {"er", "r"}, {"en", "n"}, {"mb", "m"}, {"nn", "n"},
		{"age", "ige"}, {"ure", "er"}, {"or", "er"}, {"le", "el"}, {"able", "ible"}, {"ow", "o"}, {"gh", "g"},
		{"oa", "o"}, {"au", "a"}, {"ff", "f"}, {"et", "it"}, {"om", "um"}, {"ai", "a"}, {"mm", "m"}, {"dd", "d"},
	},
	spanish: {
		{"h", ""}, {"v", "b"}, {"b", "v"}, {"ll", "y"}, {"y", "ll"}, {"z", "s"}, {"ce", "se"}, {"ci", "si"},
		{"que", "ke"}, {"qui", "ki"}, {"gue", "ge"}, {"ge", "je"}, {"gi", "ji"}, {"s", "c"}, {"mb", "nb"}, {"mp", "np"},
		{"rr", "r"}, {"hu", "gu"}, {"cc", "c"}, {"x", "s"}, {"ado", "ao"}, {"ct", "t"}, {"ó", "o"}, {"á", "a"},
		{"í", "i"}, {"é", "e"}, {"ú", "u"}, {"ñ", "n"}, {"bue", "gue"}, {"ns", "s"},
	},
}

// withTypos gives a message again as somebody in a hurry writes it.
func withTypos(text string, dice *rand.Rand) string {
	words := strings.Fields(text)
	in, misspelt := language(words), 2+dice.IntN(3)
	for i, w := range words {
		if dice.IntN(misspelt) == 0 {
			words[i] = misspell(w, in, dice)
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

// The languages of soundsLike.
const (
	english = iota
	spanish
)

// spanishWords are the words by which a message is known to be Spanish.
var spanishWords = strings.Fields("el la de que en no se y del los un una con")

// language reports whether a message is Spanish: more than one of six of its words are.
func language(words []string) int {
	n := 0
	for _, w := range words {
		if slices.Contains(spanishWords, strings.ToLower(w)) {
			n++
		}
	}
	if n*6 > len(words) {
		return spanish
	}
	return english
}

// misspell makes one mistake in a word, two in some of the long ones. Short words and numbers
// stay.
func misspell(w string, in int, dice *rand.Rand) string {
	lower := strings.ToLower(w)
	if short, is := shortForms[lower]; is && dice.IntN(2) == 0 {
		return short
	}
	if heard, is := asHeard[lower]; is && dice.IntN(3) > 0 {
		return heard
	}
	out := slip(w, in, dice)
	if len(w) > 7 && dice.IntN(2) == 0 {
		out = slip(out, in, dice)
	}
	return out
}

const keyboard = "qwertyuiop asdfghjkl zxcvbnm"

// slip makes one mistake: letters written as they sound, a letter left out, doubled, exchanged
// with its neighbor or with the next key.
func slip(w string, in int, dice *rand.Rand) string {
	if len(w) < 4 || strings.ContainsAny(w, "0123456789") {
		return w
	}
	if dice.IntN(2) == 0 {
		if heard := byEar(w, in, dice); heard != w {
			return heard
		}
	}
	if strings.ContainsFunc(w, func(r rune) bool { return r > 'z' }) {
		return w
	}
	i := 1 + dice.IntN(len(w)-2)
	switch dice.IntN(6) {
	case 0:
		return w[:i] + w[i+1:i+2] + w[i:i+1] + w[i+2:]
	case 1:
		return w[:i] + w[i-1:i] + w[i:]
	case 2:
		if at := strings.IndexByte(keyboard, w[i]); at > 0 && keyboard[at-1] != ' ' {
			return w[:i] + keyboard[at-1:at] + w[i+1:]
		}
	case 3:
		if strings.IndexByte("aeiou", w[i]) >= 0 {
			j := dice.IntN(5)
			return w[:i] + "aeiou"[j:j+1] + w[i+1:]
		}
	}
	return w[:i] + w[i+1:]
}

// byEar writes some letters of a word by others that sound alike.
func byEar(w string, in int, dice *rand.Rand) string {
	sounds := soundsLike[in]
	for _, n := range dice.Perm(len(sounds)) {
		if at := strings.Index(w[1:], sounds[n][0]); at >= 0 {
			return w[:1+at] + sounds[n][1] + w[1+at+len(sounds[n][0]):]
		}
		if in == spanish && strings.HasPrefix(w, sounds[n][0]) {
			return sounds[n][1] + w[len(sounds[n][0]):]
		}
	}
	return w
}
