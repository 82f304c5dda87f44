package idempotency_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/idempotency"
	"portal/api/secret"
)

func TestKeyIsShortPrintableASCII(t *testing.T) {
	t.Parallel()
	for key, fine := range map[string]bool{
		"":                                       false,
		" ":                                      true,
		"~":                                      true,
		"k":                                      true,
		"a b":                                    true,
		"\x1f":                                   false,
		"\x7f":                                   false,
		"a\x00":                                  false,
		"ä":                                      false,
		"\xff":                                   false,
		strings.Repeat("k", idempotency.Longest): true,
		strings.Repeat("k", idempotency.Longest+1): false,
	} {
		err := idempotency.Check(key)
		if fine != (err == nil) ||
			!fine && (!fault.Is(err, fault.InvalidIdempotencyKey) || fault.From(err).Param != "Idempotency-Key") {
			t.Errorf("%.20q: %v", key, err)
		}
	}
}

func TestFingerprintDistinguishesParts(t *testing.T) {
	t.Parallel()
	seen := map[[sha256.Size]byte][]string{}
	for _, parts := range [][]string{
		{},
		{""},
		{"", ""},
		{"ab", "c"},
		{"a", "bc"},
		{"abc"},
		{"abc", ""},
		{"", "abc"},
		{"a", "b", "c"},
		{"POST", "/a", "", ""},
		{"POST", "/a", "", "", ""},
		{strings.Repeat("x", 70_000)},
	} {
		sum := idempotency.Fingerprint(parts...)
		if other, has := seen[sum]; has {
			t.Errorf("%q and %q are alike", parts, other)
		}
		seen[sum] = parts
		if idempotency.Fingerprint(parts...) != sum {
			t.Errorf("%q has two", parts)
		}
	}
}

// claimStore is a store of one claim, which a transaction that fails leaves as it was.
type claimStore struct {
	kept *idempotency.Record
	now  *idempotency.Record
}

func (s *claimStore) Exclusively(ctx context.Context, _ access.Portfolio, do func(context.Context) error) error {
	s.now = s.kept
	err := do(ctx)
	if err == nil {
		s.kept = s.now
	}
	return err
}

func (s *claimStore) ClaimKey(
	_ context.Context, c idempotency.Claim, at, expired clock.Time,
) (*idempotency.Record, error) {
	if s.now != nil && s.now.At > expired {
		return s.now, nil
	}
	s.now = &idempotency.Record{Claim: c, At: at}
	return nil, nil //nolint:nilnil // nobody was earlier
}

func (s *claimStore) KeepAnswer(_ context.Context, r *idempotency.Record) error {
	s.now = r
	return nil
}

func TestWriteRunsOnceAndSealsItsResponse(t *testing.T) {
	t.Parallel()
	box, err := secret.NewBox(bytes.Repeat([]byte{1}, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	s, now, done := &claimStore{}, time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC), 0
	k := idempotency.New(s, box, func() time.Time { return now })
	claim := idempotency.Claim{KeyID: "key_1", Key: "k", Fingerprint: idempotency.Fingerprint("a")}
	var fails error
	once := func(c idempotency.Claim) (idempotency.Answer, error) {
		return k.Once(t.Context(), access.Portfolio{ID: 1}, c, func(context.Context) (idempotency.Answer, error) {
			done++
			return idempotency.Answer{Status: 201, Revision: 7, Body: []byte(`{"secret":"whsec_x"}`)}, fails
		})
	}

	fails = errors.New("no")
	if _, err := once(claim); !errors.Is(err, fails) || s.kept != nil {
		t.Errorf("what fails is kept: %v %v", err, s.kept)
	}
	fails = nil
	if a, err := once(claim); err != nil || a.Replayed || a.Status != 201 || done != 2 {
		t.Errorf("%+v %v", a, err)
	}
	if bytes.Contains(s.kept.Sealed, []byte("whsec")) {
		t.Errorf("the answer lies in clear: %q", s.kept.Sealed)
	}
	now = now.Add(idempotency.Keep - time.Millisecond)
	if a, err := once(claim); err != nil || !a.Replayed || a.Status != 201 || a.Revision != 7 ||
		string(a.Body) != `{"secret":"whsec_x"}` || done != 2 {
		t.Errorf("%+v %v", a, err)
	}
	other := claim
	other.Fingerprint = idempotency.Fingerprint("b")
	if _, err := once(other); !fault.Is(err, fault.IdempotencyKeyReused) || done != 2 {
		t.Errorf("another request: %v", err)
	}
	now = now.Add(time.Millisecond)
	if a, err := once(other); err != nil || a.Replayed || done != 3 {
		t.Errorf("a day later: %+v %v", a, err)
	}
	s.kept.Sealed = []byte("not sealed by us")
	if _, err := once(other); err == nil {
		t.Error("an answer that cannot be opened is told")
	}
}
