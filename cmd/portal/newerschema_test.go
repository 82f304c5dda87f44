package main

import (
	"database/sql"
	"strings"
	"testing"

	"portal/cmd/portal/cli"
)

func TestBinaryOlderThanSchemaRefusesToStart(t *testing.T) {
	eachDatabase(t, func(t *testing.T, s *httpServer) {
		orFail(t, s.stop(t.Context()))
		s.home.env = append(s.home.env, "PORTAL_ADDR=127.0.0.1:0") // nobody else has the port
		for _, table := range []string{
			"goose_db_version (version_id, is_applied) VALUES (99990, ",
			"river_migration (line, version) VALUES ('main', 99991",
		} {
			s.change(t, "INSERT INTO "+table+map[bool]string{
				true:  s.yes() + ")",
				false: ")",
			}[strings.HasPrefix(table, "goose")])
			before := s.home.value(t, "SELECT count(*) FROM accounts")
			for _, args := range [][]string{
				{"serve"},
				{"serve", "--demo"},
				{"migrate"},
				{"user", "add", "late@example.com", "--password-stdin"},
				{"access", "list"},
				{"key", "list", demoLandlord},
				{"key", "revoke", "key_1"},
				{"plan", "set", demoLandlord, "prime"},
				{"mail", "list"},
				{"trigger", demoLandlord, "payment.succeeded"},
				{"activity", demoLandlord},
				{"webhook", "test", "we_1"},
			} {
				code, out, said := s.home.inside(t, "correct horse battery\n", args...)
				if code != cli.ExitMisuse || out != "" ||
					!strings.Contains(said, "the configuration is invalid") ||
					!strings.Contains(said, "newer than this binary") {
					t.Errorf("portal %v: exit code %d: %s%s", args, code, out, said)
				}
			}
			if after := s.home.value(t, "SELECT count(*) FROM accounts"); after != before {
				t.Errorf("%s accounts became %s", before, after)
			}
			s.change(t, "DELETE FROM "+strings.Fields(table)[0]+" WHERE "+map[bool]string{
				true:  "version_id",
				false: "version",
			}[strings.HasPrefix(table, "goose")]+" >= 99990")
		}
		if code, _, said := s.home.inside(t, "", "access", "list"); code != cli.ExitDone {
			t.Errorf("with its own schema: exit code %d: %s", code, said)
		}
	})
}

// yes is true in SQL.
func (s *httpServer) yes() string {
	if s.product.DB.SQLite() != nil {
		return "1"
	}
	return "true"
}

// change runs a statement past the server.
func (s *httpServer) change(t *testing.T, statement string) {
	t.Helper()
	d := s.opened(t)
	defer d.Close()
	_, err := d.ExecContext(t.Context(), statement)
	orFail(t, err)
}

// opened is the database of the server, for writing beside it.
func (s *httpServer) opened(t *testing.T) *sql.DB {
	t.Helper()
	driver, source := "pgx", s.product.config.databaseURL
	if source == "" {
		driver = "sqlite"
		source = "file:" + s.product.config.file("portal.db") + "?_txlock=immediate&_pragma=busy_timeout(30000)"
	}
	d, err := sql.Open(driver, source)
	orFail(t, err)
	return d
}
