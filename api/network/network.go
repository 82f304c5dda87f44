// Package network says which client an address stands for, wherever clients are counted:
// limits, throttling and the log of requests without a valid key.
//
// It knows nothing of requests or proxies.
package network

import "net/netip"

// Unknown is the client of what is no address.
const Unknown = "unknown"

// Of is the client of an address: the address itself, or of IPv6 its /64, of which one
// client can choose addresses at will (docs/site/limits.md). A zone does not matter, nor
// whether an IPv4 address is written as IPv6.
func Of(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	switch {
	case !a.IsValid():
		return Unknown
	case a.Is4():
		return a.String()
	}
	p, _ := a.Prefix(64) // fails only for IPv4
	return p.String()
}

// Parse is the client of an address that is written down.
func Parse(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return Unknown
	}
	return Of(a)
}
