package jobs

import (
	"testing"
	"time"

	"portal/api/account"
	"portal/api/clock"
	"portal/api/portfolio/lease/application"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/retentionstore"
)

func TestAClosedAccountIsErasedAfterAMonthAndDeletedAfterSevenYears(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	dana, robin := dbtest.NewHome(t, d, "dana"), dbtest.NewHome(t, d, "robin")
	closed := dbtest.Noon()
	if done, err := retentionstore.New(d).CloseAccount(
		t.Context(),
		dana.AccountID,
		application.OpenInvitations(),
		closed,
	); err != nil ||
		!done {
		t.Fatal(done, err)
	}
	for _, c := range []struct {
		after       time.Duration
		known, kept bool
	}{
		{0, true, true},
		{account.EraseAfter, true, true},
		{account.EraseAfter + time.Millisecond, false, true},
		{account.DeleteAfter, false, true},
		{account.DeleteAfter + time.Millisecond, false, false},
		{2 * account.DeleteAfter, false, false},
	} {
		w := &eraseWorker{
			store: retentionstore.New(d),
			now:   func() time.Time { return closed.Std().Add(c.after) },
		}
		for range 2 { // the second time there is nothing to do
			if err := w.Work(t.Context(), nil); err != nil {
				t.Fatalf("after %s: %v", c.after, err)
			}
		}
		_, known, err := accountstore.NewPersons(d).PersonByEmail(t.Context(), dana.Email)
		if err != nil || known != c.known {
			t.Errorf("after %s dana is known: %v, %v", c.after, known, err)
		}
		units, err := portfoliostore.NewBooks(d).UnitCount(t.Context(), dana.Live)
		if err != nil || units == 1 != c.kept {
			t.Errorf("after %s there are %d units, %v", c.after, units, err)
		}
	}
	if _, known, err := accountstore.NewPersons(d).PersonByEmail(t.Context(), robin.Email); err != nil || !known {
		t.Errorf("robin is gone: %v", err)
	}
	if done, err := retentionstore.New(d).CloseAccount(
		t.Context(),
		dana.AccountID,
		application.OpenInvitations(),
		clock.At(closed.Std())+1,
	); err != nil ||
		done {
		t.Errorf("it is closed again: %v", err)
	}
}
