package send

import (
	"context"
	"net"
	"net/netip"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
)

// guard lets only those addresses be dialled that are on the public internet. It
// judges the address of each connection itself, after every look-up, so that a name
// whose answer changes is judged by the answer that is used.
type guard struct {
	table    *ssrf.Guardian
	loopback bool // for development: this very machine is admitted too
}

func newGuard(loopback bool) *guard {
	return &guard{ssrf.New(
		ssrf.WithNetworks("tcp4", "tcp6"),
		ssrf.WithAnyPort(),
		ssrf.WithAllowedV6Prefixes(ssrf.IPv6NAT64Prefix), // a network without IPv4 reaches it so
	), loopback}
}

// control is the hook of the dialler, called with each address just before it is
// connected to.
//
// The table of ssrf follows the registries. Public adds what it lacks: an IPv4 address inside an
// IPv6 address (64:ff9b::7f00:1 is 127.0.0.1 behind NAT64), and the unspecified address.
func (g *guard) control(_ context.Context, network, address string, c syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return &refused{address}
	}
	a := to.Addr()
	if g.loopback && Loopback(a) {
		return nil
	}
	if !Public(a) || g.table.Safe(network, address, c) != nil {
		return &refused{a.String()}
	}
	return nil
}

// refused is an address that may not be dialled.
type refused struct{ address string }

func (r *refused) Error() string { return r.address + " is not on the public internet" }

// newDialer makes the only way to a receiver. Go's own resolver ends a look-up with
// its deadline, and Timeout ends what net/http leaves dialling behind an attempt that
// is over.
func newDialer(g *guard, timeout time.Duration) *net.Dialer {
	return &net.Dialer{
		Timeout:        timeout,
		KeepAlive:      15 * time.Second,
		Resolver:       &net.Resolver{PreferGo: true},
		ControlContext: g.control,
	}
}

// Public tells an address that everybody on the internet reaches: global unicast by
// the registries of special-purpose addresses (IANA, RFC 6890), and none of what
// they except for a protocol's own use, as no receiver listens there.
//
// An IPv6 address that stands for an IPv4 one (mapped, NAT64 of the well-known
// prefix, 6to4, Teredo) is as public as that one. A NAT64 prefix that a network has
// chosen for itself looks like any other address and cannot be told.
func Public(a netip.Addr) bool {
	switch {
	case a.Zone() != "":
		return false
	case a.Is4():
		return !among(special4, a)
	case a.Is4In6():
		return Public(a.Unmap())
	case nat64.Contains(a):
		return Public(within(a, 12))
	case sixToFour.Contains(a):
		return Public(within(a, 2))
	case teredo.Contains(a): // the server, and the client with its bits inverted
		return Public(within(a, 4)) && Public(inverted(within(a, 12)))
	}
	return unicast6.Contains(a) && !among(special6, a)
}

// Loopback tells an address of this very machine, in its plain form.
func Loopback(a netip.Addr) bool {
	return a.IsLoopback() && !a.Is4In6() && a.Zone() == ""
}

var (
	unicast6  = netip.MustParsePrefix("2000::/3")     // RFC 4291, 2.4
	nat64     = netip.MustParsePrefix("64:ff9b::/96") // RFC 6052, 2.1
	sixToFour = netip.MustParsePrefix("2002::/16")    // RFC 3056, 2
	teredo    = netip.MustParsePrefix("2001::/32")    // RFC 4380, 4
)

// special4 are the ranges of IPv4 that are not public (IANA IPv4 Special-Purpose
// Address Registry), and multicast.
var special4 = prefixes(
	"0.0.0.0/8",       // this network: RFC 791
	"10.0.0.0/8",      // private: RFC 1918
	"100.64.0.0/10",   // shared by carriers: RFC 6598
	"127.0.0.0/8",     // loopback: RFC 1122
	"169.254.0.0/16",  // link-local, and the metadata of clouds: RFC 3927
	"172.16.0.0/12",   // private: RFC 1918
	"192.0.0.0/24",    // protocol assignments: RFC 6890
	"192.0.2.0/24",    // documentation: RFC 5737
	"192.88.99.0/24",  // relays of 6to4, deprecated: RFC 7526
	"192.168.0.0/16",  // private: RFC 1918
	"198.18.0.0/15",   // benchmarks: RFC 2544
	"198.51.100.0/24", // documentation: RFC 5737
	"203.0.113.0/24",  // documentation: RFC 5737
	"224.0.0.0/4",     // multicast: RFC 1112
	"240.0.0.0/4",     // reserved, and broadcast: RFC 1112, RFC 919
)

// special6 are the ranges of global unicast that are not public (IANA IPv6
// Special-Purpose Address Registry).
var special6 = prefixes(
	"2001::/23",     // protocol assignments: RFC 2928
	"2001:db8::/32", // documentation: RFC 3849
	"3fff::/20",     // documentation: RFC 9637
)

func prefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		all[i] = netip.MustParsePrefix(text)
	}
	return all
}

func among(ranges []netip.Prefix, a netip.Addr) bool {
	for i := range ranges {
		if ranges[i].Contains(a) {
			return true
		}
	}
	return false
}

// within is the IPv4 address at an octet of an IPv6 one.
func within(a netip.Addr, at int) netip.Addr {
	b := a.As16()
	return netip.AddrFrom4([4]byte(b[at:]))
}

func inverted(a netip.Addr) netip.Addr {
	b := a.As4()
	return netip.AddrFrom4([4]byte{^b[0], ^b[1], ^b[2], ^b[3]})
}
