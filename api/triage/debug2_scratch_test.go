package triage

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestRepairs(t *testing.T) {
	x := reading()
	f, _ := os.Open(os.Getenv("W"))
	s := bufio.NewScanner(f)
	var b strings.Builder
	for s.Scan() {
		k := token{word: s.Text(), lemma: unknown}
		x.words.find(&k)
		if k.repaired {
			fmt.Fprintf(&b, "%s>%s ", k.word, x.words.words[k.lemma])
		}
	}
	fmt.Println(b.String())
}
