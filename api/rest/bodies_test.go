package rest_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/rest"
)

// previewed is the head of a request that previews an update of a property, to be
// followed by what says how long its body is, and the body.
func previewed(path, key string, headers ...string) string {
	return "PATCH " + rest.Base + path +
		" HTTP/1.1\r\nHost: portal.example.com\r\nConnection: close\r\nDry-Run: true\r\nAuthorization: Bearer " +
		key + "\r\n" + strings.Join(append(headers, ""), "\r\n")
}

// said is the status and the error code of an answer as it came over the wire.
func said(t *testing.T, raw string) string {
	t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(strings.NewReader(raw)), nil)
	if err != nil {
		t.Fatalf("%.200q: %v", raw, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(t, err)
	if res.StatusCode < 300 {
		return fmt.Sprint(res.StatusCode)
	}
	return fmt.Sprint(res.StatusCode, " ", answer{"raw", res.StatusCode, res.Header, text}.failed(t).Error.Code)
}

func (r *fixture) writerOfCommon() (path, key string) {
	return "/properties/" + seeded{
		1, access.Test,
	}.id("prop", 1), *r.key("ada@example.com", access.Test, "payments").Plaintext
}

func TestBodySizeIsLimited(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	path, key := r.writerOfCommon()
	sized := func(n int) string { return `{"name":"A"` + strings.Repeat(" ", n-12) + "}" }
	for n, want := range map[int]string{
		256 << 10:   "200",
		256<<10 - 1: "200",
		256<<10 + 1: "413 body_too_large",
		300 << 10:   "413 body_too_large",
		4 << 20:     "413 body_too_large",
	} {
		body := sized(n)
		if got := said(t, r.raw(previewed(path, key, "Content-Type: application/json", fmt.Sprintf(
			"Content-Length: %d", n))+"\r\n"+body)); got != want {
			t.Errorf("%d bytes: %s, want %s", n, got, want)
		}
		var chunked strings.Builder
		for rest := body; rest != ""; {
			part := rest[:min(len(rest), 10_007)]
			rest = rest[len(part):]
			fmt.Fprintf(&chunked, "%x\r\n%s\r\n", len(part), part)
		}
		if got := said(
			t,
			r.raw(
				previewed(
					path,
					key,
					"Content-Type: application/json",
					"Transfer-Encoding: chunked",
				)+"\r\n"+chunked.String()+"0\r\n\r\n",
			),
		); got != want {
			t.Errorf("%d bytes in chunks: %s, want %s", n, got, want)
		}
	}
	for _, announced := range []string{
		"Content-Length: 99999999999", "Content-Length: 300000\r\nExpect: 100-continue",
	} {
		if got := said(
			t,
			r.raw(previewed(path, key, "Content-Type: application/json", announced)+"\r\n"),
		); got != "413 body_too_large" {
			t.Errorf("%q: %s", announced, got)
		}
	}
}

func TestBodyRequiresJSONContentType(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	path, key := r.writerOfCommon()
	for header, want := range map[string]string{
		"Content-Type: application/json":                                     "200",
		"Content-Type: application/json;charset=utf-8":                       "200",
		"Content-Type: APPLICATION/JSON; Charset=\"UTF-8\"":                  "200",
		"Content-Type: application/json; profile=x":                          "200",
		"Content-Type: application/json\r\nContent-Encoding: identity":       "200",
		"Content-Type: application/json; charset=latin1":                     "415 unsupported_media_type",
		"Content-Type: application/json; charset=utf-16":                     "415 unsupported_media_type",
		"Content-Type: application/jsonl":                                    "415 unsupported_media_type",
		"Content-Type: application/merge-patch+json":                         "415 unsupported_media_type",
		"Content-Type: text/json":                                            "415 unsupported_media_type",
		"Content-Type: text/plain":                                           "415 unsupported_media_type",
		"Content-Type: application/x-www-form-urlencoded":                    "415 unsupported_media_type",
		"Content-Type: multipart/form-data; boundary=x":                      "415 unsupported_media_type",
		"Content-Type: application/json, text/plain":                         "415 unsupported_media_type",
		"Content-Type: application/json; charset":                            "415 unsupported_media_type",
		"Content-Type: json":                                                 "415 unsupported_media_type",
		"Content-Type: */*":                                                  "415 unsupported_media_type",
		"Content-Type:":                                                      "415 unsupported_media_type",
		"X-None: x":                                                          "415 unsupported_media_type",
		"Content-Type: application/json\r\nContent-Encoding: gzip":           "415 unsupported_media_type",
		"Content-Type: application/json\r\nContent-Encoding: identity, gzip": "415 unsupported_media_type",
	} {
		if got := said(
			t,
			r.raw(previewed(path, key, header, "Content-Length: 12")+"\r\n{\"name\":\"A\"}"),
		); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
	if got := said(
		t,
		r.raw(previewed(path, key, "Content-Type: text/plain", "Content-Length: 0")+"\r\n"),
	); got != "400 empty_update" {
		t.Errorf("no body at all: %s", got)
	}
}

func TestBodyMustBeOneJSONObject(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	path, key := r.writerOfCommon()
	deep := func(n int) string {
		return strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1)
	}
	for body, want := range map[string]string{
		deep(32):                       "unknown_field",
		deep(33):                       "invalid_json",
		strings.Repeat("[", 200_000):   "invalid_json",
		`[{"name":"A"}]`:               "invalid_json",
		`"name"`:                       "invalid_json",
		`7`:                            "invalid_json",
		`null`:                         "invalid_json",
		`true`:                         "invalid_json",
		" ":                            "invalid_json",
		"\n\t":                         "invalid_json",
		"\ufeff" + `{"name":"A"}`:      "invalid_json",
		`{"name":"A"}{"name":"B"}`:     "invalid_json",
		`{"name":"A"},`:                "invalid_json",
		`{"name":"A",}`:                "invalid_json",
		`{"name":"A","name":"A"}`:      "invalid_json",
		`{"name":"A","n\u0061me":"B"}`: "invalid_json",
		`{"unknown":{"a":1,"a":2}}`:    "invalid_json",
		`{"name":"A"}` + "\x00":        "invalid_json",
		"{\"name\":\"\xff\"}":          "invalid_json",
		"{\"name\":\"\xed\xa0\x80\"}":  "invalid_json",
		`{"name":"\udc00\ud800"}`:      "invalid_json",
		"{\"name\":\"a\nb\"}":          "invalid_json",
		`{name:"A"}`:                   "invalid_json",
		`{'name':'A'}`:                 "invalid_json",
		`{"name":NaN}`:                 "invalid_json",
		`{"name":Infinity}`:            "invalid_json",
		`{"year_built":01974}`:         "invalid_json",
		`{"year_built":+1974}`:         "invalid_json",
		`{"year_built":.5}`:            "invalid_json",
		`{"name":"A"} // a comment`:    "invalid_json",
		`{"name":undefined}`:           "invalid_json",
		`{"NAME":"A"}`:                 "unknown_field",
		`{"Name":"A"}`:                 "unknown_field",
	} {
		f := r.send("PATCH", path, key, body, "Dry-Run", "true").expect(t, http.StatusBadRequest, want)
		if want == "invalid_json" && f.Error.Param != nil {
			t.Errorf("%.60q is blamed on %s", body, *f.Error.Param)
		}
	}
	for _, fine := range []string{" \r\n\t{ \"name\" : \"\\u0041\" } \n", `{"name":"\ud83c\udfe1"}`, `{"name":"\/"}`} {
		r.send("PATCH", path, key, fine, "Dry-Run", "true").done(t)
	}
	var many strings.Builder
	many.WriteString(`{"name":"A"`)
	for i := range 19_000 {
		fmt.Fprintf(&many, `,"f%d":0`, i)
	}
	a := r.send("PATCH", path, key, many.String()+"}")
	if f := a.expect(t, http.StatusBadRequest, "unknown_field"); len(f.Error.Errors) != 100 || len(a.body) > 100_000 {
		t.Errorf("19000 unknown fields: %d faults in %d bytes", len(f.Error.Errors), len(a.body))
	}
}

func TestSlowBodyBlocksNoOtherRequest(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		path, key := r.writerOfCommon()
		body := `{"name":"Waco"}`
		var slow []net.Conn
		for range 40 {
			conn, err := net.Dial("tcp", r.server.Listener.Addr().String())
			must(t, err)
			must(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
			_, err = io.WriteString(
				conn,
				strings.Replace(previewed(path, key, "Content-Type: application/json", fmt.Sprintf(
					"Content-Length: %d", len(body))), "Dry-Run: true\r\n", "", 1)+"\r\n"+body[:len(body)-1],
			)
			must(t, err)
			slow = append(slow, conn)
		}
		for _, m := range r.mutations(seeded{1, access.Test}) { // the database is free
			if m.Name == "reset_demo_portfolio" {
				continue // the slow bodies are for a record that it deletes
			}
			if a := m.by(r, key); a.status != m.Status {
				t.Errorf("%s: status %d: %s", m.Name, a.status, a.body)
			}
		}
		for _, conn := range slow {
			_, err := io.WriteString(conn, body[len(body)-1:])
			must(t, err)
			text, err := io.ReadAll(conn)
			must(t, err)
			if got := said(t, string(text)); got != "200" {
				t.Errorf("a slow body: %s", got)
			}
			must(t, conn.Close())
		}
	})
}

func TestMalformedBodyIsRefusedWithErrorEnvelope(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	path, key := r.writerOfCommon()
	for _, chunks := range []string{
		"zz\r\n{}\r\n0\r\n\r\n", "5\r\n{\"nam", "c\r\n{\"name\":\"A\"}XX0\r\n\r\n", "-1\r\n\r\n",
		"ffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", r.server.Listener.Addr().String())
		must(t, err)
		must(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
		_, err = io.WriteString(
			conn,
			previewed(path, key, "Content-Type: application/json", "Transfer-Encoding: chunked")+"\r\n"+chunks,
		)
		must(t, err)
		must(t, conn.(*net.TCPConn).CloseWrite())
		text, err := io.ReadAll(conn)
		must(t, err)
		if got := said(t, string(text)); got != "400 malformed_request" {
			t.Errorf("%q: %s", chunks, got)
		}
		must(t, conn.Close())
	}
}

func TestUnexpectedBodyIsRefusedAndChangesNothing(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s := seeded{1, access.Test}
		_, key := r.writerOfCommon()
		if a := r.send(
			"DELETE",
			"/webhooks/endpoints/"+s.id("we", 2),
			key,
			"{ not JSON",
			"Content-Type",
			"text/plain",
		); a.status != http.StatusUnsupportedMediaType {
			t.Errorf("DELETE with a body: status %d: %s", a.status, a.body)
		}
		if a := r.send("GET", "/properties", key, "{ not JSON"); a.status != http.StatusBadRequest {
			t.Errorf("GET with a body: status %d: %s", a.status, a.body)
		}
		for _, none := range []string{"", "{}", " {} "} {
			a := r.send("POST", "/webhooks/endpoints/"+s.id("we", 2)+"/rotate_secret", key, none)
			got := a.done(t)
			if a.status != http.StatusOK || got["previous_secret_expires_at"] != "2026-11-03T17:00:00.482Z" {
				t.Errorf("a rotation without a body: status %d: %s", a.status, a.body)
			}
		}
		r.send("POST", "/properties", key, "").expect(t, http.StatusBadRequest, "missing_field")
	})
}
