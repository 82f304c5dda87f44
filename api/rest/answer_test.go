package rest_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
)

// answer is what came back.
type answer struct {
	to     string
	status int
	header http.Header
	body   []byte
}

// failure is the envelope of an error, read strictly.
type failure struct {
	Error struct {
		Type      string   `json:"type"`
		Code      string   `json:"code"`
		Message   string   `json:"message"`
		Param     *string  `json:"param"`
		Errors    []detail `json:"errors"`
		RequestID string   `json:"request_id"`
		DocURL    string   `json:"doc_url"`
	} `json:"error"`
}

type detail struct {
	Param   string `json:"param"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// failed reads the envelope and checks what holds for each one.
func (a answer) failed(t testing.TB) failure {
	t.Helper()
	var f failure
	d := json.NewDecoder(bytes.NewReader(a.body))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		t.Fatalf("%.200s: status %d is not in the envelope: %v\n%.300s", a.to, a.status, err, a.body)
	}
	if f.Error.RequestID != a.header.Get("X-Request-Id") || f.Error.RequestID == "" {
		t.Errorf("%.200s: request_id %q differs from X-Request-Id %q", a.to, f.Error.RequestID,
			a.header.Get("X-Request-Id"))
	}
	if f.Error.DocURL != base+"/docs/errors#"+f.Error.Code {
		t.Errorf("%.200s: doc_url %q does not point at %s", a.to, f.Error.DocURL, f.Error.Code)
	}
	if f.Error.Errors == nil || f.Error.Message == "" {
		t.Errorf("%.200s: errors or message is missing: %s", a.to, a.body)
	}
	return f
}

// expect checks the status and the code of a refusal.
func (a answer) expect(t testing.TB, status int, code string) failure {
	t.Helper()
	if a.status != status {
		t.Fatalf("%.200s: status %d, want %d %s: %.300s", a.to, a.status, status, code, a.body)
	}
	f := a.failed(t)
	if f.Error.Code != code {
		t.Errorf("%.200s: code %s, want %s: %s", a.to, f.Error.Code, code, f.Error.Message)
	}
	return f
}

// ok checks that the answer is a success and reads it.
func (a answer) ok(t testing.TB, into any) {
	t.Helper()
	if a.status != http.StatusOK {
		t.Fatalf("%.200s: status %d, want 200: %.300s", a.to, a.status, a.body)
	}
	must(t, json.Unmarshal(a.body, into))
}

// page is what every list has.
type page struct {
	Object     string            `json:"object"`
	Data       []json.RawMessage `json:"data"`
	HasMore    bool              `json:"has_more"`
	NextCursor *string           `json:"next_cursor"`
}
