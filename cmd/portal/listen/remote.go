package listen

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"portal/api/rest"
	"portal/api/webhook"
)

// Remote is the service as a test key reaches it, over HTTP.
type Remote struct {
	key, Base string
	client    *http.Client
}

// NewRemote is the service at an address, asked through the proxies that a function names.
func NewRemote(key, base string, proxy func(*http.Request) (*url.URL, error)) *Remote {
	return &Remote{key, base, direct(proxy)}
}

// request is a request of the key; a body is JSON.
func (r *Remote) request(ctx context.Context, method, path string, body any) (*http.Request, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, r.Base+rest.Base+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+r.key)
	request.Header.Set("User-Agent", "portal-cli/"+rest.Version)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}

// remoteTime bounds a request that is answered at once.
const remoteTime = 30 * time.Second

// largestAnswer is more than any record has.
const largestAnswer = 8 << 20

// Ask sends a request and gives the body of an answer in 2xx. Its error is refused where
// asking again is of no use, and later where it may be.
func (r *Remote) Ask(ctx context.Context, method, path string, body any) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, remoteTime)
	defer cancel()
	request, err := r.request(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	response, err := r.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close() //nolint:errcheck // only read
	if response.StatusCode/100 != 2 || mediaType(response) != "application/json" {
		return nil, r.unwelcome(response)
	}
	return io.ReadAll(io.LimitReader(response.Body, largestAnswer))
}

func mediaType(r *http.Response) string {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // "" where there is none
	return kind
}

// event reads an event, with the bytes that were sent of it.
func (r *Remote) event(ctx context.Context, id string) (*webhook.Event, error) {
	body, err := r.Ask(ctx, http.MethodGet, "/events/"+id, nil)
	if err != nil {
		return nil, err
	}
	var known struct{ Type webhook.Kind }
	if err := json.Unmarshal(body, &known); err != nil {
		return nil, fmt.Errorf("the event %s: %w", id, err)
	}
	return &webhook.Event{ID: id, Type: known.Type, Body: bytes.TrimRight(body, "\n")}, nil
}

// refused is an answer that the same request would get again.
type refused string

func (r refused) Error() string { return string(r) }

// later is an answer to try again behind, after a time where it says one.
type later struct {
	words string
	after time.Duration
}

func (l later) Error() string { return l.words }

// unwelcome is what an answer means that is not the one that was asked for.
func (r *Remote) unwelcome(response *http.Response) error {
	var envelope struct{ Error struct{ Message string } }
	words := fmt.Sprintf("%s isn't this service: %s", r.Base, response.Status)
	if json.NewDecoder(io.LimitReader(response.Body, 64<<10)).Decode(&envelope) == nil && envelope.Error.Message != "" {
		words = envelope.Error.Message
	}
	if response.StatusCode < 500 && response.StatusCode != http.StatusTooManyRequests {
		return refused(words)
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // 0 where it says none
	return later{words, min(time.Duration(max(seconds, 0))*time.Second, time.Minute)}
}
