package accountstore_test

import (
	"os"
	"slices"
	"testing"

	"portal/db"
	"portal/db/dbtest"
)

// rig is a test with an empty store.
type rig struct{ *dbtest.Rig }

func newRig(t *testing.T, d *db.DB) *rig { return &rig{dbtest.NewRig(t, d)} }

// promise is what a store holds, as a sentence, and the test of it.
type promise struct {
	name string
	test func(*rig)
}

// Each test gets an empty store of its own.
func TestEveryPromiseIsKept(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, os.Getenv("PORTAL_TEST_DATABASE_URL"), func(t *testing.T, open func(testing.TB) *db.DB) {
		for _, p := range slices.Concat(people, sessions) {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				p.test(newRig(t, open(t)))
			})
		}
	})
}
