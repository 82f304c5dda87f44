package webhook

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"portal/api/fault"
	"portal/api/webhook/send"
)

// longestURL in characters.
const longestURL = 2000

// refusal is why no event can be sent to a URL, in sentences, "" where one can. Where
// loopback is admitted, so is a receiver on this machine, over http too.
func refusal(text string, loopback bool) string {
	if at := strings.IndexFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f }); at >= 0 {
		return fmt.Sprintf(
			"The URL holds a character that has no place in one, at position %d. Percent-encode spaces, control "+
				"characters and what is not ASCII; "+
				"write a host name of another script in its ASCII form, which begins with xn--.",
			at+1,
		)
	}
	if len(text) > longestURL {
		return "The URL " + fault.Characters(len(text), nil, new(longestURL))
	}
	if strings.Contains(text, "#") {
		return "The URL has a fragment, the part from # on, which is never sent. Leave it out."
	}
	u, err := url.Parse(text)
	if err != nil {
		return "The URL cannot be read. Check its host, its port and its percent signs; it has a form like " +
			"https://hooks.example.com/portal."
	}
	own := loopback && ownHost(u.Hostname())
	if why := formRefusal(u, own); why != "" || own {
		return why
	}
	return hostRefusal(u)
}

// formRefusal judges all of a URL but its host, which may be this machine.
func formRefusal(u *url.URL, own bool) string {
	switch {
	case u.Scheme != "https" && (u.Scheme != "http" || !own):
		return "Events are sent over https only: the URL has to begin with https://."
	case u.Hostname() == "":
		return "The URL names no host. It has a form like https://hooks.example.com/portal."
	case u.User != nil:
		return "The URL carries a user name or a password. Leave them out: the signature of a delivery tells who " +
			"sent it."
	case !hasPort(u):
		return "The port of the URL is not a number from 1 to 65535."
	}
	return ""
}

// hasPort reports whether the port, where there is one, can be dialled.
func hasPort(u *url.URL) bool {
	if u.Port() == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	n, err := strconv.ParseUint(u.Port(), 10, 16)
	return err == nil && n > 0
}

// ownHost tells a host that is this very machine.
func ownHost(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && send.Loopback(a) || strings.EqualFold(host, "localhost")
}

// hostRefusal judges the host of a URL: an address, or a name.
func hostRefusal(u *url.URL) string {
	host, bracketed := u.Hostname(), u.Host[0] == '['
	a, err := netip.ParseAddr(host)
	switch {
	case err != nil && bracketed || a.Is4() && bracketed:
		return "What stands in brackets as the host of the URL is not an IPv6 address."
	case err != nil:
		return nameRefusal(host)
	case !send.Public(a):
		return fmt.Sprintf(
			"%s is not an address on the public internet. Give the receiver a public one, or a public name; a "+
				"tunnel gives one to a machine at your desk.",
			a,
		)
	}
	return ""
}

// privateEnds are the ends of names that the public DNS does not know and never will, so
// that nothing under them can be reached: RFC 6761 (.example apart, for the sake of
// examples), RFC 6762 with its appendix G, RFC 7686, RFC 8375, RFC 9476, and .internal,
// which ICANN keeps for private use. Below arpa are no hosts.
var privateEnds = []string{
	"localhost", "test", "invalid", "local", "intranet", "internal", "private", "corp", "home",
	"lan", "onion", "arpa", "alt", "localdomain",
}

// nameRefusal judges a host that is not an address in its usual form. What ends in a
// number is one in another form to some programs: 127.1, 0x7f.1, 2130706433 (WHATWG
// URL, ends-in-a-number checker).
func nameRefusal(host string) string {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	switch {
	case len(name) > 253 || slices.ContainsFunc(labels, notLabel):
		return "The host of the URL is not a host name: parts of 1 to 63 letters, digits and hyphens each, at most " +
			"253 characters in all."
	case number(last):
		return fmt.Sprintf(
			"The host %s ends in a number, but is not an IPv4 address of four decimal numbers. Write it so, or use "+
				"a host name.",
			host,
		)
	case slices.Contains(privateEnds, last):
		return fmt.Sprintf(
			"Names under .%s exist in private networks only, so %s cannot be reached. Give the receiver a public "+
				"name; a tunnel gives one to a machine at your desk.",
			last,
			host,
		)
	case len(labels) == 1:
		return fmt.Sprintf(
			"The host %s has no dot, so it is not a name on the public internet. Write it in full, like "+
				"hooks.example.com.",
			host,
		)
	}
	return ""
}

// notLabel tells what cannot be a part of a host name. An underscore is none by the
// letter of RFC 1123, but some names have it and resolve.
func notLabel(s string) bool {
	return s == "" || len(s) > 63 || s[0] == '-' || s[len(s)-1] == '-' ||
		strings.ContainsFunc(s, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9') &&
				r != '-' && r != '_'
		})
}

// number tells a decimal, octal or hexadecimal number, 0x alone too.
func number(label string) bool {
	digits, hex := strings.CutPrefix(label, "0x")
	return !strings.ContainsFunc(digits, func(r rune) bool {
		return (r < '0' || r > '9') &&
			(!hex || r < 'a' || r > 'f')
	})
}

// canonical is a URL in the form in which two that are the same are equal.
func canonical(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return text
	}
	u.Host = strings.TrimSuffix(strings.ToLower(u.Host), ":443")
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String()
}
