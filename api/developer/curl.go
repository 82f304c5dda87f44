package developer

import (
	"slices"
	"strings"

	"portal/api/redact"
)

// replayed are the headers that tell the API what to do, in the order in which curl is given
// them. All others, such as those that a proxy or a library adds, change nothing.
var replayed = []string{
	"Accept",
	"Content-Type",
	"Content-Encoding",
	"Idempotency-Key",
	"If-Match",
	"Dry-Run",
	"Origin",
	"Last-Event-ID",
	"MCP-Protocol-Version",
	"Mcp-Method",
	"Mcp-Name",
}

// Curl is a command that sends a request again, with the key in PORTAL_API_KEY, or why
// there is none: what was taken out of a request would be missing from it. The body is read from the
// file, "" for a body within the command.
func Curl(base, file string, r *Request, e *Exchange) (command, trouble string) {
	if trouble = curlUnavailable(e); trouble != "" {
		return "", trouble
	}
	lines := []string{"curl " + method(r.Method, len(e.Request.Body.Text) > 0) + shellWord(base+e.Target.Text)}
	if strings.ContainsAny(e.Target.Text, "[]{}") {
		lines[0] = "curl --globoff " + strings.TrimPrefix(lines[0], "curl ")
	}
	if slices.ContainsFunc(strings.Split(e.Target.Text, "/"), func(part string) bool {
		return part == "." ||
			part == ".."
	}) {
		lines[0] = "curl --path-as-is " + strings.TrimPrefix(lines[0], "curl ")
	}
	lines = append(lines, `-H "Authorization: Bearer $PORTAL_API_KEY"`)
	typed := false
	for _, h := range copied(e.Request.Headers) {
		typed = typed || strings.EqualFold(h.Name, "Content-Type")
		if h.Value == "" {
			lines = append(lines, "-H "+shellWord(h.Name+";")) // curl's way to send an empty one
			continue
		}
		lines = append(lines, "-H "+shellWord(h.Name+": "+h.Value))
	}
	if body := e.Request.Body.Text; body != "" {
		if !typed {
			lines = append(lines, "-H 'Content-Type:'") // curl would say that it is a form
		}
		if file != "" {
			lines = append(lines, "--data-binary "+shellWord("@"+file))
		} else {
			lines = append(lines, "--data-raw "+shellWord(body))
		}
	}
	return strings.Join(lines, " \\\n  "), ""
}

// method is the option for a method, "" where curl takes it by itself.
func method(name string, body bool) string {
	switch {
	case name == "HEAD":
		return "--head "
	case name == "GET" && !body, name == "POST" && body:
		return ""
	}
	return "-X " + shellWord(name) + " "
}

// copied are the headers that tell the API what to do.
func copied(all []Header) (some []Header) {
	for _, name := range replayed {
		for _, h := range all {
			if strings.EqualFold(h.Name, name) {
				some = append(some, h)
			}
		}
	}
	return some
}

// curlUnavailable says why no command can send a request again.
func curlUnavailable(e *Exchange) string {
	part := func(k redact.Kept, what string) string {
		switch {
		case k.Hidden:
			return "A secret was taken out of the " + what + ", so a command would not send the same."
		case k.Cut:
			return "The " + what + " was too long to be kept whole, so a command would not send the same."
		}
		return ""
	}
	if e.Request.Unread {
		return "The body was not read and is not kept, so a command would not send the same."
	}
	if s := part(e.Target, "address"); s != "" {
		return s
	}
	for _, h := range copied(e.Request.Headers) {
		if s := part(redact.Kept{Hidden: h.Hidden, Cut: h.Cut}, "header "+h.Name); s != "" {
			return s
		}
	}
	return part(e.Request.Body, "body")
}

// shellWord is a text as one word of a POSIX shell.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,@%+") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
