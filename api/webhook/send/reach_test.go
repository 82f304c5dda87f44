package send

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// names is a name server: each name has addresses for one look-up after another, the
// last for all that follow. What it does not know is at this very machine.
type names map[string][][]string

func (n names) serve(t testing.TB) *net.Resolver {
	t.Helper()
	at, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		asked, b := map[string]int{}, make([]byte, 1500)
		for size, from, err := at.ReadFrom(b); err == nil; size, from, err = at.ReadFrom(b) {
			if answer := n.answer(b[:size], asked); answer != nil {
				_, _ = at.WriteTo(answer, from)
			}
		}
	})
	t.Cleanup(func() { at.Close(); all.Wait() })
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp4", at.LocalAddr().String())
	}}
}

// answer is nil for a name that has no look-up at all: nobody answers for it.
func (n names) answer(question []byte, asked map[string]int) []byte {
	var m dnsmessage.Message
	if m.Unpack(question) != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	name := strings.ToLower(strings.TrimSuffix(q.Name.String(), "."))
	turns, known := n[name]
	if !known {
		turns = [][]string{{"127.0.0.1", "::1"}}
	} else if len(turns) == 0 {
		return nil
	}
	turn := turns[min(asked[name+q.Type.String()], len(turns)-1)]
	asked[name+q.Type.String()]++
	m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
	if len(turn) == 0 {
		m.RCode = dnsmessage.RCodeNameError
	}
	for _, text := range turn {
		a := netip.MustParseAddr(text)
		h := dnsmessage.ResourceHeader{
			Name:  q.Name,
			Type:  q.Type,
			Class: q.Class,
			TTL:   0,
		}
		switch {
		case a.Is4() && q.Type == dnsmessage.TypeA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: h, Body: &dnsmessage.AResource{A: a.As4()}})
		case a.Is6() && q.Type == dnsmessage.TypeAAAA:
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: h,
				Body:   &dnsmessage.AAAAResource{AAAA: a.As16()},
			})
		}
	}
	b, _ := m.Pack()
	return b
}

// watched notes what the guard admits, and goes no further than its verdict: there is
// no internet here.
type watched struct {
	*Sender
	mu       sync.Mutex
	admitted []string
}

var errAdmitted = errors.New("admitted")

func watch(t testing.TB, loopback bool, n names) *watched {
	w := &watched{Sender: NewSender(loopback, "portal-test")}
	w.total = 5 * time.Second
	w.dialer.Resolver = n.serve(t)
	control := w.dialer.ControlContext
	w.dialer.ControlContext = func(ctx context.Context, network, address string, c syscall.RawConn) error {
		if err := control(ctx, network, address, c); err != nil {
			return err
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.admitted = append(w.admitted, address)
		return errAdmitted
	}
	t.Cleanup(w.Close)
	return w
}

// canary listens on every address of this machine, on one port, and must not sing.
func canary(t testing.TB) (port string, sang func() int) {
	t.Helper()
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	n := 0
	all.Go(func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			c.Close()
			mu.Lock()
			n++
			mu.Unlock()
		}
	})
	t.Cleanup(func() { l.Close(); all.Wait() })
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port, func() int {
		mu.Lock()
		defer mu.Unlock()
		return n
	}
}

// spellings are ways to write an IPv4 address as the host of a URL.
func spellings(text string) []string {
	a := netip.MustParseAddr(text)
	b := a.As4()
	n := uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
	wide := strings.NewReplacer(
		"0",
		"０",
		"1",
		"①",
		"2",
		"②",
		"3",
		"３",
		"4",
		"４",
		"5",
		"⑤",
		"6",
		"６",
		"7",
		"⑦",
		"8",
		"８",
		"9",
		"９",
	)
	hi, lo := n>>16, n&0xffff
	return []string{
		text,
		text + ".",
		fmt.Sprint(n),
		fmt.Sprintf("%#x", n),
		fmt.Sprintf("%#o", n),
		fmt.Sprintf("%#x.%#x.%#x.%#x", b[0], b[1], b[2], b[3]),
		fmt.Sprintf("%#o.%#o.%#o.%#o", b[0], b[1], b[2], b[3]),
		fmt.Sprintf("%03d.%03d.%03d.%03d", b[0], b[1], b[2], b[3]),
		fmt.Sprintf("%d.%d", b[0], n&0xffffff),
		fmt.Sprintf("%d.%d.%d", b[0], b[1], lo),
		wide.Replace(text),
		strings.ReplaceAll(text, ".", "。"),
		strings.ReplaceAll(text, ".", "．"),
		"%3" + text[:1] + text[1:],
		"hooks.example.com@" + text,
		"93.184.216.34:443@" + text,
		"[" + text + "]",
		"[::ffff:" + text + "]",
		fmt.Sprintf("[::ffff:%x:%x]", hi, lo),
		fmt.Sprintf("[0:0:0:0:0:ffff:%x:%x]", hi, lo),
		"[::ffff:" + text + "%25lo]",
		"[::" + text + "]",
		"[64:ff9b::" + text + "]",
		"[64:ff9b:1::" + text + "]",
		fmt.Sprintf("[2002:%x:%x::1]", hi, lo),
		fmt.Sprintf("[2001:0:5db8:d822::%x:%x]", hi^0xffff, lo^0xffff),
		fmt.Sprintf("[2001:0:%x:%x::a247:27dd]", hi, lo),
		"[::ffff:0:" + text + "]",
		"[" + hex.EncodeToString(b[:]) + "]",
		text + ".nip.example.com",
	}
}

func TestNonPublicAddressIsUnreachableInAnySpelling(t *testing.T) {
	t.Parallel()
	port, sang := canary(t)
	var hosts []string
	for _, text := range []string{
		"127.0.0.1", "127.1.2.3", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.254",
		"192.168.1.1", "169.254.169.254", "100.64.0.1", "100.100.100.200", "0.0.0.0",
		"192.0.0.192", "198.18.0.1", "192.0.2.1", "203.0.113.7", "224.0.0.1", "240.0.0.1",
		"255.255.255.255",
	} {
		hosts = append(hosts, spellings(text)...)
	}
	hosts = append(
		hosts,
		"[::1]",
		"[::]",
		"[0:0:0:0:0:0:0:1]",
		"[::1%25lo]",
		"[::1%25]",
		"[fe80::1%25lo]",
		"[fe80::1%25eth0]",
		"[fd00:ec2::254]",
		"[fec0::1]",
		"[ff02::1%25lo]",
		"[ff0e::1]",
		"[2001:db8::1]",
		"[2606:4700:4700::1111%25lo]",
		"localhost",
		"LOCALHOST.",
		"ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
		"loc\u00adalhost",
		"a.localhost",
		"hooks.example.com",
		"hooks.example.com.",
		"0",
		"0x0",
		"0x",
		"127.1",
		"-",
	)
	w := watch(t, false, nil)
	var all sync.WaitGroup
	turn := make(chan struct{}, 50)
	for _, host := range hosts {
		all.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			for _, scheme := range []string{"https", "http"} {
				a := w.Send(t.Context(), post(scheme+"://"+host+":"+port+"/hook"), starts(func() {
					t.Errorf(
						"%s was started on", host)
				}))
				code, _, _ := strings.Cut(a.Error, ":")
				if a.StatusCode != 0 || !slices.Contains([]string{
					"address_not_allowed", "dns", "url", "unreachable",
				}, code) || !sentence.MatchString(a.Error) {
					t.Errorf("%s: %d %q", host, a.StatusCode, a.Error)
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d hosts", len(hosts))
	if len(hosts) < 200 || len(w.admitted) > 0 || sang() > 0 {
		t.Errorf("of %d hosts %q were admitted, %d reached", len(hosts), w.admitted, sang())
	}
}

func TestPublicHostIsDialedAtCheckedAddress(t *testing.T) {
	t.Parallel()
	n := names{
		"hooks.example.com": {{"93.184.216.34"}},
		"mixed.example.com": {{"10.0.0.8", "93.184.216.34", "127.0.0.1", "::1"}},
		"turns.example.com": {{"93.184.216.34"}, {"127.0.0.1"}, {"93.184.216.34"}, {"10.0.0.8"}},
	}
	w := watch(t, false, n)
	for _, c := range []struct{ host, admitted, words string }{
		{"93.184.216.34", "93.184.216.34:443", ""},
		{"[::ffff:93.184.216.34]", "93.184.216.34:443", ""},
		{"①.①.①.①", "1.1.1.1:443", ""},
		{"hooks.example.com:8443", "93.184.216.34:8443", ""},
		{"HOOKS.example.com.", "93.184.216.34:443", ""},
		{"mixed.example.com", "93.184.216.34:443", ""},
		{"turns.example.com", "93.184.216.34:443", ""},
		{
			"turns.example.com", "",
			"address_not_allowed: turns.example.com resolves to 127.0.0.1, which is not on the public internet.",
		},
		{"turns.example.com", "93.184.216.34:443", ""},
		{
			"turns.example.com", "",
			"address_not_allowed: turns.example.com resolves to 10.0.0.8, which is not on the public internet.",
		},
		{"10.0.0.8", "", "address_not_allowed: 10.0.0.8 is not on the public internet."},
		{"[fd00::1]", "", "address_not_allowed: fd00::1 is not on the public internet."},
	} {
		w.admitted = nil
		a := w.Send(t.Context(), post("https://"+c.host+"/hook"), nil)
		if got := strings.Join(w.admitted, " "); got != c.admitted || c.words != "" && a.Error != c.words {
			t.Errorf("%s: admitted %q: %q", c.host, got, a.Error)
		}
	}
}

func TestUnresolvableHostIsReported(t *testing.T) {
	t.Parallel()
	w := watch(t, false, names{"none.example.com": {{}}, "silent.example.com": {}})
	w.total, w.dialer.Timeout = 500*time.Millisecond, 500*time.Millisecond
	for host, want := range map[string]string{
		"none.example.com":   "dns: The name none.example.com does not exist, or has no address.",
		"silent.example.com": "timeout: There was no connection to silent.example.com within 500ms.",
	} {
		if a := w.Send(t.Context(), post("https://"+host+"/hook"), nil); a.Error != want {
			t.Errorf("%s: %q", host, a.Error)
		}
	}
}

func TestDevelopmentModeDialsOnlyLoopbackAndPublicAddresses(t *testing.T) {
	t.Parallel()
	w := watch(t, true, names{
		"own.example.com":     {{"127.0.0.1"}},
		"private.example.com": {{"10.0.0.1"}},
		"hooks.example.com":   {{"93.184.216.34"}},
	})
	for host, want := range map[string]bool{
		"127.0.0.1":           true,
		"127.9.9.9":           true,
		"[::1]":               true,
		"localhost":           true,
		"own.example.com":     true,
		"hooks.example.com":   true,
		"93.184.216.34":       true,
		"10.0.0.1":            false,
		"169.254.169.254":     false,
		"0.0.0.0":             false,
		"[::]":                false,
		"[::1%25lo]":          false,
		"192.168.0.1":         false,
		"[64:ff9b::7f00:1]":   false,
		"private.example.com": false,
	} {
		for _, scheme := range []string{"http", "https"} {
			w.admitted = nil
			a := w.Send(t.Context(), post(scheme+"://"+host+"/hook"), nil)
			if (len(w.admitted) > 0) != want || strings.HasPrefix(a.Error, "address_not_allowed: ") == want {
				t.Errorf("%s: admitted %q: %q", host, w.admitted, a.Error)
			}
		}
	}
}
