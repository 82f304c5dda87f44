package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	settle = 10 * time.Second // after a start, and after the load, before memory is read
	parts  = 10               // of the load, after each of which it is read
	often  = 5 * time.Millisecond
)

// measureMemory starts the demo, loads it for a time and prints what memory it takes. It reads
// /proc, which Linux has.
func measureMemory(out io.Writer, binary string, clients int, span time.Duration) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	folder, err := os.MkdirTemp("", "portal-load")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // in the folder for what is temporary
	d, err := startDemo(ctx, binary, folder)
	if err != nil {
		return err
	}
	defer d.stop()
	fmt.Fprintf(out, "%-26s%12s%12s%12s\n", "MB", "RssAnon", "VmRSS", "Go heap")
	if err := d.printAfter(out, "after the start", settle); err != nil {
		return err
	}
	if err := d.load(ctx, out, clients, span); err != nil {
		return err
	}
	return d.printAfter(out, "and at rest", settle)
}

// load loads the demo and prints its memory meanwhile.
func (d *demo) load(ctx context.Context, out io.Writer, clients int, span time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second+span)
	defer cancel()
	peaks := make(chan error, 1)
	go func() { peaks <- d.printPeak(out, "peak of the first second", time.Second) }()
	m, err := newMixture(ctx, d)
	if err != nil {
		return err
	}
	defer m.receiver.Close()
	var wait sync.WaitGroup
	for n := range clients {
		wait.Go(func() { m.run(ctx, n) })
	}
	failed := <-peaks
	for part := 1; part <= parts && failed == nil; part++ {
		failed = d.printAfter(out, fmt.Sprintf("under load, %v",
			(span*time.Duration(part)/parts).Round(time.Second)), span/parts)
	}
	cancel()
	wait.Wait()
	fmt.Fprint(out, m)
	return failed
}

// printPeak prints the highest RssAnon within some time, which is over before garbage is collected
// and the system has taken back what was freed.
func (d *demo) printPeak(out io.Writer, when string, within time.Duration) error {
	var peak float64
	//nolint:forbidigo // the time between samples
	for began := time.Now(); time.Since(began) < within; time.Sleep(often) {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.process.Pid))
		if err != nil {
			return err
		}
		peak = max(peak, kept(status, "RssAnon:"))
	}
	_, err := fmt.Fprintf(out, "%-26s%12.1f\n", when, peak)
	return err
}

// printAfter prints the memory of the process once some time has passed.
func (d *demo) printAfter(out io.Writer, when string, after time.Duration) error {
	time.Sleep(after) //nolint:forbidigo // the time itself is what is waited for
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.process.Pid))
	if err != nil {
		return err
	}
	heap, err := gauge(d.metrics, "go_memstats_heap_alloc_bytes")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%-26s%12.1f%12.1f%12.1f\n", when, kept(status, "RssAnon:"), kept(status, "VmRSS:"),
		heap/1e6)
	return err
}

// kept is a figure of /proc/PID/status in MB of a million bytes, 0 where it is not there.
func kept(status []byte, name string) float64 {
	for line := range strings.Lines(string(status)) {
		var kilobytes float64
		if text, found := strings.CutPrefix(line, name); found {
			if _, err := fmt.Sscan(text, &kilobytes); err == nil {
				return kilobytes * 1024 / 1e6
			}
		}
	}
	return 0
}
