package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document/documenttest"
)

// certificate is what the certificate of a signed lease has to say, by what the test did.
type certificate struct {
	office   *mailServer               // that took the emails
	rows     [][]logRow                // of the log; those of one group come in any order
	parties  map[string]partySignature // by their names
	order    []string                  // the names of the parties, as they stand in the lease
	document string                    // its number
	unsigned string                    // SHA-256 of what was signed, in hex
	verify   string                    // address of the page that checks a file
	from, to time.Time                 // between which everything happened
	head     string                    // hash of the last entry, as the certificate has it
}

// logRow is one of the log in the certificate, but for its time.
type logRow struct {
	who, what, from string
	answer          string // of an email that was taken: to whom it went, behind whose number the row ends
}

// partySignature is how a party has signed.
type partySignature struct {
	proof, browser string
	paper          time.Time // the day, zero for who has signed here
	by, scan       string    // who has recorded it, and the SHA-256 of the scan
}

// count is how many rows the log has.
func (c *certificate) count() (n int) {
	for _, group := range c.rows {
		n += len(group)
	}
	return n
}

// expects has one row come after the other.
func (c *certificate) expects(rows ...logRow) {
	for _, r := range rows {
		c.rows = append(c.rows, []logRow{r})
	}
}

// moment is a time as the certificate has it.
func moment(at time.Time) string { return at.UTC().Format("January 2, 2006, 15:04:05") + " UTC" }

// certificateText is what is left to read of a certificate, without its spaces: lines are broken anywhere.
type certificateText struct {
	*testing.T
	left string
}

// squeeze is a text without its spaces.
func squeeze(text string) string { return strings.Join(strings.Fields(text), "") }

// is reads on by a text, which has to come next.
func (r *certificateText) is(format string, args ...any) {
	r.Helper()
	want := squeeze(fmt.Sprintf(format, args...))
	left, is := strings.CutPrefix(r.left, want)
	if !is {
		r.Fatalf("the certificate goes on %.300q, want %q", r.left, want)
	}
	r.left = left
}

// fits reads on by what fits a pattern.
func (r *certificateText) fits(pattern string) string {
	r.Helper()
	found := regexp.MustCompile("^(?:" + pattern + ")").FindString(r.left)
	if found == "" {
		r.Fatalf("the certificate goes on %.300q, want %s", r.left, pattern)
	}
	r.left = r.left[len(found):]
	return found
}

// moment reads on by a time.
func (r *certificateText) moment() time.Time {
	r.Helper()
	text := r.fits(`[A-Z][a-z]+\d{1,2},\d{4},\d\d:\d\d:\d\dUTC`)
	at, err := time.Parse("January2,2006,15:04:05UTC", text)
	orFail(r.T, err)
	return at
}

// check reads the certificate of a signed lease from its first word to its last one.
func (c *certificate) check(t *testing.T, content []byte) {
	t.Helper()
	whole := documenttest.Tool(t, content, "pdftotext", "-raw", "FILE", "-")
	_, text, is := strings.Cut(whole, "Certificate of signatures\n")
	versions := 0
	for _, group := range c.rows {
		if group[0].what == madeRow {
			versions++
		}
	}
	ends := regexp.MustCompile(fmt.Sprintf(`(?m)^lea_\w+, version %d Page \d+ of \d+\n\s*`, versions) +
		`(?:Residential lease · .*\n(?:When Who What From\n)?)?`)
	if !is || len(ends.FindAllString(text, -1)) < 2 {
		t.Fatalf("no certificate of version %d: %s", versions, whole)
	}
	r := &certificateText{t, squeeze(ends.ReplaceAllString(text, ""))}
	signed, agreed := c.checkParties(r)
	times := c.checkLog(r)
	for _, name := range c.order {
		want := map[string]time.Time{"Signed": signed[name], "Agreed to electronic records": agreed[name]}
		if s := c.parties[name]; !s.paper.IsZero() {
			want = map[string]time.Time{c.paperRow(s): signed[name]}
		}
		for what, at := range want {
			if !at.Equal(times[name+what]) {
				t.Errorf("%s: %s on %s, by the log on %s", name, what, at, times[name+what])
			}
		}
	}
}

// madeRow is what the log says of a version of the document.
const madeRow = "The document was made"

// paperRow is what the log says of a signature on paper.
func (*certificate) paperRow(s partySignature) string {
	return "Signed on paper on " + s.paper.Format(day) + "; recorded by " + s.by +
		", who confirmed their sign-in; scan SHA-256 " + s.scan
}

// day is how the certificate writes days.
const day = "January 2, 2006"

// checkParties reads what the certificate says of each party, and when they have signed, or that was recorded, and when
// they agreed to electronic records.
func (c *certificate) checkParties(r *certificateText) (signed, agreed map[string]time.Time) {
	r.Helper()
	signed, agreed = map[string]time.Time{}, map[string]time.Time{}
	paragraph := 0
	next := func() { paragraph++; r.fits(fmt.Sprintf(`[A-Z]\.%d`, paragraph)) }
	next()
	onPaper := slices.ContainsFunc(c.order, func(name string) bool { return !c.parties[name].paper.IsZero() })
	if onPaper {
		r.is(
			"All parties have signed this lease: electronically, or on paper where it says so. This is what is known " +
				"of each of them:",
		)
	} else {
		r.is("All parties have signed this lease electronically. This is what each of them did:")
	}
	r.is("Party Signed Identified From")
	for _, name := range c.order {
		s := c.parties[name]
		r.is("%s", name)
		if !s.paper.IsZero() {
			r.is("On paper on %s Recorded by %s for the landlord. No code was asked, and no email address was proved",
				s.paper.Format(day), s.by)
			continue
		}
		signed[name] = r.moment()
		r.is("%s; typed the name “%s” %s", s.proof, name, here)
	}
	for _, name := range c.order {
		s := c.parties[name]
		next()
		if !s.paper.IsZero() {
			r.is("%s signed on paper on %s. %s recorded it on", name, s.paper.Format(day), s.by)
			signed[name] = r.moment()
			r.is(
				", signed in to the landlord’s account and confirmed by a password, passkey or code, and uploaded a scan "+
					"with the SHA-256 %s. No code was asked, and no email address was proved.",
				s.scan,
			)
			continue
		}
		r.is("%s agreed to electronic records on", name)
		agreed[name] = r.moment()
		r.is(".")
		next()
		r.is("%s signed with this browser: %s", name, s.browser)
	}
	next()
	r.is(
		"The document that the parties read and signed, without signatures and this certificate, has the number %s and "+
			"the SHA-256 %s.",
		c.document,
		c.unsigned,
	)
	if onPaper {
		next()
		r.is("The landlord says that the paper has the same text.")
	}
	next()
	r.is("What happened, as it was logged at the time:")
	return signed, agreed
}

// checkLog reads the rows of the log and what stands behind them, and when what happened, by the name of the party and
// what it is.
func (c *certificate) checkLog(r *certificateText) (times map[string]time.Time) {
	r.Helper()
	times = map[string]time.Time{}
	r.is("When Who What From")
	var before time.Time
	taken := map[string]bool{} // the numbers of emails
	for _, group := range c.rows {
		for left := slices.Clone(group); len(left) > 0; {
			at := r.moment()
			i := slices.IndexFunc(left, func(w logRow) bool { return strings.HasPrefix(r.left, squeeze(w.who+w.what)) })
			if i < 0 {
				r.Fatalf("the log goes on %.200q, want one of %+v", r.left, left)
			}
			w := left[i]
			r.is("%s", w.who+w.what)
			if w.answer != "" {
				number := r.fits(`\d+`)
				if taken[number] || c.office.number(number) != w.answer {
					r.Errorf("the email %s to %s went to %s", number, w.answer, c.office.number(number))
				}
				taken[number] = true
				r.is(")")
			}
			r.is("%s", w.from)
			if at.Before(before) || at.Before(c.from) || at.After(c.to) {
				r.Errorf("%+v happened on %s: behind %s, from %s to %s", w, at, before, c.from, c.to)
			}
			before, times[w.who+w.what] = at, at
			left = slices.Delete(left, i, i+1)
		}
	}
	r.fits(`[A-Z]\.\d+`)
	r.is("The log has %d entries so far. Each entry has the hash of the one before it; the last one has the hash",
		c.count())
	c.head = r.fits(`[0-9a-f]{64}`)
	r.is(".")
	r.fits(`[A-Z]\.\d+`)
	r.is("The digital signature of this file covers every byte of it. Anyone can check the file at %s.", c.verify)
	if r.left != "" {
		r.Errorf("behind the certificate: %s", r.left)
	}
	return times
}
