package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"portal/cmd/portal/cli"
	"portal/db"
)

// ticketWriters open tickets until they are stopped, and note those that were acknowledged.
type ticketWriters struct {
	mu   sync.Mutex
	ids  []string
	stop chan struct{}
	all  sync.WaitGroup
}

func (s *servedInside) write8(t *testing.T) *ticketWriters {
	t.Helper()
	w := &ticketWriters{stop: make(chan struct{})}
	property := s.value(
		t,
		"SELECT min(r.id) FROM properties r JOIN portfolios p ON p.id = r.portfolio_id WHERE p.mode = 'test'",
	)
	for n := range 8 {
		w.all.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-w.stop:
					return
				default:
				}
				made := s.post(t, "/maintenance/tickets", fmt.Sprintf("writer %d, ticket %d",
					n, i), `{"description":"The tap in the kitchen drips.","property_id":"`+property+`"}`)
				var ticket struct{ ID string }
				if made.status == http.StatusTooManyRequests {
					return
				}
				if err := json.Unmarshal([]byte(made.body), &ticket); err != nil || made.status != http.StatusCreated {
					t.Errorf("%+v, %v", made, err)
					return
				}
				w.mu.Lock()
				w.ids = append(w.ids, ticket.ID)
				w.mu.Unlock()
			}
		})
	}
	return w
}

func (w *ticketWriters) acknowledged() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.ids...)
}

func TestBackupDuringWritesContainsAcknowledgedWrites(t *testing.T) {
	t.Parallel()
	h := newHome(t).with("PORTAL_ALLOW_INSECURE_WEBHOOKS=true")
	s, file := h.serveInside(t), filepath.Join(t.TempDir(), "copy.db")
	s.asJSON(t, "", "plan", "set", demoLandlord, "prime")
	made := s.post(t, endpointPath, "made", endpointBody)
	w := s.write8(t)
	eventually(t, "some tickets are acknowledged", func() bool { return len(w.acknowledged()) >= 50 })
	before := w.acknowledged()
	said := s.asJSON(t, "", "backup", file, "--with-key").(map[string]any)
	after := len(w.acknowledged())
	close(w.stop)
	w.all.Wait()
	s.end()
	if said["file"] != file || said["key_file"] != file+".key" || said["bytes"].(float64) < 1e5 {
		t.Errorf("it said %v", said)
	}
	for _, path := range []string{file, file + ".key"} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 2 {
		t.Errorf("beside the backup there is more: %v, %v", left, err)
	}
	if err := db.InspectSQLite(t.Context(), file); err != nil {
		t.Error(err)
	}
	t.Logf("%d tickets were acknowledged before the backup, %d when it ended", len(before), after)

	other := newHome(t).with("PORTAL_ALLOW_INSECURE_WEBHOOKS=true")
	if got := other.asJSON(t, "", "restore", file).(map[string]any); got["key"] != true {
		t.Errorf("restore said %v", got)
	}
	d := other.database(t)
	defer d.Close()
	for _, id := range before {
		var n int
		if err := d.QueryRowContext(
			t.Context(),
			"SELECT count(*) FROM tickets WHERE id = $1",
			id,
		).Scan(&n); err != nil ||
			n != 1 {
			t.Fatalf("%s is lost: %d, %v", id, n, err)
		}
	}
	demo, err := os.ReadFile(filepath.Join(s.data, "demo.json"))
	if err == nil {
		err = os.WriteFile(filepath.Join(other.data, "demo.json"), demo, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	restored, sink := other.serveInside(t), newHook(t, http.StatusOK)
	if again := restored.post(t, endpointPath, "made", endpointBody); !again.replayed || again.body != made.body {
		t.Errorf("a sealed answer: %+v, was %+v", again, made)
	}
	if r := restored.post(t, endpointPath, "new", `{"url":"`+sink.URL+`"}`); r.status != http.StatusCreated {
		t.Fatalf("%+v", r)
	}
	restored.asJSON(t, "", "trigger", demoLandlord, "maintenance.created")
	sink.wait(t, 1)
}

func TestFailedBackupOverwritesNothingAndLeavesNoFiles(t *testing.T) {
	t.Parallel()
	h, folder := newHome(t), t.TempDir()
	h.asJSON(t, "", "migrate")
	file := filepath.Join(folder, "copy.db")
	for _, taken := range []string{file, file + ".key"} {
		if err := os.WriteFile(taken, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, err := h.inside(t, "", "backup", file, "--with-key")
		kept, _ := os.ReadFile(taken)
		if code != cli.ExitFailed || out != "" || !strings.Contains(err, taken+" already exists") ||
			string(kept) != "mine" {
			t.Errorf("exit code %d, printed %q and %q, left %q", code, out, err, kept)
		}
		if err := os.Remove(taken); err != nil {
			t.Fatal(err)
		}
	}
	h.keyed(9).refuses(t, "backup "+file+" --with-key", "PORTAL_SECRET_KEY doesn't decrypt")
	if code, _, err := h.inside(t, "", "backup", filepath.Join(folder, "none", "copy.db")); code != cli.ExitFailed ||
		!strings.Contains(err, "no such file") {
		t.Errorf("into no folder: exit code %d, %q", code, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (&backup{file: file}).write(gone, &config{data: h.data}, false); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("it left %v: %v", left, err)
	}
	code, out, err := h.inside(t, "", "backup", file)
	if code != cli.ExitDone || err != "" ||
		!strings.Contains(out, "It doesn't contain the key: store "+filepath.Join(h.data, "secret.key")) {
		t.Errorf("exit code %d, printed %q and %q", code, out, err)
	}
	if text, err := os.ReadFile(file); err != nil || strings.Contains(string(text), strings.TrimSpace(h.keyText(t))) {
		t.Errorf("the key is in the backup: %v", err)
	}
}

func (h home) keyText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(h.data, "secret.key"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRestoreRequiresCompleteBackupAndEmptyFolder(t *testing.T) {
	t.Parallel()
	h, folder := newHome(t), t.TempDir()
	h.asJSON(t, "", "migrate")
	file := filepath.Join(folder, "copy.db")
	h.asJSON(t, "", "backup", file)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	holed := append([]byte{}, whole...)
	copy(holed[len(holed)/2:], make([]byte, 64<<10))
	for name, c := range map[string]struct {
		text []byte
		sql  string
		says string
	}{
		"cut":     {whole[:len(whole)/2], "", "damaged"},
		"holed":   {holed, "", "damaged"},
		"empty":   {nil, "", "not one of this service"},
		"text":    {[]byte(strings.Repeat("a rent roll, not a database\n", 500)), "", "damaged"},
		"foreign": {whole, "DROP TABLE portfolios", "not one of this service"},
		"newer":   {whole, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)", "newer version"},
	} {
		bad, other := filepath.Join(folder, name), newHome(t)
		if err := os.WriteFile(bad, c.text, 0o600); err != nil {
			t.Fatal(err)
		}
		if c.sql != "" {
			alter(t, bad, c.sql)
		}
		code, out, err := other.inside(t, "", "restore", bad)
		if code != cli.ExitFailed || out != "" || !strings.Contains(err, bad+" can't be restored") ||
			!strings.Contains(err, c.says) {
			t.Errorf("%s: exit code %d, printed %q and %q", name, code, out, err)
		}
		if _, err := os.Stat(other.data); !os.IsNotExist(err) {
			t.Errorf("%s: the folder was made: %v", name, err)
		}
	}
	for _, where := range []string{"is in use", "is not empty"} {
		other := newHome(t)
		end := func() {}
		if where == "is in use" {
			s := other.serveInside(t)
			end = func() { s.end() }
		} else if err := os.MkdirAll(other.data, 0o700); err != nil ||
			os.WriteFile(filepath.Join(other.data, "note"), nil, 0o600) != nil {
			t.Fatal(err)
		}
		if code, out, err := other.inside(t, "", "restore", file); code != cli.ExitFailed || out != "" ||
			!strings.Contains(err, other.data+" "+where) {
			t.Errorf("exit code %d, printed %q and %q", code, out, err)
		}
		end()
	}
	newHome(t).keyed(9).refuses(t, "restore "+file, "PORTAL_SECRET_KEY doesn't decrypt")
	bare := newHome(t)
	if got := bare.asJSON(t, "", "restore", file).(map[string]any); got["key"] != false {
		t.Errorf("without a key it said %v", got)
	}
	bare.refuses(t, "access list", "PORTAL_SECRET_KEY is not set and")
	bare.with("PORTAL_SECRET_KEY="+h.keyText(t)).asJSON(t, "", "access", "list")
}

// alter changes a database file.
func alter(t *testing.T, file, query string) {
	t.Helper()
	folder := t.TempDir()
	if err := os.Rename(file, filepath.Join(folder, db.SQLiteFile)); err != nil {
		t.Fatal(err)
	}
	d, err := db.OpenSQLite(t.Context(), folder)
	if err == nil {
		_, err = d.SQLite().ExecContext(t.Context(), "PRAGMA foreign_keys = OFF")
	}
	if err == nil {
		_, err = d.SQLite().ExecContext(t.Context(), query)
	}
	if err == nil {
		err = d.Close()
	}
	if err == nil {
		err = os.Rename(filepath.Join(folder, db.SQLiteFile), file)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestPostgreSQLBackupPointsToNativeTools(t *testing.T) {
	t.Parallel()
	h := newHome(t, "DATABASE_URL=postgres://127.0.0.1:1/portal").keyed(1)
	for command, tool := range map[string]string{
		"backup":  "pg_dump --format=custom --file=copy",
		"restore": "pg_restore",
	} {
		code, out, err := h.inside(t, "", command, "copy")
		if code != cli.ExitMisuse || out != "" || !strings.Contains(err, tool) {
			t.Errorf("%s: exit code %d, printed %q and %q", command, code, out, err)
		}
	}
}
