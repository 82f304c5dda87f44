package compress_test

import (
	"bytes"
	stdgzip "compress/gzip"
	"fmt"
	"strings"
	"testing"

	"portal/api/compress"
)

// BenchmarkFast compresses a record, and a list of a hundred of it, beside the standard
// library's gzip at its quickest level.
func BenchmarkFast(b *testing.B) {
	for _, records := range []int{1, 100} {
		var text strings.Builder
		for i := range records {
			fmt.Fprintf(
				&text,
				`{"id":"pay_01KA5R2M7Q8D4E6F9G1H3J%04d","object":"payment","mode":"live","version":%d,`+
					`"created_at":"2026-11-12T12:00:%02d.000Z",`,
				i*7919%9973,
				i%9,
				i%60,
			)
			fmt.Fprintf(
				&text,
				`"lease_id":"lea_01KA5R2M7Q8D4E6F9G1H3J%04d","kind":"rent","amount_cents":%d,`+
					`"due_date":"2026-%02d-01","status":"paid","memo":null}`,
				i*104729%9973,
				90000+i*37,
				1+i%12,
			)
		}
		body := []byte(text.String() + strings.Repeat(" ", max(0, compress.Smallest-text.Len())))
		b.Run(fmt.Sprintf("%d/ours", records), func(b *testing.B) {
			size := 0
			for b.Loop() {
				size = len(compress.Fast(body))
			}
			b.ReportMetric(float64(size)/float64(len(body)), "of-plain")
		})
		b.Run(fmt.Sprintf("%d/standard", records), func(b *testing.B) {
			var to bytes.Buffer
			w, _ := stdgzip.NewWriterLevel(&to, stdgzip.BestSpeed)
			for b.Loop() {
				to.Reset()
				w.Reset(&to)
				_, _ = w.Write(body)
				_ = w.Close()
			}
			b.ReportMetric(float64(to.Len())/float64(len(body)), "of-plain")
		})
	}
}
