package servicestore_test

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"portal/api/clock"
	"portal/api/idempotency"
)

var answers = []promise{
	{"AClaimIsReadWithItsAnswerUntilItExpires", aClaimIsReadWithItsAnswerUntilItExpires},
	{"AClaimThatIsTakenBackLeavesTheKeyFree", aClaimThatIsTakenBackLeavesTheKeyFree},
	{"ClaimsOfDifferentKeysDoNotMeet", claimsOfDifferentKeysDoNotMeet},
	{"OfManyClaimsAtOnceOneIsTheFirst", ofManyClaimsAtOnceOneIsTheFirst},
	{"AnswersAreForgottenTheOldestFirst", answersAreForgottenTheOldestFirst},
}

// claim makes a claim of a key of ours.
func claim(keyID, key, request string) idempotency.Claim {
	return idempotency.Claim{KeyID: keyID, Key: key, Fingerprint: idempotency.Fingerprint(request)}
}

// kept completes a claim and tells what there was before.
func (r *fixture) kept(
	c idempotency.Claim, at, expired clock.Time, a idempotency.Answer,
) (earlier *idempotency.Record) {
	r.Helper()
	r.OK(r.DB.Atomically(r.Context(), func(ctx context.Context) (err error) {
		if earlier, err = r.Answers.ClaimKey(ctx, c, at, expired); err != nil || earlier != nil {
			return err
		}
		return r.Answers.KeepAnswer(ctx, &idempotency.Record{
			Claim:  c,
			Answer: a,
			Sealed: append([]byte{}, a.Body...),
			At:     at,
		})
	}))
	return earlier
}

func aClaimIsReadWithItsAnswerUntilItExpires(r *fixture) {
	l := r.Landlord("dana")
	k := r.Key(l, l.Live, 1).ID
	first, other := claim(k, "k", "first"), claim(k, "k", "other")
	answer := idempotency.Answer{Status: 201, Revision: 7, Body: []byte("sealed\x00\xff")}
	r.Want(r.kept(first, 1000, 0, answer) == nil, "somebody was earlier")
	for _, expired := range []clock.Time{0, 999} {
		got := r.kept(other, 5000, expired, idempotency.Answer{})
		r.Want(got != nil && got.Fingerprint == first.Fingerprint && got.At == 1000 && got.Status == 201 &&
			got.Revision == 7 && string(got.Sealed) == "sealed\x00\xff", "read %+v", got)
	}
	r.Want(r.kept(other, 5000, 1000, idempotency.Answer{Status: 204}) == nil, "a claim that has expired is still there")
	got := r.kept(first, 6000, 4999, idempotency.Answer{})
	r.Want(got != nil && got.Fingerprint == other.Fingerprint && got.At == 5000 && got.Status == 204 &&
		got.Revision == 0 && len(got.Sealed) == 0, "read %+v", got)
}

func aClaimThatIsTakenBackLeavesTheKeyFree(r *fixture) {
	l := r.Landlord("dana")
	k := r.Key(l, l.Live, 1).ID
	reason := errors.New("no")
	for _, expired := range []clock.Time{0, 2000} { // a new claim, and one in the place of an old one
		before := r.Text("CAST(count(*) AS TEXT) || CAST(COALESCE(max(status), 0) AS TEXT)", "idempotency_keys")
		err := r.DB.Atomically(r.Context(), func(ctx context.Context) error {
			earlier, err := r.Answers.ClaimKey(ctx, claim(k, "k", "gone"), 3000, expired)
			r.Want(err == nil && earlier == nil, "claimed: %+v, %v", earlier, err)
			return errors.Join(r.Answers.KeepAnswer(ctx, &idempotency.Record{
				Claim:  claim(k, "k", "gone"),
				Answer: idempotency.Answer{Status: 201},
				Sealed: []byte("x"),
			}), reason)
		})
		r.Want(errors.Is(err, reason), "%v", err)
		r.Same(r.Text("CAST(count(*) AS TEXT) || CAST(COALESCE(max(status), 0) AS TEXT)", "idempotency_keys"), before)
		if expired == 0 {
			r.Want(r.kept(claim(k, "k", "kept"), 1000, 0, idempotency.Answer{
				Status: 200,
			}) == nil, "the key is not free")
		}
	}
}

func claimsOfDifferentKeysDoNotMeet(r *fixture) {
	l, other := r.Landlord("dana"), r.Landlord("robin")
	one, two, three := r.Key(l, l.Live, 1).ID, r.Key(l, l.Live, 2).ID, r.Key(other, other.Live, 1).ID
	for i, c := range []idempotency.Claim{
		claim(one, "k", "a"),
		claim(two, "k", "b"),
		claim(three, "k", "c"),
		claim(one, "K", "d"),
		claim(one, "k ", "e"),
		claim(one, "'k' OR 1=1", "f"),
	} {
		r.Want(r.kept(c, 1000, 0, idempotency.Answer{Status: 200 + i}) == nil, "%+v met another", c)
	}
	got := r.kept(claim(three, "k", "x"), 2000, 0, idempotency.Answer{})
	r.Want(got != nil && got.Status == 202, "read %+v", got)
	_, err := r.Answers.ClaimKey(r.Context(), claim("key_none", "k", "a"), 1000, 0)
	r.Refused(err, "the claim of a key that is none")
}

// ofManyClaimsAtOnceOneIsTheFirst lets many claim; those that are not the first wait for the
// first and reads its answer, or is the first itself where that was taken back.
func ofManyClaimsAtOnceOneIsTheFirst(r *fixture) {
	l := r.Landlord("dana")
	k := r.Key(l, l.Live, 1).ID
	const claimants, failures = 20, 4
	var mu sync.Mutex
	firsts, failed := 0, 0
	var all sync.WaitGroup
	for range claimants {
		all.Go(func() {
			reason := errors.New("no")
			var earlier *idempotency.Record
			err := r.DB.Atomically(r.Context(), func(ctx context.Context) (err error) {
				earlier, err = r.Answers.ClaimKey(ctx, claim(k, "k", "a"), 1000, 0)
				if err != nil || earlier != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				if failed < failures {
					failed++
					return reason
				}
				firsts++
				return r.Answers.KeepAnswer(ctx, &idempotency.Record{
					Claim:  claim(k, "k", "a"),
					Answer: idempotency.Answer{Status: 201},
					Sealed: []byte("x"),
				})
			})
			if err != nil && !errors.Is(err, reason) ||
				earlier != nil && (earlier.Status != 201 || string(earlier.Sealed) != "x") {
				r.Errorf("%+v, %v", earlier, err)
			}
		})
	}
	all.Wait()
	r.Want(firsts == 1 && failed == failures, "%d were the first, %d failed", firsts, failed)
}

func answersAreForgottenTheOldestFirst(r *fixture) {
	l := r.Landlord("dana")
	k := r.Key(l, l.Live, 1).ID
	for i := range 10 {
		r.kept(claim(k, fmt.Sprint(i), "a"), clock.Time(1000*i), -1, idempotency.Answer{Status: 200})
	}
	for _, step := range []struct {
		before clock.Time
		most   int
		gone   int64
		left   string
	}{
		{-1, 100, 0, "0 10"},
		{8000, 3, 3, "3 7"},
		{4999, 100, 2, "5 5"},
		{5000, 100, 1, "6 4"},
		{5000, 100, 0, "6 4"},
		{1 << 50, 100, 4, " 0"},
	} {
		n, err := r.Answers.ForgetAnswers(r.Context(), step.before, step.most)
		r.OK(err)
		r.Same(n, step.gone)
		r.Same(
			r.Text(
				"COALESCE(CAST(min(created_at) / 1000 AS TEXT), '') || ' ' || CAST(count(*) AS TEXT)",
				"idempotency_keys",
			),
			step.left,
		)
	}
}
