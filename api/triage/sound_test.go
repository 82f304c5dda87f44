package triage

import "testing"

// readAs is the word of the lexicon, or the common word, that a word is read as.
func readAs(word string) string {
	p := reading().words.read(word)
	return p.meant(&p.tokens[0])
}

func TestPhoneticSpellingIsRecognized(t *testing.T) {
	t.Parallel()
	for written, meant := range map[string]string{
		"bathrm": "bathroom", "wipd": "wipe", "shaterd": "shatter", "chekd": "check",
		"washrs": "washer", "sparcs": "spark", "spidders": "spider", "packges": "package", "cabnets": "cabinet",
		"showrs": "shower", "raks": "rack",
	} {
		if got := readAs(written); got != meant {
			t.Errorf("%q is read as %q, want %q", written, got, meant)
		}
	}
}

// A slip in a word that means nothing here made another of it that does.
func TestTypoInOrdinaryWordDoesNotMatchLexicon(t *testing.T) {
	t.Parallel()
	for written, meant := range map[string]string{
		"numbr": "number", "botom": "bottom", "tomorow": "tomorrow", "cousn": "cousin",
		"wtaer": "water", "otulet": "outlet", "nosie": "noise", "littel": "little",
	} {
		if got := readAs(written); got != meant {
			t.Errorf("%q is read as %q, want %q", written, got, meant)
		}
	}
}
