package ratelimit

import (
	"context"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// ticking is a clock that each reading moves, so that requests come at a steady rate.
func ticking(step time.Duration) func() time.Time {
	var us atomic.Int64
	us.Store(epoch)
	return func() time.Time { return time.UnixMicro(us.Add(step.Microseconds())) }
}

func BenchmarkTake(b *testing.B) {
	ctx := context.Background()
	b.Run("admitted", func(b *testing.B) {
		m := NewMemory(ticking(25 * time.Millisecond))
		b.ReportAllocs()
		for b.Loop() {
			m.Take(ctx, "key", prime, 1)
		}
	})
	b.Run("throttled", func(b *testing.B) {
		m := NewMemory(newClock().now)
		m.Take(ctx, "key", starter, 120)
		b.ReportAllocs()
		for b.Loop() {
			m.Take(ctx, "key", starter, 1)
		}
	})
	b.Run("real clock", func(b *testing.B) {
		m := NewMemory(time.Now)
		b.ReportAllocs()
		for b.Loop() {
			m.Take(ctx, "key", prime, 1)
		}
	})
	b.Run("flood of addresses", func(b *testing.B) {
		m := NewMemory(ticking(10 * time.Microsecond))
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			m.Take(ctx, "ip:"+strconv.Itoa(i), pro, 1)
		}
	})
}

func BenchmarkTakeParallel(b *testing.B) {
	m := NewMemory(time.Now)
	var worker atomic.Int64
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		ctx, mine := context.Background(), worker.Add(1)<<10
		subjects := [256]string{}
		for i := range subjects {
			subjects[i] = strconv.FormatInt(mine+int64(i), 10)
		}
		for i := 0; pb.Next(); i++ {
			m.Take(ctx, subjects[i%len(subjects)], prime, 1)
		}
	})
}

func BenchmarkChanged(b *testing.B) {
	m := NewMemory(time.Now)
	ctx := context.Background()
	subjects := [1000]string{}
	for i := range subjects {
		subjects[i] = strconv.Itoa(i)
		m.Take(ctx, subjects[i], starter, 60)
	}
	m.Changed()
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range subjects {
			m.Take(ctx, s, prime, 1)
		}
		m.Changed()
	}
}

func BenchmarkTakeRedis(b *testing.B) {
	r, _ := overRedis(b, redisURL(b))
	ctx, subject := context.Background(), unique(b)
	l := Limit{MaxRate, MaxRate}
	b.Run("admitted", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.Take(ctx, subject+"a", l, 1)
		}
	})
	b.Run("throttled", func(b *testing.B) {
		r.Take(ctx, subject+"t", starter, 120)
		b.ReportAllocs()
		for b.Loop() {
			r.Take(ctx, subject+"t", starter, 1)
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.SetParallelism(16)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				r.Take(ctx, subject+"p", l, 1)
			}
		})
	})
	if r.Degraded() {
		b.Error("Redis was away")
	}
}
