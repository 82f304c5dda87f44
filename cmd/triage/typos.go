package main

import (
	"embed"
	"math/rand/v2"
	"slices"
	"strings"
)

// Tenants write on phones, in a hurry, and in a second language. The model learns each of its
// messages again with the mistakes that they make.

//go:embed typos
var typoFiles embed.FS

var (
	shortForms = wordsOf("short") // words as they are written in messages
	asHeard    = wordsOf("heard") // short words as they are written by ear
)

// soundsLike are letters that are written for others that sound alike, or for none.
var soundsLike = [...][][2]string{english: pairsOf("english"), spanish: pairsOf("spanish")}

// pairsOf reads a file of what is meant and what is written for it, a pair a line.
func pairsOf(file string) (all [][2]string) {
	text, err := typoFiles.ReadFile("typos/" + file + ".txt")
	if err != nil {
		panic(err) // it is part of the program
	}
	for line := range strings.Lines(string(text)) {
		meant, written, _ := strings.Cut(strings.TrimSpace(line), " ")
		all = append(all, [2]string{meant, written})
	}
	return all
}

func wordsOf(file string) map[string]string {
	words := map[string]string{}
	for _, p := range pairsOf(file) {
		words[p[0]] = p[1]
	}
	return words
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
