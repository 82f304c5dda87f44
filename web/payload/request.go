package payload

import (
	"strconv"
	"strings"
	"time"

	"portal/api/developer"
	"portal/api/fault"
	"portal/api/texts"
	"portal/views/kit"
	"portal/web/page"
)

// Title is what a request asked for, without what the paths of all of them begin with.
func Title(r *developer.Request) string {
	return readable(r.Method) + " " + readable(strings.TrimPrefix(r.Path, "/api/v1/external"))
}

// Milliseconds is how long something took: 0.4 ms, 18 ms.
func Milliseconds(d time.Duration) string {
	ms := float64(d.Microseconds()) / 1000
	if ms < 10 {
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	}
	return texts.Number(int(ms+0.5)) + " ms"
}

// requestFacts are what is known of a request that came at a moment, with whose it is.
func requestFacts(r *developer.Request, at kit.Time, whose ...kit.Term) []kit.Facts {
	request := kit.Facts{Title: "Request", Terms: []kit.Term{
		{Name: "ID", Text: r.ID, ID: true},
		{Name: "Operation", Text: r.Operation},
	}}
	request.Terms = append(append(request.Terms, whose...), []kit.Term{
		{Name: "Path", Text: readable(r.Path)},
		{Name: "Query", Text: readable(r.Query)},
		{Name: "Idempotency key", Text: readable(r.IdempotencyKey)},
		{Name: "Source", Text: readable(r.Address)},
		{Name: "User agent", Text: readable(r.UserAgent)},
	}...)
	response := kit.Facts{Title: "Response", Terms: []kit.Term{
		{Name: "Error", Text: r.Code, Path: errorPath(r.Code)},
		{Name: "Field", Text: readable(r.Param)},
		{Name: "Time", Text: at.Text},
		{Name: "Duration", Text: Milliseconds(r.Duration)},
		{Name: "Size", Text: texts.Number(r.Bytes) + " bytes"},
	}}
	if r.Replayed {
		response.Terms = append(
			response.Terms,
			kit.Term{Name: "Replayed", Text: "The response of the first request with this key"},
		)
	}
	if r.DryRun {
		response.Terms = append(response.Terms, kit.Term{Name: "Dry run", Text: "Nothing was saved"})
	}
	return []kit.Facts{request, response}
}

func readable(s string) string {
	s, _ = page.Readable(s)
	return s
}

// errorPath is the entry of a code in the dictionary of errors, "" where there is none.
func errorPath(code string) string {
	for _, e := range fault.Dictionary() {
		if string(e.Code) == code {
			return "/docs/errors#" + code
		}
	}
	return ""
}
