package access

import "net/netip"

// UnknownClient is the client of what is no address.
const UnknownClient = "unknown"

// ClientOf is the client that an address stands for, wherever clients are counted (limits, throttling
// and the log of requests without a valid key): the address itself, or of IPv6 its /64, of which one
// client can choose addresses at will (docs/site/limits.md). A zone does not matter, nor
// whether an IPv4 address is written as IPv6.
func ClientOf(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	switch {
	case !a.IsValid():
		return UnknownClient
	case a.Is4():
		return a.String()
	}
	p, _ := a.Prefix(64) // fails only for IPv4
	return p.String()
}

// ParseClient is the client of an address that is written down.
func ParseClient(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return UnknownClient
	}
	return ClientOf(a)
}
