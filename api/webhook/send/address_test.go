package send

import (
	"net"
	"net/netip"
	"slices"
	"testing"
)

// ranges are those that are not public, with whether their neighbours are: the
// address before the first one and the one after the last.
var ranges = []struct {
	prefix        string
	before, after bool
}{
	{"0.0.0.0/8", false, true},
	{"10.0.0.0/8", true, true},
	{"100.64.0.0/10", true, true},
	{"127.0.0.0/8", true, true},
	{"169.254.0.0/16", true, true},
	{"172.16.0.0/12", true, true},
	{"192.0.0.0/24", true, true},
	{"192.0.2.0/24", true, true},
	{"192.88.99.0/24", true, true},
	{"192.168.0.0/16", true, true},
	{"198.18.0.0/15", true, true},
	{"198.51.100.0/24", true, true},
	{"203.0.113.0/24", true, true},
	{"224.0.0.0/4", true, false},
	{"240.0.0.0/4", false, false},
	{"255.255.255.255/32", false, false},

	{"::/128", false, false},
	{"::1/128", false, false},
	{"::/96", false, false},
	{"::ffff:0:0/104", false, true}, // of mapped addresses those of 0.0.0.0/8
	{"64:ff9b::/104", false, true},  // of NAT64 too
	{"64:ff9b:1::/48", false, false},
	{"100::/64", false, false},
	{"100:0:0:1::/64", false, false},
	{"::/3", false, true},
	{"2001:1::/32", false, false},
	{"2001:2::/48", false, false},
	{"2001:10::/28", false, false},
	{"2001:20::/28", false, false},
	{"2001:100::/24", false, true}, // the last of 2001::/23
	{"2001:db8::/32", true, true},
	{"2002::/24", true, true}, // of 6to4 those of 0.0.0.0/8
	{"2002:a00::/24", true, true},
	{"2002:e000::/19", true, true}, // up to the end of 6to4
	{"3fff::/20", true, true},
	{"4000::/2", true, false},
	{"5f00::/16", false, false},
	{"8000::/1", false, false},
	{"fc00::/7", false, false},
	{"fe80::/10", false, false},
	{"fec0::/10", false, false},
	{"ff00::/8", false, false},
}

func TestSpecialAddressRangesAreNotPublicButNeighborsAre(t *testing.T) {
	t.Parallel()
	for _, r := range ranges {
		p := netip.MustParsePrefix(r.prefix)
		first, last := p.Masked().Addr(), lastOf(p)
		if p.Masked() != p {
			t.Fatalf("%s begins elsewhere", p)
		}
		for _, a := range []netip.Addr{first, first.Next(), last.Prev(), last} {
			if p.Contains(a) && Public(a) {
				t.Errorf("%s of %s is public", a, p)
			}
		}
		if a := first.Prev(); a.IsValid() && Public(a) != r.before {
			t.Errorf("%s before %s: public is %v", a, p, !r.before)
		}
		if a := last.Next(); a.IsValid() && Public(a) != r.after {
			t.Errorf("%s after %s: public is %v", a, p, !r.after)
		}
	}
}

func lastOf(p netip.Prefix) netip.Addr {
	b := p.Addr().AsSlice()
	for i := p.Bits(); i < len(b)*8; i++ {
		b[i/8] |= 0x80 >> (i % 8)
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}

func TestPublicAddressClassification(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"8.8.8.8":                   true,
		"1.1.1.1":                   true,
		"93.184.216.34":             true,
		"192.31.196.1":              true,
		"223.255.255.255":           true,
		"169.254.169.254":           false,
		"168.63.129.16":             true,
		"100.100.100.200":           false,
		"192.0.0.9":                 false,
		"192.0.0.170":               false,
		"2606:4700:4700::1111":      true,
		"2a00:1450:4001::200e":      true,
		"2620:4f:8000::1":           true,
		"3ffe::1":                   true,
		"2001:200::1":               true,
		"2001:1::1":                 false,
		"2001:4:112::1":             false,
		"::":                        false,
		"::1":                       false,
		"::8.8.8.8":                 false,
		"::127.0.0.1":               false,
		"::ffff:0:8.8.8.8":          false,
		"::ffff:8.8.8.8":            true,
		"::ffff:127.0.0.1":          false,
		"::ffff:10.0.0.1":           false,
		"::ffff:169.254.169.254":    false,
		"64:ff9b::8.8.8.8":          true,
		"64:ff9b::10.0.0.1":         false,
		"64:ff9b::a9fe:a9fe":        false,
		"64:ff9b::7f00:1":           false,
		"64:ff9b::1:808:808":        false,
		"64:ff9b:1::808:808":        false,
		"2002:808:808::1":           true,
		"2002:7f00:1::1":            false,
		"2002:a00:1::":              false,
		"2002:c0a8:101::":           false,
		"2002:a9fe:a9fe::1":         false,
		"2001:0:808:808::f7f7:f7f7": true, // Teredo: server 8.8.8.8, client 8.8.8.8 inverted
		"2001:0:808:808::80ff:fffe": false,
		"2001:0:808:808::f5ff:fffe": false,
		"2001:0:7f00:1::f7f7:f7f7":  false,
		"2001:0:a00:1::f7f7:f7f7":   false,
		"fd00:ec2::254":             false,
		"fe80::1":                   false,
		"fe80::1%eth0":              false,
		"2606:4700:4700::1111%eth0": false,
		"::ffff:8.8.8.8%eth0":       false,
	} {
		if got := Public(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: public is %v", text, got)
		}
	}
	if Public(netip.Addr{}) {
		t.Error("no address at all is public")
	}
}

func TestLoopbackRequiresPlainForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"127.0.0.1":        true,
		"127.255.255.255":  true,
		"::1":              true,
		"126.255.255.255":  false,
		"128.0.0.0":        false,
		"0.0.0.0":          false,
		"::":               false,
		"::2":              false,
		"::ffff:127.0.0.1": false,
		"::1%lo":           false,
		"8.8.8.8":          false,
	} {
		if got := Loopback(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: loopback is %v", text, got)
		}
	}
}

func TestAddressCheckDoesNotAllocate(t *testing.T) { // beside no other test, whose garbage would count
	all := []netip.Addr{
		netip.MustParseAddr("93.184.216.34"),
		netip.MustParseAddr("2606:4700:4700::1111"),
		netip.MustParseAddr("::ffff:8.8.8.8"),
		netip.MustParseAddr("64:ff9b::808:808"),
		netip.MustParseAddr("2001:0:808:808::f7f7:f7f7"),
		netip.MustParseAddr("fe80::1%eth0"),
	}
	if n := testing.AllocsPerRun(100, func() {
		for _, a := range all {
			Public(a)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkPublic(b *testing.B) {
	a := netip.MustParseAddr("93.184.216.34")
	for b.Loop() {
		Public(a)
	}
}

// closed are the ranges as the registries list them, for a judge of another making.
var closed = func() (all []*net.IPNet) {
	for _, text := range []string{
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
		"172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16",
		"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3", "::/3", "2001::/23",
		"2001:db8::/32", "2002::/16", "3fff::/20", "4000::/2", "8000::/1",
	} {
		_, n, err := net.ParseCIDR(text)
		if err != nil {
			panic(err)
		}
		all = append(all, n)
	}
	return all
}()

// reached is public by its definition, bit by bit.
func reached(ip net.IP) bool {
	embeds := map[string][]int{
		"\x00\x64\xff\x9b\x00\x00\x00\x00\x00\x00\x00\x00": {12},
		"\x20\x02":         {2},
		"\x20\x01\x00\x00": {4, -12},
	}
	for prefix, places := range embeds {
		if len(ip) != 16 || ip.To4() != nil || string(ip[:len(prefix)]) != prefix {
			continue
		}
		for _, at := range places {
			four := slices.Clone(ip[max(at, -at):][:4])
			for i := range four {
				if at < 0 {
					four[i] = ^four[i]
				}
			}
			if !reached(four) {
				return false
			}
		}
		return true
	}
	return !slices.ContainsFunc(closed, func(n *net.IPNet) bool { return n.Contains(ip) })
}

func FuzzAnAddressIsPublicByItsDefinition(f *testing.F) {
	for _, r := range ranges {
		p := netip.MustParsePrefix(r.prefix)
		f.Add(p.Addr().AsSlice())
		f.Add(lastOf(p).AsSlice())
	}
	for _, text := range []string{
		"64:ff9b::808:808", "2002:808:808::1", "2001:0:808:808::f7f7:f7f7", "::ffff:8.8.8.8",
		"2606:4700:4700::1111",
	} {
		f.Add(netip.MustParseAddr(text).AsSlice())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, ok := netip.AddrFromSlice(b)
		if ok && Public(a) != reached(net.IP(b)) {
			t.Errorf("%s: public is %v", a, Public(a))
		}
		if ok && (Public(a) || Loopback(a)) &&
			(a.IsPrivate() || a.IsMulticast() || a.IsUnspecified() || a.IsLinkLocalUnicast() ||
				Public(a) && a.IsLoopback()) {
			t.Errorf("%s was let through", a)
		}
	})
}
