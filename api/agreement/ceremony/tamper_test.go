package ceremony_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"portal/api/agreement"
	"portal/api/agreement/evidence"
	"portal/api/change"
	"portal/api/money"
	"portal/api/portfolio/lease"
	"portal/api/sampled"
	"portal/db"
)

// tamperTries is how many changes are tried; PORTAL_PROVE tries 500.
func tamperTries() int {
	if sampled.Whole {
		return 500
	}
	return 60
}

// tampering changes what is kept of the lease that a fixture has executed, as somebody does who can write to
// the database and has no key.
type tampering struct {
	*fixture
	*rand.Rand
	ctx        context.Context // of the transaction that is rolled back
	log        []evidence.Entry
	versions   []agreement.Version
	documentID string
}

// errUndo takes back what a try has changed.
var errUndo = errors.New("undo")

func TestEveryChangeToExecutedLeaseIsLocated(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.ok(f.Review(f.Context(), f.token(0), from)) // so that both versions are kept
		_, err := f.agreements.UpdateLease(f.Context(), f.by, change.Target{ID: f.lease.ID},
			lease.Update{MonthlyRent: change.To(money.Dollars(1777))})
		f.ok(err)
		f.executesVersion(2)
		x := &tampering{fixture: f, Rand: rand.New(rand.NewPCG(11, 17)), documentID: *f.lease.DocumentID}
		f.ok(f.agreements.EachVersion(f.Context(), f.by.Portfolio, x.documentID, func(v *agreement.Version) error {
			x.versions = append(x.versions, *v)
			return nil
		}))
		x.log = x.entries()
		f.intact()
		for try := range tamperTries() {
			err := f.db.Atomically(f.Context(), func(ctx context.Context) error {
				x.ctx = ctx
				what, want := x.tamper(try)
				found, err := f.agreements.Verify(ctx, x.documentID)
				located := slices.ContainsFunc(found, func(t agreement.Tampering) bool {
					return strings.HasPrefix(t.String(), want+" ")
				})
				if want == "" && err == nil || want != "" && (err != nil || !located) {
					f.Errorf("try %d, %s: %v, %v, want %s", try, what, found, err, want)
				}
				return errUndo
			})
			if !errors.Is(err, errUndo) {
				f.Fatal(err)
			}
		}
		f.intact()
	})
}

// exec changes rows, so many.
func (x *tampering) exec(rows int64, statement string, args ...any) {
	x.Helper()
	n, err := x.db.Exec(x.ctx, statement, args...)
	if err != nil || n != rows {
		x.Fatalf("%s: %d rows, %v", statement, n, err)
	}
}

// entries are those of the log.
func (x *tampering) entries() (all []evidence.Entry) {
	x.Helper()
	x.ok(x.db.Each(x.Context(), `SELECT number, at, kind, party, name, address, browser, document, note, previous, hash
		FROM document_evidence WHERE document_id = $1 ORDER BY number`, []any{x.documentID}, func(scan db.Scan) error {
		var e evidence.Entry
		err := scan(&e.Number, &e.At, &e.Kind, &e.Party, &e.Name, &e.Address, &e.Browser, &e.Document, &e.Note,
			&e.Previous, &e.Hash)
		all = append(all, e)
		return err
	}))
	return all
}

// tamper changes something, and says what, and where it has to be found; "" for a key that does not open.
func (x *tampering) tamper(try int) (what, want string) {
	switch try % 4 {
	case 0:
		return x.tamperEntry()
	case 1:
		return x.tamperLog()
	case 2:
		return x.tamperVersion()
	}
	if x.IntN(2) == 0 {
		return x.tamperAnchor()
	}
	return x.tamperExecution()
}

func entry(n int) string { return fmt.Sprintf("entry %d of the log", n) }

// text is a text with one letter changed.
func (x *tampering) text(s string) string {
	if s == "" {
		return "x"
	}
	runes := []rune(s)
	runes[x.IntN(len(runes))] ^= 1
	return string(runes)
}

// content is a file with one bit changed.
func (x *tampering) content(b []byte) []byte {
	b = slices.Clone(b)
	b[x.IntN(len(b))] ^= 1 << x.IntN(8)
	return b
}

// tamperEntry changes a column of a row of the log.
func (x *tampering) tamperEntry() (what, want string) {
	e := &x.log[x.IntN(len(x.log))]
	columns := []struct {
		name  string
		value any
	}{
		{"number", e.Number + len(x.log)},
		{"at", int64(e.At) + 1},
		{"kind", x.text(string(e.Kind))},
		{"party", x.text(e.Party)},
		{"name", x.text(e.Name)},
		{"address", x.text(e.Address)},
		{"browser", x.text(e.Browser)},
		{"document", x.text(e.Document)},
		{"note", x.text(e.Note)},
		{"previous", x.text(e.Previous)},
		{"hash", x.text(e.Hash)},
	}
	c := columns[x.IntN(len(columns))]
	x.exec(1, "UPDATE document_evidence SET "+c.name+" = $3 WHERE document_id = $1 AND number = $2",
		x.documentID, e.Number, c.value)
	return "another " + c.name + " of an entry", entry(e.Number)
}

// tamperLog removes rows of the log, moves them, or writes another history without the key.
func (x *tampering) tamperLog() (what, want string) {
	i := x.IntN(len(x.log))
	n := x.log[i].Number
	switch x.IntN(5) {
	case 0:
		x.exec(1, "DELETE FROM document_evidence WHERE document_id = $1 AND number = $2", x.documentID, n)
		return "an entry removed", entry(n)
	case 1:
		other := 1 + (n+x.IntN(len(x.log)-1))%len(x.log)
		for _, to := range [][2]int{{n, 0}, {other, n}, {0, other}} {
			x.exec(1, "UPDATE document_evidence SET number = $3 WHERE document_id = $1 AND number = $2",
				x.documentID, to[0], to[1])
		}
		return "two entries swapped", entry(min(n, other))
	case 2:
		x.cut(n)
		return "cut at the end", entry(n)
	case 3:
		x.cut(n)
		head := ""
		if i > 0 {
			head = x.log[i-1].Hash
		}
		x.exec(1, "UPDATE documents SET evidence_count = $2, evidence_head = $3 WHERE id = $1", x.documentID, i, head)
		return "cut at the end, with the anchor", entry(max(1, n))
	}
	x.rewrite(i)
	return "written anew from an entry on, with the anchor", entry(n)
}

// cut removes an entry and all behind it.
func (x *tampering) cut(n int) {
	x.Helper()
	x.exec(int64(len(x.log)-n+1), "DELETE FROM document_evidence WHERE document_id = $1 AND number >= $2",
		x.documentID, n)
}

// rewrite has another name in an entry, and makes all hashes from there on and the anchor with another key.
func (x *tampering) rewrite(i int) {
	x.Helper()
	forger := evidence.Log{Subject: x.documentID, Key: []byte("another key")}
	a := evidence.Anchor{Count: i}
	if i > 0 {
		a.Head = x.log[i-1].Hash
	}
	for j, e := range x.log[i:] {
		if j == 0 {
			e.Name = "Somebody Else"
		}
		e = forger.Append(&a, e)
		x.exec(1, `UPDATE document_evidence SET name = $3, previous = $4, hash = $5
			WHERE document_id = $1 AND number = $2`, x.documentID, e.Number, e.Name, e.Previous, e.Hash)
	}
	x.exec(1, "UPDATE documents SET evidence_count = $2, evidence_head = $3, evidence_mac = $4 WHERE id = $1",
		x.documentID, a.Count, a.Head, a.MAC)
}

// tamperVersion changes a version of the document.
func (x *tampering) tamperVersion() (what, want string) {
	v := &x.versions[x.IntN(len(x.versions))]
	want = fmt.Sprintf("version %d", v.Number)
	changes := []struct {
		set   string
		value any
	}{
		{"content", x.content(v.Content)},
		{"content", v.Content[:1+x.IntN(len(v.Content)-1)]},
		{"body", x.text(v.Body)},
		{"sha256", x.text(v.SHA256)},
		{"created_at", int64(v.CreatedAt) + 1},
		{"number", v.Number + 2},
	}
	i := x.IntN(len(changes) + 1)
	if i == len(changes) {
		x.exec(1, "DELETE FROM document_versions WHERE document_id = $1 AND number = $2", x.documentID, v.Number)
		return "a version removed", want
	}
	x.exec(1, "UPDATE document_versions SET "+changes[i].set+" = $3 WHERE document_id = $1 AND number = $2",
		x.documentID, v.Number, changes[i].value)
	return "another " + changes[i].set + " of a version", want
}

// tamperAnchor changes a column of what the log is held against.
func (x *tampering) tamperAnchor() (what, want string) {
	n := len(x.log)
	changes := []struct{ set, want string }{
		{"evidence_count = evidence_count + 1", entry(n + 1)},
		{"evidence_count = evidence_count - 1", entry(n)},
		{"evidence_count = 0", entry(1)},
		{"evidence_head = ''", entry(n)},
		{"evidence_head = 'x' || evidence_head", entry(n)},
		{"evidence_mac = ''", entry(n + 1)},
		{"evidence_mac = 'x' || evidence_mac", entry(n + 1)},
		{"evidence_key = NULL", entry(1)},
		{"version = version - 1", "version 2"},
		{"version = version + 1", "version 3"},
	}
	if i := x.IntN(len(changes) + 1); i < len(changes) {
		x.exec(1, "UPDATE documents SET "+changes[i].set+" WHERE id = $1", x.documentID)
		return changes[i].set, changes[i].want
	}
	x.exec(1, "UPDATE documents SET evidence_key = $2 WHERE id = $1", x.documentID, []byte("another key"))
	return "another key", ""
}

// tamperExecution changes the document that all have signed, or what the lease says of it.
func (x *tampering) tamperExecution() (what, want string) {
	e, err := x.agreements.Execution(x.ctx, x.documentID)
	x.ok(err)
	changes := []struct {
		set   string
		value any
	}{
		{"content", x.content(e.Content)},
		{"content", e.Content[:x.IntN(len(e.Content))]},
		{"sha256", x.text(e.SHA256)},
		{"version", e.Version - 1},
		{"created_at", int64(e.CreatedAt) + 1},
	}
	i := x.IntN(len(changes) + 3)
	switch i - len(changes) {
	case 0:
		x.exec(1, "DELETE FROM executed_documents WHERE document_id = $1", x.documentID)
		return "it is removed", "the signed document"
	case 1:
		x.exec(1, "UPDATE leases SET document_sha256 = $2 WHERE document_id = $1", x.documentID, x.text(e.SHA256))
		return "another hash in the lease", "the signed document"
	case 2:
		x.exec(1, "UPDATE leases SET document_sha256 = NULL WHERE document_id = $1", x.documentID)
		return "no hash in the lease", "the signed document"
	}
	x.exec(1, "UPDATE executed_documents SET "+changes[i].set+" = $2 WHERE document_id = $1",
		x.documentID, changes[i].value)
	return "another " + changes[i].set, "the signed document"
}
