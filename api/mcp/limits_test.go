package mcp_test

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"portal/api/access"
)

func (a answer) limits() string {
	return fmt.Sprint(
		a.status,
		" ",
		a.header.Get("X-RateLimit-Limit"),
		" ",
		a.header.Get("X-RateLimit-Remaining"),
		" ",
		a.header.Get("Retry-After"),
	)
}

func batch(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(ping+",", n), ",") + "]" }

func TestBatchCostsOnePerMessageAndIsAllOrNothing(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		r.plan(ada, 60, 60)
		for _, c := range []struct{ body, want string }{
			{ping, "200 60 59 "},
			{batch(20), "200 60 39 "},
			{batch(21), "400 60 39 "},
			{batch(0), "400 60 39 "},
			{`{`, "400 60 38 "},
			{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "202 60 37 "},
			{`[7,` + ping + `]`, "200 60 35 "},
			{batch(20), "200 60 15 "},
			{batch(16), "429 60 15 1"},
			{batch(20), "429 60 15 5"},
			{batch(15), "200 60 0 "},
			{ping, "429 60 0 1"},
			{batch(21), "429 60 0 1"},
		} {
			got := r.post(key, c.body).limits()
			if got != c.want && !strings.HasPrefix(c.want, "429") ||
				strings.HasPrefix(c.want, "429") && !strings.HasPrefix(got, "429 60 ") {
				t.Errorf("%.40s: %s; want %s", c.body, got, c.want)
			}
		}
	})
}

func TestThrottledBatchSucceedsAfterRetryAfter(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		r.plan(ada, 60, 60)
		r.post(key, batch(20))
		r.post(key, batch(20))
		r.post(key, batch(10))
		a := r.post(key, batch(20))
		var wait int
		if _, err := fmt.Sscan(a.header.Get("Retry-After"), &wait); err != nil || a.status != 429 {
			t.Fatalf("%d %v", a.status, a.header)
		}
		if strings.Contains(a.body, "jsonrpc") || !strings.Contains(a.body, `"code":"rate_limited"`) {
			t.Error(a.body)
		}
		r.clock.Add(int64(time.Duration(wait-1) * time.Second))
		if a := r.post(key, batch(20)); a.status != 429 {
			t.Errorf("a second before: %d", a.status)
		}
		r.clock.Add(int64(time.Second))
		if a := r.post(key, batch(20)); a.status != 200 {
			t.Errorf("after %d s: %d", wait, a.status)
		}
	})
}

func TestRefusedBatchHasNoEffect(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		id := r.anyID(key, "list_properties")
		r.plan(ada, 20, 20)
		r.clock.Add(int64(2 * time.Minute))
		write := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_property",` +
			`"arguments":{"property_id":"` +
			id + `","name":"Done"}}}`
		r.post(key, ping)
		if a := r.post(key, "["+strings.Repeat(write+",", 19)+write+"]"); a.status != 429 {
			t.Fatalf("%d %s", a.status, a.body)
		}
		got := ok[struct{ Name *string }](r, key, "get_property", `{"property_id":"`+id+`"}`)
		if got.Name != nil && *got.Name == "Done" {
			t.Error("a message of a refused batch was executed")
		}
	})
}

func TestThrottledKeyIsRefusedWithoutReadingBody(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		r.plan(ada, 20, 20)
		r.post(key, batch(20))
		c, err := net.Dial("tcp", r.server.Listener.Addr().String())
		must(t, err)
		defer c.Close()
		must(t, c.SetDeadline(time.Now().Add(10*time.Second)))
		_, err = fmt.Fprintf(
			c,
			"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer "+
				"%s\r\nContent-Length: 1000000\r\n\r\n",
			key,
		)
		must(t, err)
		if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "429") {
			t.Errorf("%q %v", line, err)
		}
	})
}
