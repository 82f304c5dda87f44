package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"portal/cmd/portal/cli"
	"portal/db"
	"portal/db/dbtest"
)

// rollRun is a landlord on a server of their own, who imports rent rolls with the binary.
type rollRun struct {
	*testing.T
	home
	folder string
}

const rollOwner = "dana@example.com"

func newRollRun(t *testing.T) rollRun {
	t.Helper()
	r := rollRun{t, newHome(t).blank(t), t.TempDir()}
	r.do(t, "migrate")
	r.asJSON(t, "correct horse battery staple\n", "user", "add", rollOwner, "--password-stdin")
	return r
}

// file writes a file and is its path.
func (r rollRun) file(name, content string) string {
	r.Helper()
	path := filepath.Join(r.folder, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		r.Fatal(err)
	}
	return path
}

// imports runs the command, which ends with a code and says some words.
func (r rollRun) imports(code int, words string, args ...string) {
	r.Helper()
	got, out, errs := r.home.run(r.T, append([]string{"import", rollOwner}, args...)...)
	if got != code || !strings.Contains(out+errs, words) {
		r.Errorf("portal import %q: exit code %d, want %d and %q: %s%s", args, got, code, words, out, errs)
	}
}

// holds holds the live portfolio to some units, and the rents of its leases.
func (r rollRun) holds(want ...string) {
	r.Helper()
	d, err := db.OpenSQLite(r.Context(), r.data)
	if err != nil {
		r.Fatal(err)
	}
	defer d.Close()
	got := slices.Concat(
		dbtest.Texts(r, d, `SELECT r.unit_number
			FROM units r
			JOIN portfolios p ON p.id = r.portfolio_id
			WHERE p.mode = 'live'
			ORDER BY r.unit_number`),
		dbtest.Texts(r, d, `SELECT CAST(r.monthly_rent AS TEXT)
			FROM leases r
			JOIN portfolios p ON p.id = r.portfolio_id
			WHERE p.mode = 'live'
			ORDER BY r.start_date`),
	)
	if !slices.Equal(got, want) {
		r.Errorf("the portfolio holds %q, want %q", got, want)
	}
}

// noState is a file whose state is none, with a column that a rent roll does not have.
const noState = "address,city,state,zip,unit,tenant,start,rent,Notes\n" +
	"9 Pine St,Austin,Ontario,78701,1,Ann Lee,2026-02-01,900,Has a dog\n" +
	"9 Pine St,Austin,Ontario,78701,2,Bo Day,2026-04-03,950,\n"

func TestImportTakesAnswersFromAFileAndChecksWithoutWriting(t *testing.T) {
	t.Parallel()
	r := newRollRun(t)
	roll := r.file("roll.csv", noState)
	r.imports(cli.ExitFailed, "nothing was imported", roll, "--check")
	r.imports(cli.ExitFailed, "nothing was imported", roll, "--accept")
	r.holds()

	answers := r.file("answers.json", `{"mapping":{"Notes":null},"answers":{"value:state:Ontario":"TX"}}`)
	r.imports(
		cli.ExitDone,
		"Nothing was imported. The file has 2 units in 1 property",
		roll,
		"--check",
		"--mapping",
		answers,
	)
	r.holds()
	for name, content := range map[string]string{
		"broken.json":   `{"mapping":`,
		"column.json":   `{"mapping":{"Nots":null}}`,
		"question.json": `{"answers":{"dates:rent":"day_first"}}`,
	} {
		r.imports(cli.ExitFailed, "", roll, "--mapping", r.file(name, content))
	}
	r.imports(cli.ExitFailed, "no-such.json", roll, "--mapping", "no-such.json")
	r.holds()
	r.imports(cli.ExitDone, "Imported 2 units in 1 property", roll, "--mapping", answers)
	r.holds("1", "2", "90000", "95000")

	r.imports(cli.ExitDone, "the portfolio has everything in the file already", roll, "--mapping", answers)
	r.holds("1", "2", "90000", "95000")
}

func TestImportChangesLeasesOnlyWhereAnAnswerSaysSo(t *testing.T) {
	t.Parallel()
	r := newRollRun(t)
	const first = "address,unit,tenant,start,rent\n\"9 Pine St, Austin, TX 78701\",1,Ann Lee,2026-02-01,900\n"
	r.imports(cli.ExitDone, "Imported 1 unit", r.file("first.csv", first))
	newer := r.file("newer.csv", strings.Replace(first, ",900", ",925", 1)+
		"\"9 Pine St, Austin, TX 78701\",2,Bo Day,2026-03-01,950\n")
	apply := r.file("apply.json", `{"answers":{"changes:lease":"apply"}}`)
	r.imports(cli.ExitDone, "Nothing was imported.", newer, "--check", "--mapping", apply)
	r.holds("1", "90000")
	r.imports(cli.ExitDone, "Imported 1 unit", newer)
	r.holds("1", "2", "90000", "95000")
	r.imports(cli.ExitDone, "Imported 0 units", newer, "--mapping", apply)
	r.holds("1", "2", "92500", "95000")
}
