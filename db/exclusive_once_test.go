package db_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/idempotency"
	"portal/api/secret"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/servicestore"
	"portal/db/webhookstore"
)

// writers are requests with Idempotency-Keys of one API key, in a portfolio.
type writers struct {
	*idempotency.Keeper
	db *db.DB
	in access.Portfolio

	mu           sync.Mutex
	transactions map[string]bool // those that writes ran in
}

// newWriters adds a landlord with an API key.
func newWriters(t *testing.T, d *db.DB) *writers {
	t.Helper()
	in := landlordOn(t, d)
	u := developer.User{
		ID:           "usr_1",
		Email:        "d@example.com",
		PasswordHash: "-",
		Role:         developer.Landlord,
		CreatedAt:    1,
	}
	_, err := accountstore.New(d).AddUser(t.Context(), u)
	must(t, err)
	key := developer.Key{
		ID:        "key_1",
		Name:      "Books",
		Mode:      in.Mode,
		Hash:      []byte{1},
		KeyPrefix: "sk_live_pm_",
		CreatedAt: 1,
	}
	must(t, developerstore.New(d).AddKey(t.Context(), "acc_1", u.ID, in, key))
	return writersOn(t, d, in)
}

func writersOn(t *testing.T, d *db.DB, in access.Portfolio) *writers {
	t.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	must(t, err)
	d.ShareFor(time.Minute)
	return &writers{
		Keeper:       idempotency.New(servicestore.NewAnswers(d), box, time.Now),
		db:           d,
		in:           in,
		transactions: map[string]bool{},
	}
}

// write is a request: it stores an event, does something more, and answers with the event's id.
func (w *writers) write(
	ctx context.Context, key, event string, more func(context.Context) error,
) (idempotency.Answer, error) {
	c := idempotency.Claim{KeyID: "key_1", Key: key, Fingerprint: idempotency.Fingerprint(event)}
	return w.Once(ctx, w.in, c, func(ctx context.Context) (idempotency.Answer, error) {
		if w.db.Postgres() != nil {
			id, err := db.Transaction(ctx, w.db)
			if err != nil {
				return idempotency.Answer{}, err
			}
			w.mu.Lock()
			w.transactions[id] = true
			w.mu.Unlock()
		}
		if err := insertEvent(ctx, w.db, event, w.in); err != nil {
			return idempotency.Answer{}, err
		}
		return idempotency.Answer{Status: 201, Body: []byte(event)}, more(ctx)
	})
}

// queued returns once so many changes of a portfolio wait besides the one whose transaction
// waits for the portfolio.
func queued(t *testing.T, d *db.DB, in access.Portfolio, n int) {
	t.Helper()
	tick, late := time.NewTicker(time.Millisecond), time.After(20*time.Second)
	defer tick.Stop()
	for d.Waiting(in) != n { // the first one waits too until it is taken
		select {
		case <-tick.C:
		case <-late:
			t.Errorf("%d changes wait for those before them, want %d", d.Waiting(in), n)
			return
		}
	}
}

// whileHeld runs do while another transaction holds the portfolio, so that the changes that do
// begins wait for it together.
func whileHeld(t *testing.T, d *db.DB, in access.Portfolio, do func()) {
	t.Helper()
	must(t, d.Atomically(t.Context(), func(ctx context.Context) error {
		err := d.Lock(ctx, in)
		do()
		return err
	}))
}

// stored are the events of a portfolio.
func stored(t *testing.T, d *db.DB, in access.Portfolio) map[string]bool {
	t.Helper()
	all, err := webhookstore.New(d).EventsAfter(t.Context(), in, "", 1000)
	must(t, err)
	found := map[string]bool{}
	for i := range all {
		found[all[i].ID] = true
	}
	return found
}

func well(context.Context) error { return nil }

// TestWritesWithIdempotencyKeysShareCommitExactlyOnce sends many requests with keys while the
// portfolio is held. Some fail after they have written, break a constraint, panic, are twins of
// others, or lose their caller in the middle.
func TestWritesWithIdempotencyKeysShareCommitExactlyOnce(t *testing.T) {
	t.Parallel()
	w := newWriters(t, dbtest.OnPostgres(t))
	const each = 8 // requests of a kind
	no := errors.New("no")
	var all sync.WaitGroup
	var replayed atomic.Int64
	begin := func(kind string, i int) {
		key, event := fmt.Sprint(kind, i), fmt.Sprintf("evt_%s_%d", kind, i)
		ctx, cancel := context.WithCancel(t.Context())
		more := map[string]func(context.Context) error{
			"fails":  func(context.Context) error { return no },
			"breaks": func(ctx context.Context) error { return insertEvent(ctx, w.db, event, w.in) },
			"panics": func(context.Context) error { panic(no) },
			"leaves": func(context.Context) error { cancel(); return nil },
		}[kind]
		if more == nil {
			more = well
		}
		if kind == "twin" {
			key, event = fmt.Sprint("good", i), fmt.Sprintf("evt_good_%d", i)
		}
		all.Go(func() {
			defer cancel()
			defer func() {
				if caught := recover(); (caught != nil) != (kind == "panics") {
					t.Errorf("%s: %v", key, caught)
				}
			}()
			a, err := w.write(ctx, key, event, more)
			switch kind {
			case "good", "twin", "leaves":
				if err != nil || string(a.Body) != event {
					t.Errorf("%s: %+v %v", key, a, err)
				}
				if a.Replayed {
					replayed.Add(1)
				}
			case "fails":
				if !errors.Is(err, no) {
					t.Errorf("%s: %v", key, err)
				}
			default:
				if err == nil {
					t.Errorf("%s: %+v", key, a)
				}
			}
		})
	}
	kinds := []string{"good", "twin", "fails", "breaks", "panics", "leaves"}
	whileHeld(t, w.db, w.in, func() {
		for i := range each {
			for _, kind := range kinds {
				begin(kind, i)
			}
		}
		queued(t, w.db, w.in, each*len(kinds)-1)
	})
	all.Wait()
	if len(w.transactions) > each {
		t.Errorf("%d requests took %d transactions", each*len(kinds), len(w.transactions))
	}
	if replayed.Load() != each {
		t.Errorf("%d of %d twins were told the other's answer", replayed.Load(), each)
	}
	events := stored(t, w.db, w.in)
	if len(events) != 2*each {
		t.Errorf("%d events are stored: %v", len(events), events)
	}
	for i := range each {
		for kind, want := range map[string]bool{
			"good":   true,
			"leaves": true,
			"fails":  false,
			"breaks": false,
			"panics": false,
		} {
			event := fmt.Sprintf("evt_%s_%d", kind, i)
			if events[event] != want {
				t.Errorf("%s is stored: %v", event, events[event])
			}
			a, err := w.write(t.Context(), fmt.Sprint(kind, i), event, well)
			if err != nil || a.Replayed != want || string(a.Body) != event {
				t.Errorf("%s again: %+v %v", event, a, err)
			}
		}
		_, err := w.write(t.Context(), fmt.Sprint("good", i), "evt_other", well)
		if !fault.Is(err, fault.IdempotencyKeyReused) {
			t.Errorf("another request with the key of good%d: %v", i, err)
		}
	}
	if n := len(stored(t, w.db, w.in)); n != 5*each {
		t.Errorf("%d events are stored after all were sent again", n)
	}
}

// TestDriverWritesRollBackWithFailedChange: River's driver writes past the queue of
// statements, in which the savepoint of the change may still wait.
func TestDriverWritesRollBackWithFailedChange(t *testing.T) {
	t.Parallel()
	d := dbtest.OnPostgres(t)
	in := landlordOn(t, d)
	no := errors.New("no")
	var all sync.WaitGroup
	whileHeld(t, d, in, func() {
		for i, ends := range []error{nil, no, nil} {
			all.Go(func() {
				err := d.Exclusively(t.Context(), in, func(ctx context.Context) error {
					tx, _, err := d.PostgresTx(ctx)
					if err != nil {
						return err
					}
					_, err = tx.Exec(ctx, `INSERT INTO events (portfolio_id, id, type, body, created_at)
						VALUES ($1, $2, 'lease.signed', '{}', 1)`, in.ID, fmt.Sprintf("evt_%d", i))
					return errors.Join(err, ends)
				})
				if !errors.Is(err, ends) {
					t.Errorf("change %d: %v", i, err)
				}
			})
		}
		queued(t, d, in, 2)
	})
	all.Wait()
	if events := stored(t, d, in); len(events) != 2 || events["evt_1"] {
		t.Errorf("stored: %v", events)
	}
}

// TestNoEventIsSentForUnknownCommitOutcome loses the connection when the COMMIT of a shared
// transaction is sent, before the server has it. Anybody who was told an answer then, a twin's too,
// finds it kept.
func TestNoEventIsSentForUnknownCommitOutcome(t *testing.T) {
	t.Parallel()
	direct := newWriters(t, dbtest.OnPostgres(t))
	var armed atomic.Bool
	_, through := wired(t, direct.db.Postgres().Config().ConnString(), func(sent []byte) bool {
		return bytes.Contains(sent, []byte("commit\x00")) && armed.CompareAndSwap(true, false)
	})
	d, err := db.OpenPostgres(t.Context(), through)
	must(t, err)
	defer d.Close()
	w := writersOn(t, d, direct.in)
	no := errors.New("no")
	type told struct {
		idempotency.Answer
		err error
	}
	var all sync.WaitGroup
	answers := make([]told, 4)
	whileHeld(t, direct.db, direct.in, func() {
		for i, more := range []func(context.Context) error{
			well,
			well,
			func(context.Context) error { return no },
			well,
		} {
			key := []string{"a", "a", "b", "c"}[i]
			all.Go(func() { answers[i].Answer, answers[i].err = w.write(t.Context(), key, "evt_"+key, more) })
			queued(t, w.db, w.in, i)
		}
		armed.Store(true)
	})
	all.Wait()
	if len(w.transactions) < 2 {
		t.Fatalf("the transactions were %v", w.transactions)
	}
	if !fault.Is(answers[0].err, fault.Unavailable) || !fault.Is(answers[3].err, fault.Unavailable) ||
		!errors.Is(answers[2].err, no) {
		t.Errorf("%+v", answers)
	}
	if answers[1].err != nil || answers[1].Replayed {
		t.Errorf("the twin was told %+v", answers[1])
	}
	if events := stored(t, direct.db, direct.in); len(events) != 1 || !events["evt_a"] {
		t.Errorf("stored: %v", events)
	}
	for i, key := range []string{"a", "b", "c"} {
		if a, err := w.write(t.Context(), key, "evt_"+key, well); err != nil || a.Replayed != (i == 0) {
			t.Errorf("%s again: %+v %v", key, a, err)
		}
	}
}
