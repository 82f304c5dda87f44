package ratelimit

import "math/big"

// model is the rule as docs/site/limits.md words it, as simple and slow as can be: a slice of
// admissions, fractions of tokens, and a search for the second that admits.
type model struct {
	limit  Limit
	at     int64
	tokens *big.Rat
	log    []int64
}

func newModel(now int64, l Limit) *model {
	return &model{limit: l, at: now, tokens: whole(l.Burst)}
}

func whole(n int) *big.Rat { return big.NewRat(int64(n), 1) }

func (m *model) take(now int64, l Limit, cost int) Decision {
	m.advance(now, l)
	d := Decision{Limit: l.Sustained, Admitted: m.admits(now, cost)}
	if d.Admitted {
		m.tokens = new(big.Rat).Sub(m.tokens, whole(cost))
		for range cost {
			m.log = append(m.log, now)
		}
	} else {
		d.RetryAfter = m.retryAfter(now, cost)
	}
	return m.headers(now, d)
}

func (m *model) peek(now int64, l Limit) Decision {
	same := *m
	same.advance(now, l)
	d := Decision{Limit: l.Sustained, Admitted: same.admits(now, 1)}
	if !d.Admitted {
		d.RetryAfter = same.retryAfter(now, 1)
	}
	return same.headers(now, d)
}

func (m *model) advance(now int64, l Limit) {
	m.tokens, m.at = m.tokensAt(now), now
	if more := l.Burst - m.limit.Burst; more > 0 {
		m.tokens = new(big.Rat).Add(m.tokens, whole(more))
	}
	m.limit = l
	m.tokens = least(m.tokens, whole(l.Burst))
	m.log = m.window(now)
}

func (m *model) tokensAt(now int64) *big.Rat {
	refilled := big.NewRat(now-m.at, 1_000_000)
	refilled.Mul(refilled, big.NewRat(int64(m.limit.Sustained), 60))
	return least(refilled.Add(refilled, m.tokens), whole(m.limit.Burst))
}

func least(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func (m *model) window(now int64) []int64 {
	for i, t := range m.log {
		if now-t < 60_000_000 {
			return m.log[i:]
		}
	}
	return nil
}

func (m *model) admits(now int64, cost int) bool {
	return len(m.window(now))+cost <= m.limit.Burst && m.tokensAt(now).Cmp(whole(cost)) >= 0
}

func (m *model) retryAfter(now int64, cost int) int {
	for s := 1; ; s++ {
		if m.admits(now+int64(s)*1_000_000, min(cost, m.limit.Burst)) {
			return s
		}
	}
}

func (m *model) headers(now int64, d Decision) Decision {
	d.Remaining = max(0, m.limit.Sustained-len(m.log))
	leaves := now
	if len(m.log) > 0 {
		leaves = m.log[0] + 60_000_000
	}
	d.Reset = leaves / 1_000_000
	if leaves%1_000_000 > 0 {
		d.Reset++
	}
	return d
}
