package rest_test

import "portal/db/dbtest"

// besides are what any request may touch: its line in the log, the usage of its key, the
// state of the limits, the time at which a key was last used, which the recorder writes
// later on, the revision that holding a portfolio raises, and how much a demo portfolio holds,
// of which the log is a part.
var besides = map[string]string{
	"requests":          "*",
	"request_exchanges": "*",
	"request_counts":    "*",
	"demo_growth":       "*",
	"demo_usage":        "*",
	"key_days":          "*",
	"request_hours":     "*",
	"rate_limits":       "*",
	"api_keys":          "last_used_at",
	"portfolios":        "revision",
}

// dump is every row of every table, but for what any request may touch.
func (r *fixture) dump() map[string][]string {
	r.t.Helper()
	return dbtest.Dump(r.t, r.db, besides)
}
