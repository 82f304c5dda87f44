package secret

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"portal/api/fault"
)

var cheap = Cost{Memory: 64, Passes: 1, Lanes: 1}

func TestHashMatchesOnlyItsPassword(t *testing.T) {
	t.Parallel()
	h := NewBoundedHasher(cheap, 1, 1)
	hash, err := h.Hash(t.Context(), "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	for plain, want := range map[string]bool{
		"correct horse":             true,
		"Correct horse":             false,
		"":                          false,
		"correct horse ":            false,
		strings.Repeat("x", 10_000): false,
	} {
		right, stale, err := h.Check(t.Context(), hash, plain)
		if err != nil || right != want || stale {
			t.Errorf("%.20q is right: %v, stale: %v, %v", plain, right, stale, err)
		}
	}
}

func TestInvalidHashMatchesNoPassword(t *testing.T) {
	t.Parallel()
	h := NewBoundedHasher(cheap, 1, 1)
	good := cheap.Hash("")
	for _, hash := range []string{
		"", "-", "argon2id", "$argon2i$v=19$m=64,t=1,p=1$AAAA$AAAA",
		"$argon2id$v=18$m=64,t=1,p=1$AAAA$AAAA", "$argon2id$v=19$m=64,t=0,p=1$AAAA$AAAA",
		"$argon2id$v=19$m=64,t=1,p=0$AAAA$AAAA", "$argon2id$v=19$m=64,t=1,p=1$AAAA$",
		"$argon2id$v=19$m=64,t=1,p=1$?$AAAA", good[:len(good)-1] + "?", good + "$",
	} {
		before := h.Made()
		right, stale, err := h.Check(t.Context(), hash, "")
		if err != nil || right || stale || h.Made() != before+1 {
			t.Errorf("%q: right %v, stale %v, %d hashes, %v", hash, right, stale, h.Made()-before, err)
		}
	}
}

func TestHashWithDifferentCostVerifiesAndIsStale(t *testing.T) {
	t.Parallel()
	h := NewBoundedHasher(cheap, 1, 1)
	for _, c := range []Cost{
		{Memory: 128, Passes: 1, Lanes: 1},
		{Memory: 64, Passes: 2, Lanes: 1},
		{Memory: 64, Passes: 1, Lanes: 2},
	} {
		if right, stale, err := h.Check(t.Context(), c.Hash("correct horse"), "correct horse"); err != nil ||
			!right || !stale {
			t.Errorf("%+v: right %v, stale %v, %v", c, right, stale, err)
		}
		if right, stale, err := h.Check(t.Context(), c.Hash("correct horse"), "wrong"); err != nil || right || stale {
			t.Errorf("%+v: right %v, stale %v, %v", c, right, stale, err)
		}
	}
}

func TestHasherRunsAtMostSlotCountConcurrently(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := NewBoundedHasher(cheap, 2, 3)
		gate := make(chan struct{})
		var all sync.WaitGroup
		var mu sync.Mutex
		running, most, refused := 0, 0, 0
		for range 9 {
			all.Go(func() {
				err := h.withSlot(t.Context(), func() {
					mu.Lock()
					running++
					most = max(most, running)
					mu.Unlock()
					<-gate
					mu.Lock()
					running--
					mu.Unlock()
				})
				if fault.Is(err, fault.Unavailable) {
					mu.Lock()
					refused++
					mu.Unlock()
				}
			})
		}
		synctest.Wait()
		if most != 2 || refused != 4 {
			t.Errorf("%d run at once, %d were refused", most, refused)
		}
		close(gate)
		all.Wait()
		if h.Made() != 5 {
			t.Errorf("%d were made", h.Made())
		}
	})
}

func TestCanceledCallerLeavesQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := NewBoundedHasher(cheap, 1, 1)
		gate := make(chan struct{})
		go func() { _ = h.withSlot(t.Context(), func() { <-gate }) }()
		synctest.Wait()
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() { left <- h.withSlot(ctx, func() { t.Error("it was served") }) }()
		synctest.Wait()
		leave()
		if err := <-left; !fault.Is(err, fault.Unavailable) || fault.From(err).Retry == 0 {
			t.Errorf("it hears %v", err)
		}
		close(gate)
		synctest.Wait()
		if err := h.withSlot(t.Context(), func() {}); err != nil {
			t.Error(err)
		}
	})
}

func TestHashEncodesStandardCost(t *testing.T) {
	t.Parallel()
	one, other := StandardCost.Hash("correct horse"), StandardCost.Hash("correct horse")
	if !strings.HasPrefix(one, "$argon2id$v=19$m=19456,t=2,p=1$") || one == other {
		t.Errorf("the hashes are %s and %s", one, other)
	}
	right, stale, err := NewHasher(StandardCost).Check(t.Context(), one, "correct horse")
	if err != nil || !right || stale {
		t.Errorf("right %v, stale %v, %v", right, stale, err)
	}
}
