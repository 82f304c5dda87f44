package webhook

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"portal/api/webhook/send"
)

func TestURLIsAcceptedOrRefusedWithReason(t *testing.T) {
	t.Parallel()
	const (
		character = "no place in one"
		form      = "cannot be read"
		https     = "https only"
		host      = "names no host"
		user      = "a user name or a password"
		fragment  = "a fragment"
		port      = "not a number from 1 to 65535"
		brackets  = "not an IPv6 address"
		name      = "not a host name"
		ends      = "ends in a number"
		private   = "private networks only"
		dot       = "has no dot"
		address   = "not an address on the public internet"
		length    = "must have at most 2,000 characters"
	)
	for text, want := range map[string]string{
		"https://hooks.example.com/portal":                      "",
		"https://hooks.example.com":                             "",
		"HTTPS://Hooks.Example.COM/portal?a=b%20c":              "",
		"https://hooks.example.com:8443/":                       "",
		"https://hooks.example.com:65535/":                      "",
		"https://hooks.example.com./":                           "",
		"https://xn--bcher-kva.example.com/":                    "",
		"https://my_hook.example.com/":                          "",
		"https://hooks.example/":                                "",
		"https://a.b.c.d.example.co.uk/":                        "",
		"https://1.example.com/":                                "",
		"https://0x7f.example.com/":                             "",
		"https://1e100.net/":                                    "",
		"https://localhost.example.com/":                        "",
		"https://mylocalhost.com/":                              "",
		"https://93.184.216.34/":                                "",
		"https://93.184.216.34:8443/":                           "",
		"https://[2606:4700:4700::1111]/":                       "",
		"https://[2606:4700:4700::1111]:8443/":                  "",
		"https://[::ffff:93.184.216.34]/":                       "",
		"https://" + strings.Repeat("a", 63) + ".example.com/":  "",
		"https://example.com/" + strings.Repeat("a", 2000-20):   "",
		"https://example.com/" + strings.Repeat("a", 2000-19):   length,
		"https://" + strings.Repeat("a", 64) + ".example.com/":  name,
		"https://" + strings.Repeat("a.", 127) + "example.com/": name,
		"":                                          https,
		"hooks.example.com/portal":                  https,
		"//hooks.example.com/":                      https,
		"http://hooks.example.com/":                 https,
		"ftp://example.com/":                        https,
		"javascript:alert(1)":                       https,
		"file:///etc/passwd":                        https,
		"hooks.example.com:443/":                    https,
		"httpss://example.com/":                     https,
		"http://localhost/":                         https,
		"http://127.0.0.1/":                         https,
		"http://10.0.0.1/":                          https,
		"http://[::1]:8080/":                        https,
		"https:":                                    host,
		"https://":                                  host,
		"https:///portal":                           host,
		"https:example.com":                         host,
		"https://:443/":                             host,
		"https:/example.com":                        host,
		"https://user@example.com/":                 user,
		"https://user:swordfish@example.com/":       user,
		"https://:@example.com/":                    user,
		"https://example.com@10.0.0.1/":             user,
		"https://example.com/#":                     fragment,
		"https://example.com/#part":                 fragment,
		"https://example.com#@10.0.0.1/":            fragment,
		"https://example.com:/":                     port,
		"https://example.com:0/":                    port,
		"https://example.com:65536/":                port,
		"https://example.com:99999999999999999999/": port,
		"https://example.com:https/":                form,
		"https://example.com:-1/":                   form,
		"https://example.com/%zz":                   form,
		"https://exa%6Dple.com/":                    form,
		`https://example.com\@10.0.0.1/`:            form,
		"https://[::1":                              form,
		"https://exa<mple.com/":                     name,
		" https://example.com/":                     character,
		"https://example.com/ ":                     character,
		"https://example.com/a b":                   character,
		"https://exam\tple.com/":                    character,
		"https://example.com/\r\nHost: a":           character,
		"https://example.com/\x00":                  character,
		"https://example.com/\x7f":                  character,
		"https://①②⑦.0.0.1/":                        character,
		"https://127。0。0。1/":                        character,
		"https://bücher.example.com/":               character,
		"https://example.com/ü":                     character,
		"https://example.com/\u202e":                character,
		"https://loc\u00adalhost/":                  character,
		"https://example.com/\xff":                  character,
		"https://example..com/":                     name,
		"https://.example.com/":                     name,
		"https://-a.example.com/":                   name,
		"https://a-.example.com/":                   name,
		"https://exa~mple.com/":                     name,
		"https://*.example.com/":                    name,
		"https://./":                                name,
		"https://example.com../":                    name,
		"https://2130706433/":                       ends,
		"https://0x7f000001/":                       ends,
		"https://0x7f.1/":                           ends,
		"https://127.1/":                            ends,
		"https://127.0.1/":                          ends,
		"https://0177.0.0.1/":                       ends,
		"https://127.0.0.01/":                       ends,
		"https://127.0.0.0x1/":                      ends,
		"https://127.0.0.1./":                       ends,
		"https://8.8.8.8./":                         ends,
		"https://0x/":                               ends,
		"https://example.0x/":                       ends,
		"https://example.123/":                      ends,
		"https://256.256.256.256/":                  ends,
		"https://1.2.3.4.5/":                        ends,
		"https://0X7F.1/":                           ends,
		"https://93.184.216.034/":                   ends,
		"https://999/":                              ends,
		"https://localhost/":                        private,
		"https://LOCALHOST/":                        private,
		"https://localhost./":                       private,
		"https://localhost:8443/":                   private,
		"https://app.localhost/":                    private,
		"https://printer.local/":                    private,
		"https://metadata.google.internal/":         private,
		"https://router.home.arpa/":                 private,
		"https://1.0.0.127.in-addr.arpa/":           private,
		"https://hooks.test/":                       private,
		"https://hooks.invalid/":                    private,
		"https://hooks.onion/":                      private,
		"https://hooks.alt/":                        private,
		"https://nas.lan/":                          private,
		"https://wiki.corp/":                        private,
		"https://localhost.localdomain/":            private,
		"https://internal/":                         private,
		"https://receiver/":                         dot,
		"https://com/":                              dot,
		"https://receiver./":                        dot,
		"https://kubernetes:443/":                   dot,
		"https://127.0.0.1/":                        address,
		"https://10.0.0.1/":                         address,
		"https://169.254.169.254/latest/meta-data/": address,
		"https://192.168.1.1:8443/":                 address,
		"https://0.0.0.0/":                          address,
		"https://255.255.255.255/":                  address,
		"https://203.0.113.7/":                      address,
		"https://[::1]/":                            address,
		"https://[::]/":                             address,
		"https://[::ffff:127.0.0.1]/":               address,
		"https://[::ffff:a00:1]/":                   address,
		"https://[64:ff9b::a9fe:a9fe]/":             address,
		"https://[fd00::1]/":                        address,
		"https://[fe80::1]/":                        address,
		"https://[fe80::1%25eth0]/":                 address,
		"https://[2002:7f00:1::]/":                  address,
		"https://[2001:db8::1]/":                    address,
		"https://[::127.0.0.1]/":                    address,
	} {
		got := refusal(text, false)
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if strings.Contains(got, "swordfish") {
			t.Errorf("a password is told: %s", got)
		}
	}
	for _, text := range []string{
		"https://[127.0.0.1]/", "https://[example.com]/", "https://[v1.a]/", "https://[]/",
		"https://::1/", "https://[::1]a/", "https://[::g]/",
	} {
		if got := refusal(text, false); !strings.Contains(got, form) && !strings.Contains(got, brackets) &&
			!strings.Contains(got, name) && !strings.Contains(got, host) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestURLRefusalsAreSentences(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "https://", "https://a b/", "https://u@example.com/", "https://example.com/#",
		"https://example.com:0/", "https://a..b/", "https://127.1/", "https://localhost/",
		"https://receiver/", "https://[::1]/", "https://example.com/%",
		"https://example.com/" + strings.Repeat("a", 2000),
	} {
		if why := refusal(text, false); len(why) < 30 || len(why) > 300 || !strings.HasSuffix(why, ".") {
			t.Errorf("%q: %q", text, why)
		}
	}
}

func TestDevelopmentModeAllowsOnlyLoopbackURLs(t *testing.T) {
	t.Parallel()
	for _, own := range []string{"localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "[::1]"} {
		for _, form := range []string{"http://%s", "https://%s/hook", "http://%s:9000/hook?a=b"} {
			text := fmt.Sprintf(form, own)
			if why := refusal(text, true); why != "" {
				t.Errorf("%s: %s", text, why)
			}
			if refusal(text, false) == "" {
				t.Errorf("%s was let through", text)
			}
		}
	}
	for _, text := range []string{
		"http://example.com/", "http://93.184.216.34/", "http://10.0.0.1/", "https://10.0.0.1/",
		"https://192.168.0.1/", "https://169.254.169.254/", "https://0.0.0.0/", "http://0.0.0.0/",
		"https://[::]/", "http://[::ffff:127.0.0.1]/", "https://[::ffff:127.0.0.1]/",
		"http://127.1/", "http://2130706433/", "http://app.localhost/",
		"http://localhost.example.com/", "http://localhost./", "http://user@localhost/",
		"http://localhost/#", "http://localhost:0/", "http://localhost:/", "ftp://localhost/",
		"localhost:9000/hook", "https://printer.local/", "http://[::1%25lo]/",
	} {
		if refusal(text, true) == "" {
			t.Errorf("%s was let through", text)
		}
	}
	if why := refusal("https://hooks.example.com/", true); why != "" {
		t.Error(why)
	}
}

func TestEquivalentURLsAreRecognized(t *testing.T) {
	t.Parallel()
	for _, same := range [][2]string{
		{"https://example.com", "https://example.com/"},
		{"https://example.com:443/a", "https://EXAMPLE.com/a"},
		{"HTTPS://example.com/a?b=c", "https://example.com/a?b=c"},
	} {
		if canonical(same[0]) != canonical(same[1]) {
			t.Errorf("%s is not %s", same[0], same[1])
		}
	}
	for _, other := range [][2]string{
		{"https://example.com/a", "https://example.com/A"},
		{"https://example.com/a", "https://example.com/a/"},
		{"https://example.com/a?b", "https://example.com/a"},
		{"https://example.com:8443/", "https://example.com/"},
		{"https://a.example.com/", "https://b.example.com/"},
	} {
		if canonical(other[0]) == canonical(other[1]) {
			t.Errorf("%s is %s", other[0], other[1])
		}
	}
}

// gosOwn are numbers that strconv reads and no inet_aton does.
var gosOwn = regexp.MustCompile(`^0[bo]|_`)

// lenient reads an IPv4 address as inet_aton and browsers do: one to four parts, each
// decimal, octal or hexadecimal, the last one filling what is left.
func lenient(host string) (a netip.Addr, is bool) {
	parts := strings.Split(strings.TrimSuffix(strings.ToLower(host), "."), ".")
	if len(parts) > 4 {
		return a, false
	}
	var sum uint64
	for i, part := range parts {
		if part == "0x" {
			part = "0"
		}
		n, err := strconv.ParseUint(part, 0, 64)
		room := uint64(1) << 8
		if i == len(parts)-1 {
			room = 1 << (8 * (5 - len(parts)))
		}
		if err != nil || n >= room || gosOwn.MatchString(part) {
			return a, false
		}
		if i < len(parts)-1 {
			sum |= n << (24 - 8*i)
		} else {
			sum |= n
		}
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}), true
}

func FuzzAURLThatIsTakenLeadsToThePublicInternet(f *testing.F) {
	for _, host := range []string{
		"hooks.example.com", "127.0.0.1", "0x7f.1", "2130706433", "[::1]", "[::ffff:10.0.0.1]",
		"localhost", "a.local", "93.184.216.34", "0177.0.0.1", "1.2.3.4.", "0.0.0.0B0", "0o17.1",
	} {
		f.Add("https://"+host+"/hook", false)
		f.Add("http://"+host+":8080/hook?a=b", true)
	}
	f.Fuzz(func(t *testing.T, text string, development bool) {
		why := refusal(text, development)
		if why != "" {
			if !strings.HasSuffix(why, ".") {
				t.Errorf("%q: %q", text, why)
			}
			return
		}
		u, err := url.Parse(text)
		if err != nil || u.User != nil || u.Hostname() == "" || len(text) > longestURL {
			t.Fatalf("%q was taken: %v", text, err)
		}
		own := ownHost(u.Hostname())
		if own && !development || u.Scheme != "https" && (u.Scheme != "http" || !own) {
			t.Errorf("%q was taken", text)
		}
		a, err := netip.ParseAddr(u.Hostname())
		if b, is := lenient(u.Hostname()); is && (err != nil || a != b) {
			t.Errorf("%q was taken, and is %s to some", text, b)
		}
		if err == nil && !send.Public(a) && !own {
			t.Errorf("%q was taken", text)
		}
	})
}
