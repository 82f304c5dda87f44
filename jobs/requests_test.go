package jobs

import (
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/portfolio/lease/application"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/retentionstore"
)

// exchanged adds a request of a landlord to the log, with what was sent, and names it.
func exchanged(t *testing.T, d *db.DB, of dbtest.Home, in access.Portfolio, at time.Time) string {
	t.Helper()
	r := developer.Request{
		ID:          id.New(id.Request, at),
		At:          clock.At(at),
		Method:      "PATCH",
		AccountID:   of.AccountID,
		PortfolioID: in.ID,
	}
	batch := developer.LogBatch{
		Requests:  []developer.Request{r},
		Exchanges: []developer.SealedExchange{{RequestID: r.ID, PortfolioID: in.ID, Sealed: []byte("sealed")}},
	}
	if err := developerstore.New(d).AddLog(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	return r.ID
}

// there reports whether what was sent with a request is kept.
func there(t *testing.T, d *db.DB, in access.Portfolio, request string) bool {
	t.Helper()
	_, found, err := developerstore.New(d).SealedExchange(t.Context(), in, request)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestBodiesArePurgedAfter30DaysAndRequestsAfter90(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		dana := dbtest.NewHome(t, d, "dana")
		limit := noon.AddDate(0, 0, -30)
		past := exchanged(t, d, dana, dana.Test, limit.Add(-time.Millisecond))
		just := exchanged(t, d, dana, dana.Test, limit)
		fresh := exchanged(t, d, dana, dana.Live, noon)
		if err := (&forgetWorker{all: forgettable(d), now: atNoon}).Work(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if there(t, d, dana.Test, past) || !there(t, d, dana.Test, just) || !there(t, d, dana.Live, fresh) {
			t.Error("of what was sent 30 days ago something else is kept than the last 30 days")
		}
		for _, request := range []string{past, just, fresh} {
			if _, found, err := developerstore.New(d).Logged(t.Context(), request); err != nil || !found {
				t.Errorf("the log has lost %s: %v", request, err)
			}
		}
	})
}

func TestClosingAccountDeletesOnlyItsExchanges(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		dana, robin := dbtest.NewHome(t, d, "dana"), dbtest.NewHome(t, d, "robin")
		live, test := exchanged(t, d, dana, dana.Live, noon), exchanged(t, d, dana, dana.Test, noon)
		other := exchanged(t, d, robin, robin.Live, noon)
		closed := dbtest.Noon()
		done, err := retentionstore.New(d).CloseAccount(
			t.Context(),
			dana.AccountID,
			application.OpenInvitations(),
			closed,
		)
		if err != nil || !done {
			t.Fatal(done, err)
		}
		erase(t, d, closed, account.EraseAfter)
		if !there(t, d, dana.Live, live) || !there(t, d, dana.Test, test) {
			t.Error("what was sent is gone before the month is over")
		}
		erase(t, d, closed, account.EraseAfter+time.Millisecond)
		if there(t, d, dana.Live, live) || there(t, d, dana.Test, test) || !there(t, d, robin.Live, other) {
			t.Error("what was sent is kept of a closed account, or gone of another one")
		}
	})
}

// erase does what is due some time after an account was closed.
func erase(t *testing.T, d *db.DB, closed clock.Time, after time.Duration) {
	t.Helper()
	w := &eraseWorker{store: retentionstore.New(d), now: func() time.Time { return closed.Std().Add(after) }}
	if err := w.Work(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}
