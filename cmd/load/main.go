// Command load drives a running server and prints what it answers: requests a
// second, the median and the 99th percentile, errors, and the server's memory.
//
//	load -url http://127.0.0.1:8080/api/v1/external/properties -key sk_test_pm_… -for 10s
//	load -url http://127.0.0.1:8080/api/v1/external/maintenance/tickets -body '{"unit_id":"unit_…",…}'
//
// With a body it sends POST requests, each with an Idempotency-Key of its own.
//
//	load -memory -for 10m
//
// starts the demo, loads it with a mixture of everything and prints its memory on the way.
//
// Its client does next to nothing, so that what is measured on one machine is the
// server. It speaks HTTP/1.1 without TLS.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	target := flag.String("url", "http://127.0.0.1:8080/api/v1/external/properties", "what is asked for")
	key := flag.String("key", os.Getenv("PORTAL_TEST_KEY"), "API key (default: PORTAL_TEST_KEY)")
	clients := flag.Int("clients", 8, "connections that ask at the same time")
	span := flag.Duration("for", 10*time.Second, "how long")
	body := flag.String(
		"body",
		"",
		"JSON to POST, with a new Idempotency-Key each time; without it the requests are GET",
	)
	encoding := flag.String("encoding", "identity", "content encoding of the answers: gzip, br or identity for none")
	mixed := flag.Bool(
		"memory",
		false,
		"start the demo, load it with reads, writes, tools, pages and deliveries, and print its memory",
	)
	binary := flag.String("binary", "", "with -memory: the binary that is started (default: the one of this tree)")
	metrics := flag.String("metrics", "", "address of the server's metrics (PORTAL_METRICS_ADDR), for its memory")
	flag.Parse()
	if *mixed {
		if err := measureMemory(os.Stdout, *binary, *clients, *span); err != nil {
			fmt.Fprintln(os.Stderr, "load:", err)
			os.Exit(1)
		}
		return
	}

	asked, err := newAsked(*target, *key, *body)
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
	fmt.Println(drive(context.Background(), asked.in(*encoding), *clients, *span))
	if *metrics != "" {
		fmt.Println("server memory", memory(*metrics))
	}
}

// memory is the resident memory of the server, from its metrics.
func memory(address string) string {
	bytes, err := gauge(address, "process_resident_memory_bytes")
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%.1f MB", bytes/1e6)
}

// gauge is one figure of the server's metrics.
func gauge(address, name string) (value float64, err error) {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://"+address+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close() //nolint:errcheck // only read
	lines := bufio.NewScanner(io.LimitReader(response.Body, 1<<20))
	for lines.Scan() {
		if text, found := strings.CutPrefix(lines.Text(), name+" "); found {
			_, err := fmt.Sscan(text, &value)
			return value, err
		}
	}
	return 0, fmt.Errorf("the metrics have no %s", name)
}
