package redact

import (
	"regexp"
	"strings"
)

// Who signs in and with what may stand in front of the host of an address. A password is as
// it was typed, not as RFC 3986 wants it: it may hold @, spaces and slashes; slashes of the
// address may be escaped, and all of it may be percent-encoded.
var (
	userinfo  = regexp.MustCompile(`(:\\?/\\?/)[^/\s"'<>]+@`)
	spacious  = regexp.MustCompile(`(:\\?/\\?/)([^/\s@"'<>:]*:)([^\s"'<>@][^"'<>@\r\n]*)@`)
	disguised = regexp.MustCompile(`(?i)(:|%3a)(/|%2f){2}(?:[^&#;\s"'<>/%]|%(?:[013-9a-f][0-9a-f]|2[0-9a-e]))+%40`)
)

// ported tells a host with its port, and what may follow in an address or in a sentence, from
// a name with a password that begins like a port.
var ported = regexp.MustCompile(`^(?:localhost|[^:]*\.[^:]*):[0-9]{1,5}[/?#\s,;)]`)

// loginless is a text without what stands before the hosts of addresses.
func loginless(s string) string {
	if strings.Contains(s, "%40") {
		s = disguised.ReplaceAllStringFunc(s, func(found string) string {
			return disguised.ReplaceAllString(found, "${1}//…@")
		})
	}
	if !strings.Contains(s, "//") && !strings.Contains(s, `/\/`) || strings.IndexByte(s, '@') < 0 {
		return s
	}
	s = userinfo.ReplaceAllString(s, "$1…@")
	return spacious.ReplaceAllStringFunc(s, func(found string) string {
		parts := spacious.FindStringSubmatch(found)
		if ported.MatchString(parts[2]+parts[3]) || strings.Contains(parts[3], "://") {
			return found
		}
		return parts[1] + "…@"
	})
}
