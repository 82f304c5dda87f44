package developerstore_test

import (
	"slices"
	"testing"

	"portal/db"
	"portal/db/dbtest"
)

// fixture is a test with an empty store.
type fixture struct{ *dbtest.Fixture }

func newFixture(t *testing.T, d *db.DB) *fixture { return &fixture{dbtest.NewFixture(t, d)} }

// promise is what a store holds, as a sentence, and the test of it.
type promise struct {
	name string
	test func(*fixture)
}

// Each test gets an empty store of its own.
func TestEveryPromiseIsKept(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, open func(testing.TB) *db.DB) {
		for _, p := range slices.Concat(requests, unitRequests, keys, logs, toolCalls, clients) {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				p.test(newFixture(t, open(t)))
			})
		}
	})
}
