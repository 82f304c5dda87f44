package send

import "net/netip"

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
