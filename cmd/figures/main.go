// Command figures measures what docs/performance.md says and writes that page anew, from the
// root of the module:
//
//	go run ./cmd/figures
//	go run ./cmd/figures -only search
//
// The latter measures one section and prints it. What fails ends the run, and the page stays as
// it was. PostgreSQL is measured where PORTAL_TEST_DATABASE_URL names one.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"

	"portal/db"
)

// page is the file that is written.
const page = "docs/performance.md"

func main() {
	only := flag.String("only", "", "a section that is measured and printed: "+strings.Join(names(), ", "))
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *only, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func names() (all []string) {
	for _, s := range sections {
		all = append(all, s.name)
	}
	return all
}

// run measures one section and prints it, or all of them and writes the page. Progress says what
// is measured meanwhile and how long it took.
func run(ctx context.Context, only string, out, progress io.Writer) error {
	chosen := sections
	if only != "" {
		at := slices.Index(names(), only)
		if at < 0 {
			return fmt.Errorf("there is no section %s, but %s", only, strings.Join(names(), ", "))
		}
		chosen = sections[at : at+1]
	}
	m, err := look(ctx, os.Getenv("PORTAL_TEST_DATABASE_URL"), time.Now())
	if err != nil {
		return err
	}
	r := reported{}
	for _, s := range chosen {
		began := time.Now()
		if err := s.measure(ctx, r, m.PostgreSQL != "", progress); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Fprintf(progress, "%s took %v\n", s.name, time.Since(began).Round(time.Second))
	}
	if only != "" {
		text, err := chosen[0].text(r, m.PostgreSQL != "")
		fmt.Fprintln(out, text)
		return err
	}
	text, err := write(m, r)
	if err != nil {
		return err
	}
	return os.WriteFile(page, []byte(text), 0o644) //nolint:gosec // a file of the tree, as git makes it
}

// measure runs the commands of a section, and fails where one does or a figure did not come of them.
func (s section) measure(ctx context.Context, r reported, postgres bool, progress io.Writer) error {
	for _, command := range s.commands {
		fmt.Fprintln(progress, command)
		c := exec.CommandContext(ctx, "sh", "-c", command) //nolint:gosec // a command of the table
		output, err := c.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", command, err, output)
		}
		r.read(string(output))
	}
	for _, name := range s.declared() {
		if _, known := r[name]; !known && (postgres || !ofPostgres(name)) {
			return fmt.Errorf("the commands reported no %s", name)
		}
	}
	return nil
}

// machine is what the figures were measured on, and when.
type machine struct {
	Date       string // of UTC
	Commit     string
	CPU        string
	Cores      int
	Go         string
	Files      string // the file system of temporary files, among them SQLite's
	PostgreSQL string // its version and whether it waits for the disk, empty without one
}

// look asks the machine, git, and PostgreSQL where there is an address.
func look(ctx context.Context, address string, now time.Time) (m machine, err error) {
	m = machine{Date: now.UTC().Format(time.DateOnly), Cores: runtime.NumCPU(), Go: runtime.Version()}
	info, _ := os.ReadFile("/proc/cpuinfo") // Linux has it
	m.CPU = cmp.Or(model(string(info)), "unknown "+runtime.GOARCH)
	if m.Commit, err = git(ctx, "rev-parse", "--short=12", "HEAD"); err != nil {
		return m, err
	}
	changes, err := git(ctx, "status", "--porcelain", "--untracked-files=no", "--", ".", ":!"+page)
	if err != nil {
		return m, err
	}
	if changes != "" {
		m.Commit += ", changed"
	}
	m.Files = "an unknown file system"
	//nolint:gosec // the folder is that of whoever runs this
	if name, err := exec.CommandContext(ctx, "stat", "-f", "-c", "%T", os.TempDir()).Output(); err == nil {
		m.Files = strings.TrimSpace(string(name))
	}
	if address != "" {
		m.PostgreSQL, err = versionOf(ctx, address)
	}
	return m, err
}

// model is the first name of a processor in /proc/cpuinfo.
func model(info string) string {
	for line := range strings.Lines(info) {
		if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func git(ctx context.Context, args ...string) (string, error) {
	output, err := exec.CommandContext(ctx, "git", args...).Output() //nolint:gosec // arguments of this file
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(output)), nil
}

func versionOf(ctx context.Context, address string) (string, error) {
	d, err := db.OpenPostgres(ctx, address)
	if err != nil {
		return "", fmt.Errorf("PORTAL_TEST_DATABASE_URL: %w", err)
	}
	defer d.Close() //nolint:errcheck // only read
	var version, fsync string
	_, err = d.One(ctx, `SELECT current_setting('server_version'), current_setting('fsync')`, nil, &version, &fsync)
	return version + " with fsync=" + fsync, err
}
