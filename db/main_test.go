package db_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"portal/db"
	"portal/db/portfoliostore"
	"portal/jobs"
)

// children are what this test binary does as another process: with a store on a
// database, which is a folder or a URL.
var children = map[string]func(ctx context.Context, database string) error{
	"migrate": migrateAsChild,
	"visit":   visitAsChild,
	"write":   writeAsChild,
	"import":  importAsChild,
}

func TestMain(m *testing.M) {
	run, isChild := children[os.Getenv("PORTAL_TEST_CHILD")]
	if !isChild {
		os.Exit(large.Main(m))
	}
	if err := run(context.Background(), os.Getenv("PORTAL_TEST_CHILD_DATABASE")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// openAt opens a database without migrating it.
func openAt(ctx context.Context, database string) (*db.DB, error) {
	if strings.HasPrefix(database, "postgres") {
		return db.OpenPostgres(ctx, database)
	}
	return db.OpenSQLite(ctx, database)
}

// migrate brings a store up to date as the server does at its start.
func migrate(ctx context.Context, d *db.DB) error {
	return d.Migrate(ctx, portfoliostore.FillSearch, jobs.Migrate)
}

// process is a child that runs.
type process struct {
	*exec.Cmd
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
	err strings.Builder
}

// start runs a child. It is killed when the test ends, if it runs still.
func start(t *testing.T, what, database string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0]), t: t}
	p.Env = append(os.Environ(), "PORTAL_TEST_CHILD="+what, "PORTAL_TEST_CHILD_DATABASE="+database)
	p.Stderr = &p.err
	var err error
	p.in, err = p.StdinPipe()
	must(t, err)
	out, err := p.StdoutPipe()
	must(t, err)
	p.out = bufio.NewReader(out)
	must(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// line is the next one that the child prints, false at its end.
func (p *process) line() (string, bool) {
	s, err := p.out.ReadString('\n')
	return strings.TrimSuffix(s, "\n"), err == nil
}

// tell sends the child a line.
func (p *process) tell(s string) { _, _ = io.WriteString(p.in, s+"\n") }

// heard waits until the child is told something.
func heard() { _, _ = bufio.NewReader(os.Stdin).ReadString('\n') }

// end waits for a child that is to end well.
func (p *process) end() {
	p.t.Helper()
	_, _ = io.Copy(io.Discard, p.out)
	if err := p.Wait(); err != nil {
		p.t.Errorf("child: %v\n%s", err, p.err.String())
	}
}

// kill ends the child as a power cut would, and is what it said until then.
func (p *process) kill() (lines []string) {
	p.t.Helper()
	must(p.t, p.Process.Kill())
	for s, ok := p.line(); ok; s, ok = p.line() {
		lines = append(lines, s)
	}
	_ = p.Wait() // it was killed
	return lines
}
