package db

import (
	"database/sql/driver"

	"github.com/jackc/pgx/v5"
)

// StepHooks are called at the steps of transactions that write. conn tells connections apart.
type StepHooks interface {
	// Executing is called before a statement of the writing connection of SQLite.
	Executing(conn any, query string, args []driver.NamedValue)

	// Committing is called before its COMMIT, and Committed after it.
	Committing(conn any)
	Committed(conn any)

	// Connecting is called before PostgreSQL is connected to, and may change how.
	Connecting(config *pgx.ConnConfig)
}

// hooks is nil but in the binary for tests of crashes.
var hooks StepHooks

// SetStepHooks has hooks called from now on. It is called before a database is opened, and by
// the binary for tests of crashes alone (db/crash).
func SetStepHooks(h StepHooks) { hooks = h }
