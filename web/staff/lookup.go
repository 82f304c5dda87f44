package staff

import (
	"fmt"
	"net/url"
	"strings"

	"portal/api/developer"
	"portal/api/fault"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/staff"
	"portal/web/page"
	"portal/web/payload"
)

// lookUp finds a request of the log by its id, for the staff.
func (p *Section) lookUp(v *page.Request) error {
	f := v.Form()
	named := kit.Field{
		Name:     "id",
		Label:    "Request ID",
		Kind:     "search",
		Code:     true,
		Complete: "off",
	}
	from := kit.Field{
		Name:     "address",
		Label:    "IP address of the client",
		Kind:     "search",
		Code:     true,
		Complete: "off",
		Optional: true,
	}
	f.FillField(&named)
	f.FillField(&from)
	view := views.LookUp{
		Frame:   v.Frame("Look-up"),
		Filters: kit.Filters{About: "Find a request", At: "/staff/look-up", Fields: []kit.Field{named, from}},
	}
	asked := f.Printable("id")
	if asked == "" {
		return v.Show(views.LookUpPage(view))
	}
	bodies := payload.New(v, "/staff/look-up?id="+url.QueryEscape(asked))
	r, err := p.Accounts.Logged(v.Ctx(), asked)
	switch {
	case err == nil:
		view.Line = logLine(v, &r)
		if view.Sent, err = bodies.Exchange(p.Exchanges, &r); err != nil {
			return err
		}
	case fault.Is(err, fault.NoRecord):
		view.Trouble = fault.From(err).Message
		view.Minute, err = p.unkeyedMinute(v, asked, f.Printable("address"))
		if err != nil && !fault.Is(err, fault.NoRecord) {
			return err
		}
	default:
		return err
	}
	return bodies.Show(views.LookUpPage(view))
}

// unkeyedMinute is what the log has of the minute of a request without a row of its own,
// fault.NoRecord where what was asked for is no id of a request of the last 90 days.
func (p *Section) unkeyedMinute(v *page.Request, requestID, address string) (*views.UnkeyedMinute, error) {
	m, err := p.Accounts.UnkeyedMinute(v.Ctx(), requestID, address)
	if err != nil {
		return nil, err
	}
	minute := &views.UnkeyedMinute{From: v.Time(m.From)}
	for i := range m.Requests {
		minute.Requests = append(minute.Requests, *logLine(v, &m.Requests[i]))
	}
	for _, c := range m.Counts {
		minute.Counts = append(minute.Counts, views.UnkeyedCount{
			Client: c.Client,
			Total:  texts.Number(c.Total),
			Codes:  codeCounts(c.Codes),
		})
	}
	return minute, nil
}

// codeCounts is how often each code was answered, in words.
func codeCounts(all []developer.CodeCount) string {
	words := make([]string, len(all))
	for i, c := range all {
		code := c.Code
		if code == "" {
			code = "no error"
		}
		words[i] = code + " × " + texts.Number(c.Count)
	}
	return strings.Join(words, ", ")
}

func logLine(v *page.Request, r *developer.Request) *views.LogLine {
	l := &views.LogLine{
		ID:          r.ID,
		At:          v.Time(r.At),
		Operation:   r.Operation,
		Method:      r.Method,
		Path:        r.Path,
		Query:       r.Query,
		Status:      r.Status,
		Code:        r.Code,
		Param:       r.Param,
		Took:        fmt.Sprintf("%.1f ms", float64(r.Duration.Microseconds())/1000),
		Size:        fmt.Sprintf("%d bytes", r.Bytes),
		Address:     r.Address,
		Agent:       r.UserAgent,
		AccountID:   r.AccountID,
		KeyID:       r.KeyID,
		Idempotency: r.IdempotencyKey,
	}
	switch {
	case r.Replayed:
		l.Idempotency += " (replayed)"
	case r.DryRun:
		l.Idempotency = "a preview: nothing was saved"
	}
	return l
}
