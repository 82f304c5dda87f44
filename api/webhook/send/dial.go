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
