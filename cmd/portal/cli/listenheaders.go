package cli

import (
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// ownHeaders are those of a delivery itself, and those that belong to the connection.
var ownHeaders = []string{"Content-Type", "Content-Length", "Transfer-Encoding", "Connection"}

// forwardHeaders reads the headers that are sent along with each event.
func forwardHeaders(lines []string) (http.Header, error) {
	all := http.Header{}
	for i, line := range lines {
		name, value, found := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !found || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, notAHeader(i)
		}
		name = http.CanonicalHeaderKey(name)
		if slices.Contains(ownHeaders, name) || strings.HasPrefix(name, "Webhook-") ||
			strings.HasPrefix(name, "X-Service-") {
			return nil, Misuse("--header can't set " + name + ": the delivery sets it")
		}
		all.Add(name, value)
	}
	return all, nil
}
