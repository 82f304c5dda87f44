package rest_test

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
)

// proxied is a setting in which X-Forwarded-For says whose request it is.
func proxied(t *testing.T) setting {
	_, loopback, err := net.ParseCIDR("127.0.0.0/8")
	must(t, err)
	return setting{
		address: echo.ExtractIPFromXFFHeader(
			echo.TrustLoopback(false),
			echo.TrustLinkLocal(false),
			echo.TrustPrivateNet(false),
			echo.TrustIPRange(loopback),
		),
	}
}

// text is how many bytes of text a line has.
func (l *line) text() int {
	return len(l.id) + len(l.operation) + len(l.method) + len(l.path) + len(l.query) + len(l.code) +
		len(l.param) + len(l.address) + len(l.agent)
}

func TestUnauthenticatedLogRowsAreFewAndShort(t *testing.T) {
	bothWith(t, proxied(t), func(t *testing.T, r *fixture) {
		long := strings.Repeat("ab.", 300)
		for i := range 400 {
			address := fmt.Sprintf("2001:db8:0:1::%x", i+1) // one client, whose /64 has many addresses
			r.do(
				"GET",
				"/properties/"+long+"?city="+long,
				strangersKey(),
				"User-Agent",
				long,
				"X-Forwarded-For",
				address,
			)
		}
		r.do("GET", "/me", "", "X-Forwarded-For", "203.0.113.9")
		r.settled()
		all := r.lines()
		if len(all) != 11 {
			t.Errorf("the log has %d rows of their own, want 10 and the one of the other client", len(all))
		}
		for i := range all {
			if n := all[i].text(); n > 180 {
				t.Errorf("a row has %d bytes of text: %+v", n, all[i])
			}
		}
	})
}
