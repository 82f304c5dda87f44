package rentroll_test

import (
	"io"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"portal/api/portfolio/rentroll"
)

const large = 100_000

func BenchmarkReadingALargeRoll(b *testing.B) {
	watch(b, func() {
		_, problems := rentroll.Read(generated(large))
		if len(problems) > 0 {
			b.Fatal(problems)
		}
	})
}

func BenchmarkImportingALargeRollInParts(b *testing.B) {
	watch(b, func() {
		for book := range largePlan(b).Books(1000) {
			_ = book
		}
	})
}

func BenchmarkImportingALargeRollAtOnce(b *testing.B) {
	watch(b, func() { runtime.KeepAlive(whole(largePlan(b))) })
}

func BenchmarkWritingTheTestFileAlone(b *testing.B) {
	watch(b, func() { _, _ = io.Copy(io.Discard, generated(large)) })
}

func largePlan(b *testing.B) *rentroll.Plan {
	roll, _ := rentroll.Read(generated(large))
	plan, problems := roll.Plan(nil, today, time.UTC)
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	return plan
}

// watch runs a function and reports the most heap that was in use, garbage
// included, looked at every millisecond.
func watch(b *testing.B, run func()) {
	b.ReportAllocs()
	done, most := make(chan struct{}), make(chan uint64)
	go func() {
		peak := uint64(0)
		for {
			select {
			case <-done:
				most <- peak
				return
			case <-time.After(time.Millisecond):
				peak = max(peak, heap())
			}
		}
	}()
	for b.Loop() {
		run()
	}
	close(done)
	b.ReportMetric(float64(<-most)/1e6, "peak-MB")
}

func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
