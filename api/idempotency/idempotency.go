// Package idempotency lets a caller repeat a write without doing it twice: the claim
// of an Idempotency-Key, the effect and the recorded answer commit in one
// transaction (docs/decisions/0010).
//
// It knows nothing of HTTP, SQL or what is written.
package idempotency

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/secret"
)

// Keep is how long an answer is told again.
const Keep = 24 * time.Hour

// SealPurpose is what answers are sealed for; some hold a secret that is shown once.
const SealPurpose = "idempotent_answer"

// Longest is how many characters a key has at most.
const Longest = 255

// Check refuses a key that is not 1 to 255 printable ASCII characters.
func Check(key string) error {
	fit := key != "" && len(key) <= Longest
	for i := 0; fit && i < len(key); i++ {
		fit = key[i] >= ' ' && key[i] <= '~'
	}
	if fit {
		return nil
	}
	return fault.Of(fault.InvalidIdempotencyKey).At("Idempotency-Key")
}

// Claim is what a caller says of a request: that it is this one and no other.
type Claim struct {
	KeyID       string // of the API key; keys of others do not matter
	Key         string
	Fingerprint [sha256.Size]byte
}

// Fingerprint is one for equal requests and different for others.
func Fingerprint(parts ...string) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, p := range parts {
		n := len(p)
		h.Write([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
		h.Write([]byte(p))
	}
	h.Sum(sum[:0])
	return sum
}

// Answer is what is told again.
type Answer struct {
	Status   int
	Revision int64 // the ETag, 0 where there is none
	Body     []byte
	Replayed bool
}

// Record is a claim as it is stored, with the answer that was given to it.
type Record struct {
	Claim
	Answer
	Sealed []byte // the body
	At     clock.Time
}

// Store keeps the claims of each API key.
type Store interface {
	// Exclusively runs do in one transaction that no other change of a portfolio comes
	// between. An error of do rolls back what do has written.
	Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error
	// ClaimKey stores a claim, or reads the one that was stored before. One that is
	// older than a moment gives way. Of two at the same time one waits for the end of
	// the other's transaction.
	ClaimKey(ctx context.Context, c Claim, at, expired clock.Time) (earlier *Record, err error)
	// KeepAnswer completes a claim of the same transaction.
	KeepAnswer(ctx context.Context, r *Record) error
}

// Keeper keeps answers.
type Keeper struct {
	store Store
	box   *secret.Box
	now   clock.Clock
}

// New makes a keeper.
func New(store Store, box *secret.Box, now clock.Clock) *Keeper {
	return &Keeper{store, box, now}
}

// errReplayed rolls back the transaction of a request that was answered before. Nothing is
// written then, so that the portfolio does not count as changed.
var errReplayed = errors.New("the request was answered before")

// Once runs a write in the portfolio of the API key, unless the same request was answered
// before: then that answer is told again. What the write returns as an error is not
// recorded, and the key stays free. write may run twice, and shares its transaction with
// other writes of the portfolio: it waits for nobody outside the database.
func (k *Keeper) Once(
	ctx context.Context, in access.Portfolio, c Claim, write func(context.Context) (Answer, error),
) (a Answer, err error) {
	err = k.store.Exclusively(ctx, in, func(ctx context.Context) (err error) {
		a, err = k.claimed(ctx, c, write)
		return err
	})
	if errors.Is(err, errReplayed) {
		err = nil
	}
	return a, err
}

// claimed claims a key, runs the write and records its answer. Where the key was claimed by
// the same request before, the error is errReplayed, beside the answer of that request.
func (k *Keeper) claimed(ctx context.Context, c Claim, write func(context.Context) (Answer, error)) (Answer, error) {
	now := k.now()
	earlier, err := k.store.ClaimKey(ctx, c, clock.At(now), clock.At(now.Add(-Keep)))
	if err != nil {
		return Answer{}, err
	}
	if earlier != nil {
		a, err := k.again(c, earlier)
		if err != nil {
			return Answer{}, err
		}
		return a, errReplayed
	}
	a, err := write(ctx)
	if err != nil {
		return Answer{}, err
	}
	sealed := k.box.Seal(SealPurpose, string(a.Body))
	return a, k.store.KeepAnswer(ctx, &Record{
		Claim:  c,
		Answer: a,
		Sealed: sealed,
		At:     clock.At(now),
	})
}

// again is the answer of an earlier request, if it was the same one.
func (k *Keeper) again(c Claim, earlier *Record) (Answer, error) {
	if !bytes.Equal(c.Fingerprint[:], earlier.Fingerprint[:]) {
		return Answer{}, fault.New(
			fault.IdempotencyKeyReused,
			"This Idempotency-Key was used for another request at %s. Use a new key for each new request. Use the "+
				"same key only to retry the same request.",
			earlier.At,
		).At("Idempotency-Key")
	}
	body, err := k.box.Open(SealPurpose, earlier.Sealed)
	a := earlier.Answer
	a.Body, a.Replayed = []byte(body), true
	return a, err
}
