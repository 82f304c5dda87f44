package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/portfoliostore"
)

// span is how long each side is driven in one turn; clients is how many ask.
const (
	span    = time.Second
	clients = 8
)

// bareBody is set in the process that is the bare Echo server.
const bareBody = "PORTAL_BENCH_BARE_BODY"

func TestMain(m *testing.M) {
	if body := os.Getenv(bareBody); body != "" {
		serveBare(body)
	}
	os.Exit(m.Run())
}

// serveBare answers with the same bytes as the list does, and does nothing else.
func serveBare(encoded string) {
	body, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		panic(err)
	}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	length := strconv.Itoa(len(body)) // net/http would send it in chunks
	e.GET("/*", func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderContentLength, length)
		return c.JSONBlob(http.StatusOK, body)
	})
	panic(e.Start(os.Getenv("PORTAL_ADDR")))
}

// BenchmarkListOf20 drives the list of 20 (key, limiter, query, encoding, request
// log) beside a bare Echo handler that answers the same bytes, in turns in one
// run, each in a process of its own. of_bare is the share of the bare handler's
// requests a second.
func BenchmarkListOf20(b *testing.B) {
	binary := built(b)
	for _, rows := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprintf("properties=%d", rows), func(b *testing.B) { benchmarkList(b, binary, rows) })
	}
}

// built is the product, built for a benchmark.
func built(b *testing.B) (binary string) {
	b.Helper()
	binary = filepath.Join(b.TempDir(), "portal")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", binary, "../portal")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	return binary
}

func benchmarkList(b *testing.B, binary string, rows int) {
	p := startPortal(b, binary, rows)
	target := p.url + "/api/v1/external/properties"
	bare := startBare(b, fetch(b, target, p.key))
	var ours, theirs float64
	for b.Loop() {
		ours += measure(b, target, p.key).rate()
		theirs += measure(b, bare, "none").rate()
	}
	b.ReportMetric(ours/float64(b.N), "req/s")
	b.ReportMetric(theirs/float64(b.N), "bare_req/s")
	b.ReportMetric(ours/theirs, "of_bare")
	zipped := measureIn(b, target, p.key, "gzip") // beside the same bare bytes, which stay plain
	b.ReportMetric(zipped.rate()/measure(b, bare, "none").rate(), "gzip_of_bare")
	b.ReportMetric(float64(zipped.bytes)/float64(len(zipped.latency)), "gzip_bytes")
	b.ReportMetric(0, "ns/op")
	for name, query := range map[string]string{
		"middle": "?starting_after=" + p.middle, "last": "?starting_after=" + p.last,
		"state": "?state=TX", "city": "?city=Austin", "type": "?property_type=condo", "status": "?status=active",
		"state_middle": "?state=TX&starting_after=" + p.middle, "city_state": "?city=Austin&state=TX",
	} {
		b.ReportMetric(measure(b, target+query, p.key).rate()/measure(b, bare, "none").rate(), name+"_of_bare")
	}
}

func measure(b *testing.B, target, key string) *result {
	b.Helper()
	return measureIn(b, target, key, "identity")
}

// measureIn has the answers come in a content encoding.
func measureIn(b *testing.B, target, key, encoding string) *result {
	b.Helper()
	asked, err := newAsked(target, key, "")
	if err != nil {
		b.Fatal(err)
	}
	r := drive(b.Context(), asked.in(encoding), clients, span)
	if r.errors > 0 || r.statuses[http.StatusOK] != len(r.latency) {
		b.Fatalf("%s: %d errors, statuses %v", target, r.errors, r.statuses)
	}
	return r
}

func fetch(b *testing.B, target, key string) []byte {
	b.Helper()
	request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, target, nil)
	if err != nil {
		b.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		b.Fatalf("%s: %d %s %v", target, response.StatusCode, body, err)
	}
	return body
}

// portalUnderTest is a running server with its data.
type portalUnderTest struct{ url, key, middle, last string }

func startPortal(b *testing.B, binary string, rows int) portalUnderTest {
	b.Helper()
	address := freeAddress(b)
	env := append(os.Environ(), "PORTAL_ADDR="+address, "PORTAL_DATA="+b.TempDir())
	cli := func(stdin string, args ...string) string {
		c := exec.CommandContext(b.Context(), binary, args...)
		c.Env, c.Stdin = env, strings.NewReader(stdin)
		out, err := c.Output()
		if err != nil {
			b.Fatalf("portal %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	cli("correct horse battery\n", "user", "add", "bench@example.com", "--password-stdin")
	cli("", "access", "approve", "bench@example.com")
	cli("", "plan", "set", "bench@example.com", "prime", "--sustained", "1000000", "--burst", "1000000")
	p := portalUnderTest{
		url: "http://" + address,
		key: cli("", "key", "create", "bench@example.com", "--name", "bench", "--mode", "live"),
	}
	p.middle, p.last = fill(b, env[len(env)-1][len("PORTAL_DATA="):], rows)
	start(b, binary, env, address, "serve")
	return p
}

func startBare(b *testing.B, body []byte) string {
	b.Helper()
	address := freeAddress(b)
	start(
		b,
		os.Args[0],
		append(os.Environ(), "PORTAL_ADDR="+address, bareBody+"="+base64.StdEncoding.EncodeToString(body)),
		address,
	)
	return "http://" + address + "/"
}

// start runs a server until the benchmark ends, and waits until it listens.
func start(b *testing.B, binary string, env []string, address string, args ...string) {
	b.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, binary, args...)
	var log bytes.Buffer
	c.Env, c.Stderr = env, &log
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { cancel(); _ = c.Wait() })
	deadline := time.Now().Add(20 * time.Second)
	for {
		conn, err := (&net.Dialer{}).DialContext(b.Context(), "tcp", address)
		if err == nil {
			_ = conn.Close()
			return
		}
		if time.Now().After(deadline) {
			b.Fatalf("%s does not listen: %s", binary, log.String())
		}
		time.Sleep(20 * time.Millisecond) //nolint:forbidigo // between two polls of what must come up
	}
}

func freeAddress(b *testing.B) string {
	b.Helper()
	l, err := (&net.ListenConfig{}).Listen(b.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// fill writes properties of one unit each into the live portfolio of the one
// account, and returns the ids in the middle and near the end.
func fill(b *testing.B, folder string, rows int) (middle, last string) {
	b.Helper()
	d, err := db.OpenSQLite(b.Context(), folder)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	in := access.Portfolio{ID: 1, Mode: access.Live}
	const part = 20_000
	for from := 0; from < rows; from += part {
		var book portfolio.Book
		for i := from; i < min(from+part, rows); i++ {
			p := sample(i)
			book.Properties = append(book.Properties, p)
			if i == rows/2 {
				middle = p.ID
			}
			if i == rows-21 {
				last = p.ID
			}
		}
		if err := portfoliostore.New(d).AddProperties(b.Context(), in, &book); err != nil {
			b.Fatal(err)
		}
	}
	return middle, last
}

func sample(i int) portfolio.Property {
	made := time.UnixMilli(1_700_000_000_000 + int64(i)*1000)
	states, cities := []contact.State{
		"TX", "CA", "NY", "FL", "OH",
	}, []string{
		"Austin", "Oakland", "Albany", "Tampa", "Dayton", "Houston", "Fresno",
	}
	kinds := portfolio.PropertyType("").Values()
	name, zip, year := fmt.Sprintf("House %d", i), "78701", 1950+i%70
	return portfolio.Property{
		Record: portfolio.Record{
			ID:        id.New(id.Property, made),
			Version:   1,
			CreatedAt: clock.At(made),
			UpdatedAt: clock.At(made),
		},
		Name:               &name,
		StreetAddress:      fmt.Sprintf("%d Maple Avenue", i+1),
		City:               cities[i%len(cities)],
		State:              states[i%len(states)],
		PostalCode:         &zip,
		PropertyType:       portfolio.PropertyType(kinds[i%len(kinds)]),
		YearBuilt:          &year,
		UnitCount:          1,
		Status:             portfolio.PropertyActive,
		VerificationStatus: portfolio.Verified,
	}
}
