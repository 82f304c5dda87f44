package developer

import (
	"context"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/list"
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
		Title:  payload.Title(r),
		About:  line.At.Text + " · " + payload.Milliseconds(r.Duration),
		Status: r.Status,
		Facts:  payload.RequestFacts(r, line.At, kit.Term{Name: "API key", Text: line.Key}),
		Sent:   sent,
	}, err
}
