package main

import "testing"

// BenchmarkCompression drives a list of 100 payments, the page of the documentation and the OpenAPI
// document of the demo without compression and with it, in turns. _times is how many times as many
// answers a second come with it, _bytes the share of bytes that is left.
func BenchmarkCompression(b *testing.B) {
	d, err := startDemo(b.Context(), built(b), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(d.stop)
	payments := d.url + "/api/v1/external/payments?limit=100"
	for _, of := range []struct {
		name, url, key string
		encodings      []string
	}{
		{"payments", payments, d.said["PORTAL_TEST_KEY"], []string{"identity", "gzip"}},
		{"docs", d.url + "/docs", "", []string{"identity", "gzip"}},
		{"openapi", d.url + "/openapi.json", "", []string{"identity", "gzip", "br"}},
	} {
		b.Run(of.name, func(b *testing.B) {
			rates, sizes := map[string]float64{}, map[string]float64{}
			for b.Loop() {
				for _, encoding := range of.encodings {
					r := measureIn(b, of.url, of.key, encoding)
					rates[encoding] += r.rate()
					sizes[encoding] = float64(r.bytes) / float64(len(r.latency))
				}
			}
			for _, encoding := range of.encodings {
				b.ReportMetric(rates[encoding]/float64(b.N), encoding+"/s")
				b.ReportMetric(rates[encoding]/rates["identity"], encoding+"_times")
				b.ReportMetric(sizes[encoding]/sizes["identity"], encoding+"_bytes")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
