package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"
)

// BenchmarkStart starts the served binary on an existing demo and stops it when it had no request
// for a while, in turns with a process that is a bare Echo server. The figures are medians: from
// the start of the process to the first answer, from the signal to its end, and the memory of its
// own (RssAnon) in between.
func BenchmarkStart(b *testing.B) {
	binary, folder := built(b), b.TempDir()
	d, err := startDemo(b.Context(), binary, folder)
	if err != nil {
		b.Fatal(err)
	}
	d.stop() // the demo is there from now on
	body := bareBody + "=" + base64.StdEncoding.EncodeToString([]byte("{}"))
	address := freeAddress(b)
	ours := &life{path: "/readyz", args: []string{binary, "serve", "--demo"}, env: []string{
		"PORTAL_ADDR=" + address, "PORTAL_DATA=" + folder + "/data",
	}}
	bare := &life{path: "/", args: []string{os.Args[0]}, env: []string{"PORTAL_ADDR=" + address, body}}
	for b.Loop() {
		ours.live(b, address)
		bare.live(b, address)
	}
	b.ReportMetric(median(ours.starts), "start_ms")
	b.ReportMetric(median(bare.starts), "bare_start_ms")
	b.ReportMetric(median(ours.stops), "stop_ms")
	b.ReportMetric(median(bare.stops), "bare_stop_ms")
	b.ReportMetric(median(ours.memory), "own_MB")
	b.ReportMetric(median(bare.memory), "bare_own_MB")
	b.ReportMetric(0, "ns/op")
}

// life is how often a process was started and stopped, and what it took, in milliseconds and MB.
type life struct {
	path   string // which answers 200 once the process is ready
	args   []string
	env    []string
	starts []float64
	stops  []float64
	memory []float64
}

// live starts the process, waits until it is ready and then at rest, and stops it.
func (l *life) live(b *testing.B, address string) {
	b.Helper()
	c := exec.CommandContext(b.Context(), l.args[0], l.args[1:]...)
	c.Env = append(os.Environ(), l.env...)
	began := time.Now()
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	for !answers(b.Context(), "http://"+address+l.path) {
		if time.Since(began) > 20*time.Second {
			_ = c.Process.Kill()
			b.Fatalf("%s is not ready", l.args[0])
		}
		time.Sleep(time.Millisecond) //nolint:forbidigo // between two polls of what must come up
	}
	l.starts = append(l.starts, ms(time.Since(began)))
	time.Sleep(1500 * time.Millisecond) //nolint:forbidigo // without a request, which a stop would wait for
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	l.memory = append(l.memory, kept(status, "RssAnon:"))
	began = time.Now()
	_ = c.Process.Signal(syscall.SIGTERM)
	_ = c.Wait() // the bare server ends by the signal
	l.stops = append(l.stops, ms(time.Since(began)))
}

// answers tells whether a new connection is answered with 200.
func answers(ctx context.Context, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusOK
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median(all []float64) float64 { return slices.Sorted(slices.Values(all))[len(all)/2] }
