// Package dbtest holds a store to what package db promises: one suite that SQLite
// and PostgreSQL both pass, and the stores for it.
//
// It knows a store by its methods. Raw SQL stands in for what none of them does
// yet (taking a record away) or shows (a line of the request log).
package dbtest

import (
	"slices"
	"testing"

	"portal/db"
)

// promise is what a store holds, as a sentence, and the test of it.
type promise struct {
	name string
	test func(*rig)
}

// Run holds the stores that open makes to every promise. Each test gets an empty
// store of its own, whose migrations have run.
func Run(t *testing.T, open func(testing.TB) *db.DB) {
	t.Helper()
	t.Run("ADemo", func(t *testing.T) {
		t.Parallel()
		read(t, open)
	})
	all := slices.Concat(records, saves, writes, answers, endpoints, deliveries, invitations, mails, texts, walks, wallsOfWriting, transactions, people, sessions, requests, keys, logs, toolCalls, clients, closing, words)
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			p.test(&rig{t, open(t)})
		})
	}
}
