package access_test

import (
	"net/netip"
	"testing"

	"portal/api/access"
)

func TestIPv6ClientIsItsSlash64(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"203.0.113.7":             "203.0.113.7",
		"::ffff:203.0.113.7":      "203.0.113.7",
		"2001:db8:1:2:3:4:5:6":    "2001:db8:1:2::/64",
		"2001:db8:1:2::":          "2001:db8:1:2::/64",
		"2001:DB8:1:2:ffff::1":    "2001:db8:1:2::/64",
		"2001:db8:1:3::1":         "2001:db8:1:3::/64",
		"fe80::1%eth0":            "fe80::/64",
		"::1":                     "::/64",
		"":                        access.UnknownClient,
		"203.0.113.7:80":          access.UnknownClient,
		"not an address <script>": access.UnknownClient,
	} {
		if got := access.ParseClient(address); got != want {
			t.Errorf("%q counts as %q, want %q", address, got, want)
		}
	}
	if got := access.ClientOf(netip.Addr{}); got != access.UnknownClient {
		t.Errorf("no address counts as %q", got)
	}
}
