package developer

import (
	"context"
	"strconv"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/texts"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/page"
	"portal/web/payload"
)

// RequestLog is what programs asked with the keys of an account.
type RequestLog interface {
	Requests(ctx context.Context, by access.Actor, f developer.RequestFilter) (*list.Page[developer.Request], error)
	Request(ctx context.Context, by access.Actor, id string) (*developer.Request, error)
	KeysOf(ctx context.Context, accountID string) ([]developer.Key, error)
	// RequestSpans are what came of requests since a moment, by spans of so much time.
	RequestSpans(
		ctx context.Context, by access.Actor, since clock.Time, span time.Duration,
	) ([]developer.RequestSpan, error)
}

func requestLine(v *page.Request, r *developer.Request, names map[string]string) views.RequestLine {
	line := views.RequestLine{
		Path:   v.In("/logs/" + r.ID),
		Status: r.Status,
		Code:   r.Code,
		Key:    named(names, r.KeyID),
		At:     v.Time(r.At),
	}
	line.Method, _ = page.Readable(r.Method)
	line.Target, _ = page.Readable(strings.TrimPrefix(r.Path, "/api/v1/external"))
	return line
}

func (p *Section) logged(v *page.Request) error {
	name, err := v.PathID(id.Request)
	if err != nil {
		return err
	}
	r, err := p.RequestLog.Request(v.Ctx(), v.Actor(), name)
	if err != nil {
		return err
	}
	keys, err := p.RequestLog.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	bodies := payload.New(v, v.In("/logs/"+name))
	view, err := p.requestView(v, bodies, r, keys)
	if err != nil {
		return err
	}
	view.Frame = v.Frame(view.Title)
	return bodies.Show(views.RequestPage(view))
}

// requestView is what is shown of a request, without a frame.
func (p *Section) requestView(
	v *page.Request, bodies *payload.Bodies, r *developer.Request, keys []developer.Key,
) (views.Request, error) {
	line := requestLine(v, r, keyNames(keys))
	sent, err := bodies.Exchange(p.Exchanges, r)
	return views.Request{
		Title:  line.Method + " " + line.Target,
		About:  line.At.Text + " · " + milliseconds(r.Duration),
		Status: r.Status,
		Facts:  requestFacts(r, line),
		Sent:   sent,
	}, err
}

// milliseconds is how long something took: 0.4 ms, 18 ms.
func milliseconds(d time.Duration) string {
	ms := float64(d.Microseconds()) / 1000
	if ms < 10 {
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	}
	return texts.Number(int(ms+0.5)) + " ms"
}

// requestFacts are what is known of a request.
func requestFacts(r *developer.Request, line views.RequestLine) []kit.Facts {
	readable := func(s string) string {
		s, _ = page.Readable(s)
		return s
	}
	request := kit.Facts{Title: "Request", Terms: []kit.Term{
		{Name: "ID", Text: r.ID, ID: true},
		{Name: "Operation", Text: r.Operation},
		{Name: "API key", Text: line.Key},
		{Name: "Path", Text: readable(r.Path)},
		{Name: "Query", Text: readable(r.Query)},
		{Name: "Idempotency key", Text: readable(r.IdempotencyKey)},
		{Name: "Source", Text: readable(r.Address)},
		{Name: "User agent", Text: readable(r.UserAgent)},
	}}
	response := kit.Facts{Title: "Response", Terms: []kit.Term{
		{Name: "Error", Text: r.Code, Path: errorPath(r.Code)},
		{Name: "Field", Text: readable(r.Param)},
		{Name: "Time", Text: line.At.Text},
		{Name: "Duration", Text: milliseconds(r.Duration)},
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

// errorPath is the entry of a code in the dictionary of errors, "" where there is none.
func errorPath(code string) string {
	for _, e := range fault.Dictionary() {
		if string(e.Code) == code {
			return "/docs/errors#" + code
		}
	}
	return ""
}
