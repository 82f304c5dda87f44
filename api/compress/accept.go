// Package compress encodes answers for clients that take them encoded.
//
// Whether an answer may be compressed at all its writer decides. One that holds a secret
// beside something that a third party chose must not be: its length reports whether the two
// are alike, and anyone who can have it sent often enough reads the secret letter by letter
// (BREACH, CVE-2013-3587).
package compress

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Smallest is the size in bytes from which on an answer is worth it.
const Smallest = 1024

// Encoding is a content coding (RFC 9110, section 8.4.1); "" leaves an answer as it is.
type Encoding string

// The encodings.
const (
	Brotli Encoding = "br"
	Gzip   Encoding = "gzip"
)

// Negotiate chooses the encoding of an answer of a size in bytes, from those offered, the
// best first, by the Accept-Encoding of its request. The headers of the answer then name the
// encoding, and say that another client may get another one. An answer that is too small
// keeps its headers, and is not encoded unless the client refuses it plain.
func Negotiate(answer http.Header, accept []string, size int, offered ...Encoding) Encoding {
	if size == 0 || size < Smallest && !weighs(accept) {
		return ""
	}
	wishes := parse(accept)
	if size < Smallest && wishes.of("identity") > 0 {
		return ""
	}
	answer["Vary"] = append(answer["Vary"], "Accept-Encoding")
	chosen := wishes.choose(offered)
	if chosen != "" {
		answer["Content-Encoding"] = []string{string(chosen)}
	}
	return chosen
}

// weighs reports whether a client gives encodings weights; only then can it refuse a plain
// answer.
func weighs(accept []string) bool {
	return slices.ContainsFunc(accept, func(line string) bool { return strings.Contains(line, "=") })
}

// weights are what a client thinks of encodings, 0 to 1, by their names.
type weights map[string]float64

// parse reads the lines of Accept-Encoding (RFC 9110, section 12.5.3). An alias stands for
// the name it is an alias of.
func parse(accept []string) weights {
	all := weights{}
	for _, line := range accept {
		for part := range strings.SplitSeq(line, ",") {
			name, params, _ := strings.Cut(part, ";")
			name = strings.ToLower(strings.TrimSpace(name))
			if name != "" {
				all[strings.TrimPrefix(name, "x-")] = weight(params)
			}
		}
	}
	return all
}

// of is the weight of an encoding. Sent plain is what every client takes unless it says
// otherwise.
func (w weights) of(name string) float64 {
	if own, named := w[name]; named {
		return own
	}
	others, named := w["*"]
	if name == "identity" && (!named || others > 0) {
		return 1
	}
	return others
}

// choose is the encoding that the client likes best, the first of those that it likes
// alike, "" where it takes none or would rather have the answer plain.
func (w weights) choose(offered []Encoding) (best Encoding) {
	most := w["identity"] // only a client that names it prefers it
	for _, e := range offered {
		if own := w.of(string(e)); own > 0 && (own > most || best == "" && own == most) {
			best, most = e, own
		}
	}
	return best
}

// weight is the weight of an encoding by its parameters; what cannot be read is 0.
func weight(params string) float64 {
	for param := range strings.SplitSeq(params, ";") {
		name, value, given := strings.Cut(param, "=")
		if !given || !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		w, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(w >= 0 && w <= 1) {
			return 0
		}
		return w
	}
	return 1
}
