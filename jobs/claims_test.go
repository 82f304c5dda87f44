package jobs

import (
	"context"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/idempotency"
	"portal/api/secret"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/servicestore"
)

// claims are those of one API key, at a time that the test sets.
type claims struct {
	*idempotency.Keeper
	t   *testing.T
	db  *db.DB
	key string
	in  access.Portfolio
	now time.Time
}

func newClaims(t *testing.T, d *db.DB) *claims {
	t.Helper()
	h := dbtest.NewHome(t, d, "dana")
	c := &claims{
		t:   t,
		db:  d,
		key: "key_1",
		in:  h.Test,
		now: noon,
	}
	user := developer.User{
		ID:           "usr_1",
		Email:        "kim@example.com",
		PasswordHash: "-",
		Role:         developer.Landlord,
		CreatedAt:    clock.At(noon),
	}
	if _, err := accountstore.New(d).AddUser(t.Context(), user); err != nil {
		t.Fatal(err)
	}
	key := developer.Key{
		ID:        c.key,
		Name:      "Books",
		Mode:      h.Test.Mode,
		Hash:      []byte{1},
		KeyPrefix: "sk_test_pm_",
		CreatedAt: clock.At(noon),
	}
	if err := developerstore.New(d).AddKey(t.Context(), h.AccountID, user.ID, h.Test, key); err != nil {
		t.Fatal(err)
	}
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	c.Keeper = idempotency.New(servicestore.NewAnswers(d), box, func() time.Time { return c.now })
	return c
}

// ask sends a request with a key, and tells what is answered and whether the write ran.
func (c *claims) ask(key, request, answer string) (got string, ran bool) {
	c.t.Helper()
	a, err := c.Once(c.t.Context(), c.in, idempotency.Claim{
		KeyID:       c.key,
		Key:         key,
		Fingerprint: idempotency.Fingerprint(request),
	},
		func(context.Context) (idempotency.Answer, error) {
			ran = true
			return idempotency.Answer{Status: 200, Body: []byte(answer)}, nil
		})
	if err != nil {
		c.t.Fatal(err)
	}
	if a.Replayed == ran {
		c.t.Errorf("the write ran: %v, and the answer is a replay: %v", ran, a.Replayed)
	}
	return string(a.Body), ran
}

func (c *claims) wants(key, request, answer, want string, run bool) {
	c.t.Helper()
	if got, ran := c.ask(key, request, answer); got != want || ran != run {
		c.t.Errorf("%s at %s: answered %q, the write ran: %v; want %q, %v", key, c.now.Format(time.TimeOnly), got,
			ran, want, run)
	}
}

// forget runs the job that forgets.
func (c *claims) forget() {
	c.t.Helper()
	if err := (&forgetWorker{
		all: forgettable(c.db),
		now: func() time.Time { return c.now },
	}).Work(c.t.Context(), nil); err != nil {
		c.t.Fatal(err)
	}
}

// stored counts the claims.
func (c *claims) stored() (n int) {
	c.t.Helper()
	dbtest.Row(c.t, c.db, "SELECT count(*) FROM idempotency_keys", nil, &n)
	return n
}

func TestPurgeJobDeletesClaimsAfterADay(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		c := newClaims(t, d)
		c.wants("first", "a", "1", "1", true)
		c.now = noon.Add(time.Millisecond)
		c.wants("second", "b", "2", "2", true)

		c.now = noon.Add(idempotency.Keep - time.Millisecond)
		c.forget()
		if n := c.stored(); n != 2 {
			t.Errorf("a moment before a day is over, %d claims are stored", n)
		}
		c.wants("first", "a", "-", "1", false)
		c.now = noon.Add(idempotency.Keep)
		c.forget()
		if n := c.stored(); n != 1 {
			t.Errorf("after a day %d claims are stored, want the second", n)
		}
		c.wants("second", "b", "-", "2", false)
		c.wants("first", "a", "3", "3", true)
	})
}

// The job runs every hour, and a process may have been down.
func TestClaimExpiresAfterADayWithoutPurgeJob(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		c := newClaims(t, d)
		c.wants("the key", "a", "1", "1", true)
		c.now = noon.Add(idempotency.Keep - time.Millisecond)
		c.wants("the key", "a", "-", "1", false)
		c.now = noon.Add(idempotency.Keep)
		c.wants("the key", "another request", "2", "2", true)
		if n := c.stored(); n != 1 {
			t.Errorf("%d claims are stored", n)
		}
		c.forget() // the claim is a new one
		c.now = c.now.Add(idempotency.Keep - time.Millisecond)
		c.wants("the key", "another request", "-", "2", false)
	})
}

func TestFailedWriteLeavesOldClaimUnchanged(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		c := newClaims(t, d)
		c.wants("the key", "a", "1", "1", true)
		c.now = noon.Add(idempotency.Keep)
		claim := idempotency.Claim{KeyID: c.key, Key: "the key", Fingerprint: idempotency.Fingerprint("b")}
		_, err := c.Once(
			t.Context(),
			c.in,
			claim,
			func(context.Context) (idempotency.Answer, error) { return idempotency.Answer{}, errNoTransaction },
		)
		if err == nil || c.stored() != 1 {
			t.Errorf("%v, %d claims are stored", err, c.stored())
		}
		c.wants("the key", "c", "3", "3", true)
	})
}
