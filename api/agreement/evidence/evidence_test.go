package evidence_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"portal/api/agreement/evidence"
	"portal/api/clock"
)

// written is a log with its key, and guessed the same with the key of somebody who has none.
var (
	written = evidence.Log{Subject: "doc_01KA5R2M7Q8D4E6F9G1H3J5K7M", Key: []byte("the key of the service")}
	guessed = evidence.Log{Subject: written.Subject, Key: []byte("another key")}
)

// signing is the log of a lease that two parties have signed.
func signing() (log []evidence.Entry, a evidence.Anchor) {
	for i, e := range []evidence.Entry{
		{Kind: evidence.Generated},
		{Kind: evidence.Sent, Party: "sig_1", Name: "Nguyễn Thị Phương Thảo"},
		{Kind: evidence.Sent, Party: "sig_2", Name: "Dana Whitfield"},
		{
			Kind:    evidence.Viewed,
			Party:   "sig_1",
			Name:    "Nguyễn Thị Phương Thảo",
			Address: "203.0.113.7",
			Browser: "Mozilla/5.0 (iPhone)",
		},
		{
			Kind:    evidence.Consented,
			Party:   "sig_1",
			Name:    "Nguyễn Thị Phương Thảo",
			Address: "203.0.113.7",
			Browser: "Mozilla/5.0 (iPhone)",
		},
		{
			Kind:    evidence.CodeSent,
			Party:   "sig_1",
			Name:    "Nguyễn Thị Phương Thảo",
			Address: "203.0.113.7",
			Browser: "Mozilla/5.0 (iPhone)",
		},
		{
			Kind:    evidence.CodeGiven,
			Party:   "sig_1",
			Name:    "Nguyễn Thị Phương Thảo",
			Address: "203.0.113.7",
			Browser: "Mozilla/5.0 (iPhone)",
		},
		{
			Kind:    evidence.Signed,
			Party:   "sig_1",
			Name:    "Nguyễn Thị Phương Thảo",
			Address: "203.0.113.7",
			Browser: "Mozilla/5.0 (iPhone)",
			Note:    "Nguyễn Thị Phương Thảo",
		},
		{
			Kind:    evidence.Signed,
			Party:   "sig_2",
			Name:    "Dana Whitfield",
			Address: "2001:db8::7",
			Browser: "Mozilla/5.0 (Macintosh)",
			Note:    "Dana Whitfield",
		},
		{Kind: evidence.Executed},
	} {
		e.At = clock.Time(1_795_000_000_000 + i*1000)
		e.Document = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
		log = append(log, written.Append(&a, e))
	}
	return log, a
}

func TestUntouchedLogIsValid(t *testing.T) {
	t.Parallel()
	log, a := signing()
	if f := written.Check(log, a); f != nil {
		t.Errorf("%v", f)
	}
	if f := written.Check(nil, evidence.Anchor{}); f != nil {
		t.Errorf("an empty log: %v", f)
	}
	if f := (evidence.Log{Subject: "doc_01KA5R2M7Q8D4E6F9G1H3J5K7N", Key: written.Key}).Check(
		log,
		a,
	); f == nil ||
		f.Number != 1 {
		t.Errorf("the log of another document: %v, want a fault of entry 1", f)
	}
}

func TestInvalidUTF8IsReplacedBeforeHashing(t *testing.T) {
	t.Parallel()
	var a evidence.Anchor
	e := written.Append(&a, evidence.Entry{Kind: evidence.Viewed, Browser: "Mozilla\xff"})
	if f := written.Check([]evidence.Entry{e}, a); f != nil || e.Browser != "Mozilla\ufffd" {
		t.Errorf("%q: %v", e.Browser, f)
	}
}

// Each try changes one thing of a log, and says which entry has to be found.
func TestEveryLogChangeIsLocated(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 13))
	for try := range 500 {
		log, a := signing()
		what, want := tamper(r, &log, &a)
		f := written.Check(log, a)
		if f == nil || f.Number != want {
			t.Errorf("try %d, %s: %v, want a fault of entry %d", try, what, f, want)
		}
	}
}

func tamper(r *rand.Rand, log *[]evidence.Entry, a *evidence.Anchor) (what string, want int) {
	all := *log
	i := r.IntN(len(all))
	switch r.IntN(8) {
	case 0:
		return "a field changed", changeField(r, all, i)
	case 1:
		*log = slices.Delete(all, i, i+1)
		return "an entry removed", i + 1
	case 2:
		j := (i + 1 + r.IntN(len(all)-1)) % len(all)
		all[i], all[j] = all[j], all[i]
		return "two entries swapped", min(i, j) + 1
	case 3:
		*log = all[:i]
		return "cut at the end", i + 1
	case 4: // hashes made anew from there on, as somebody who writes to the database could
		forge(all, i)
		return "made anew from an entry on", i + 1
	case 5: // and the anchor too
		*a = forge(all, i)
		return "made anew from an entry on, with the anchor", i + 1
	case 6: // cut, and the anchor written for what is left
		*log = all[:i]
		*a = evidence.Anchor{Count: i, MAC: a.MAC}
		if i == 0 {
			return "cut to nothing, with the anchor", 1
		}
		a.Head = all[i-1].Hash
		return "cut at the end, with the anchor", i + 1
	}
	end := *a
	*log = append(all, written.Append(&end, evidence.Entry{Kind: evidence.Declined}))
	return "an entry added", len(all) + 1
}

// forge changes an entry and makes all hashes from there on anew, without the key. It gives the anchor
// that they lead to.
func forge(all []evidence.Entry, i int) evidence.Anchor {
	forged := evidence.Anchor{Count: i}
	if i > 0 {
		forged.Head = all[i-1].Hash
	}
	all[i].Note += " forged"
	for j := i; j < len(all); j++ {
		all[j] = guessed.Append(&forged, all[j])
	}
	return forged
}

// changeField changes one byte of one field.
func changeField(r *rand.Rand, all []evidence.Entry, i int) (want int) {
	e := &all[i]
	texts := []*string{(*string)(&e.Kind), &e.Document, &e.Previous, &e.Hash}
	for _, s := range []*string{&e.Party, &e.Name, &e.Address, &e.Browser, &e.Note} {
		if *s != "" {
			texts = append(texts, s)
		}
	}
	n := r.IntN(len(texts) + 1)
	if n == len(texts) {
		e.At += clock.Time(1 + r.IntN(1000))
		return i + 1
	}
	b := []byte(*texts[n])
	at := r.IntN(len(b))
	b[at] = 'a' + (b[at]+1)%26
	if b[at] == (*texts[n])[at] {
		b[at]++
	}
	*texts[n] = string(b)
	return i + 1
}
