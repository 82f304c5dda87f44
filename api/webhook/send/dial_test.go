package send

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
)

// registered are the rows of the IANA IPv4 and IPv6 Special-Purpose Address
// Registries, and multicast. The row of NAT64, 64:ff9b::/96, is as its IPv4 is.
var registered = []string{
	"0.0.0.0/8",
	"0.0.0.0/32",
	"10.0.0.0/8",
	"100.64.0.0/10",
	"127.0.0.0/8",
	"169.254.0.0/16",
	"172.16.0.0/12",
	"192.0.0.0/24",
	"192.0.0.0/29",
	"192.0.0.8/32",
	"192.0.0.9/32",
	"192.0.0.10/32",
	"192.0.0.170/32",
	"192.0.0.171/32",
	"192.0.2.0/24",
	"192.31.196.0/24",
	"192.52.193.0/24",
	"192.88.99.0/24",
	"192.88.99.2/32",
	"192.168.0.0/16",
	"192.175.48.0/24",
	"198.18.0.0/15",
	"198.51.100.0/24",
	"203.0.113.0/24",
	"224.0.0.0/4",
	"240.0.0.0/4",
	"255.255.255.255/32",
	"::1/128",
	"::/128",
	"::ffff:0:0/96",
	"64:ff9b:1::/48",
	"100::/64",
	"100:0:0:1::/64",
	"2001::/23",
	"2001::/32",
	"2001:1::1/128",
	"2001:1::2/128",
	"2001:1::3/128",
	"2001:2::/48",
	"2001:3::/32",
	"2001:4:112::/48",
	"2001:10::/28",
	"2001:20::/28",
	"2001:30::/28",
	"2001:db8::/32",
	"2002::/16",
	"2620:4f:8000::/48",
	"3fff::/20",
	"5f00::/16",
	"fc00::/7",
	"fe80::/10",
	"fec0::/10",
	"ff00::/8",
}

// middle is the address in the middle of a range.
func middle(p netip.Prefix) netip.Addr {
	b := p.Addr().AsSlice()
	if i := p.Bits(); i < len(b)*8 {
		b[i/8] |= 0x80 >> (i % 8)
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}

func family(a netip.Addr) string {
	if a.Is4() {
		return "tcp4"
	}
	return "tcp6"
}

func TestNoSpecialPurposeAddressIsDialed(t *testing.T) {
	t.Parallel()
	for _, development := range []bool{false, true} {
		g := newGuard(development)
		for _, row := range registered {
			p := netip.MustParsePrefix(row)
			for _, a := range []netip.Addr{p.Addr(), middle(p), lastOf(p)} {
				err := g.control(t.Context(), family(a), netip.AddrPortFrom(a, 443).String(), nil)
				if own := development && Loopback(a); (err == nil) != own {
					t.Errorf("%s of %s, in development %v: %v", a, p, development, err)
				}
				if to := new(refused); err != nil && (!errors.As(err, &to) || to.address != a.String()) {
					t.Errorf("%s: %v", a, err)
				}
			}
		}
	}
}

func TestOnlyPublicAddressesAreDialed(t *testing.T) {
	t.Parallel()
	for _, development := range []bool{false, true} {
		g := newGuard(development)
		for address, want := range map[string]bool{
			"8.8.8.8:443":                     true,
			"93.184.216.34:8443":              true,
			"223.255.255.255:1":               true,
			"[2606:4700:4700::1111]:443":      true,
			"[2a00:1450:4001::200e]:65535":    true,
			"[64:ff9b::8.8.8.8]:443":          true,
			"[64:ff9b::7f00:1]:443":           false,
			"[64:ff9b::a9fe:a9fe]:80":         false,
			"[64:ff9b::10.0.0.1]:443":         false,
			"[2606:4700:4700::1111%eth0]:443": false,
			"[64:ff9b::8.8.8.8%eth0]:443":     false,
			"[::1%lo]:443":                    false,
			"[fe80::1%eth0]:443":              false,
			"[::ffff:127.0.0.1]:443":          false,
			"":                                false,
			":443":                            false,
			"8.8.8.8":                         false,
			"localhost:443":                   false,
			"8.8.8.8:https":                   false,
			"/var/run/docker.sock":            false,
			"[8.8.8.8]:443":                   false,
		} {
			network := "tcp4"
			if strings.HasPrefix(address, "[") {
				network = "tcp6"
			}
			if err := g.control(t.Context(), network, address, nil); (err == nil) != want {
				t.Errorf("%s: %v", address, err)
			}
		}
		for _, network := range []string{"udp4", "unix", "ip4:icmp", "tcp", ""} {
			if g.control(t.Context(), network, "8.8.8.8:443", nil) == nil {
				t.Errorf("%s was dialled", network)
			}
		}
	}
}
