package rentroll_test

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"portal/api/portfolio/rentroll"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// BenchmarkImport100k reads a file of 100,000 units and imports it into an empty
// portfolio, and for comparison reads it alone: ratio is how many times as long the import
// takes. The peak is that of the resident memory of the whole process, with SQLite's; the
// file is made while it is read.
func BenchmarkImport100k(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { importLarge(b, dbtest.SQLite) })
	b.Run("postgres", func(b *testing.B) {
		importLarge(b, func(t testing.TB) *db.DB { return dbtest.OnPostgres(t) })
	})
}

func importLarge(b *testing.B, open func(testing.TB) *db.DB) {
	var reading time.Duration
	for b.Loop() {
		b.StopTimer()
		e := newFixture(b, open(b))
		began := time.Now()
		if _, problems := rentroll.Read(generated(large)); len(problems) > 0 {
			b.Fatal(problems)
		}
		reading += time.Since(began)
		runtime.GC() // what was read is no part of the peak
		forgetPeak()
		b.StartTimer()
		roll, _ := rentroll.Read(generated(large))
		plan, problems, err := roll.Import(
			context.Background(),
			portfoliostore.New(e.DB),
			e.rules(),
			e.in,
			large,
			today,
			texas,
		)
		if err != nil || len(problems) > 0 || plan.Units != large {
			b.Fatal(problems, err)
		}
		b.StopTimer()
		b.ReportMetric(peak(), "peak-MB")
		if n, err := portfoliostore.New(e.DB).UnitCount(context.Background(), e.in); n != large || err != nil {
			b.Errorf("%d units, %v", n, err)
		}
		if err := e.Close(); err != nil {
			b.Error(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(large*float64(b.N)/b.Elapsed().Seconds(), "units/s")
	b.ReportMetric(b.Elapsed().Seconds()/reading.Seconds(), "ratio")
}

// forgetPeak lets Linux measure the peak anew (proc(5), clear_refs).
func forgetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o600) }

// peak is the most resident memory so far in MB, 0 where nobody tells.
func peak() float64 {
	status, err := os.ReadFile("/proc/self/status")
	_, text, found := bytes.Cut(status, []byte("VmHWM:"))
	if err != nil || !found {
		return 0
	}
	kb, err := strconv.ParseFloat(string(bytes.Fields(text)[0]), 64)
	if err != nil {
		return 0
	}
	return kb / 1000
}
