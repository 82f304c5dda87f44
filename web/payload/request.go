package payload

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"portal/api/developer"
	"portal/api/fault"
	"portal/api/middleware"
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

// nameOfRequest names the body of a request.
const nameOfRequest = "request"

// exchange shows what was sent with a request that its reader may read, e, which is nil where nothing is kept.
func (b *Bodies) exchange(r *developer.Request, e *developer.Exchange) kit.Exchange {
	if e == nil {
		return kit.Exchange{Absent: notRecorded(r)}
	}
	shown := kit.Exchange{
		Request: b.message(nameOfRequest, &e.Request, "The request had no body."),
		Answer:  b.message("response", &e.Answer, "The response had no body."),
	}
	file := ""
	if shown.Request.Body.Whole != "" {
		file, _ = fileOf(nameOfRequest, e.Request.Body.Text)
	}
	shown.Command, shown.Trouble = developer.Curl(b.v.Shell.BaseURL, file, r, e)
	return shown
}

// errorFacts are the errors that an answer names, each with its field and message; none where it names none or
// is not kept whole.
func errorFacts(answer string) (all []kit.Facts) {
	var of middleware.Failure
	if json.Unmarshal([]byte(answer), &of) != nil || of.Error.Message == "" {
		return nil
	}
	errs := kit.Facts{Title: "Errors"}
	for _, d := range of.Error.Errors {
		errs.Terms = append(errs.Terms, kit.Term{Name: readable(d.Param), Text: readable(d.Message)})
	}
	if len(errs.Terms) == 0 {
		errs = kit.Facts{Title: "Error", Terms: []kit.Term{{Name: "Message", Text: readable(of.Error.Message)}}}
	}
	return []kit.Facts{errs}
}

// Logged shows a request of the log that its reader may read, with whose it is.
func (b *Bodies) Logged(
	from developer.Exchanges, r *developer.Request, whose ...kit.Term,
) (kit.LoggedRequest, error) {
	at := b.v.Time(r.At)
	e, err := from.Exchange(b.v.Ctx(), r)
	facts := requestFacts(r, at, whose...)
	if e != nil {
		facts = append(errorFacts(e.Answer.Body.Text), facts...)
	}
	return kit.LoggedRequest{
		Title:  Title(r),
		About:  at.Text + " · " + Milliseconds(r.Duration),
		Status: r.Status,
		Facts:  facts,
		Sent:   b.exchange(r, e),
	}, err
}

// notRecorded says why nothing is kept of a request.
func notRecorded(r *developer.Request) string {
	switch {
	case r.AccountID == "":
		return "We keep headers and bodies of requests with a valid key."
	case r.Status < 400 && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		return "We keep headers and bodies of writes and errors for 30 days. This request only read data."
	}
	return "We keep headers and bodies of writes and errors for 30 days. None are kept for this request."
}

func (b *Bodies) message(name string, m *developer.Message, none string) kit.Message {
	view := kit.Message{Body: kit.Body{Absent: none}}
	for _, h := range m.Headers {
		line := kit.HeaderLine{Name: h.Name, Hidden: h.Hidden, Cut: h.Cut}
		line.Value, _ = page.Readable(h.Value)
		view.Headers = append(view.Headers, line)
	}
	switch {
	case m.Unread:
		view.Body.Absent = "The body was refused before it was read, so it isn’t kept."
	case m.Body.Text != "":
		view.Body = b.View(name, m.Body.Text)
	}
	switch {
	case m.Body.Hidden && m.Body.Cut:
		view.Notes = append(
			view.Notes,
			"Secrets are removed. Of "+texts.Number(m.Size)+" bytes, the first 16 KiB are kept.",
		)
	case m.Body.Hidden:
		view.Notes = append(view.Notes, "Secrets are removed: … stands for each.")
	case m.Body.Cut:
		view.Notes = append(view.Notes, "Of "+texts.Number(m.Size)+" bytes, the first 16 KiB are kept.")
	}
	return view
}
