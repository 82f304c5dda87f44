package overview

import (
	"strconv"

	"portal/api/access"
	"portal/api/developer"
	"portal/views/kit"
)

// next is the one thing to do now, one without a title where nothing is to be done.
func (p *Section) next(g *glance) (kit.NoticeContent, error) {
	v := g.v
	if g.way.Approved && g.way.Request.Status != developer.Approved {
		return kit.NoticeContent{
			Tone:   kit.Warned,
			Title:  "API access is no longer approved.",
			Words:  "Requests with your keys are refused.",
			Action: kit.Action{Name: "View API access", Path: "/access"},
		}, nil
	}
	steps := nextSteps(v, &g.way)
	for i, s := range steps {
		if s.Now {
			return kit.NoticeContent{
				Tone:   kit.Done,
				Title:  "Next step: " + lowerFirst(s.Title),
				Words:  "Step " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(steps)) + ".",
				Action: kit.Action{Name: "View first steps", Path: "/overview"},
			}, nil
		}
	}
	if v.Mode() == access.Live && g.empty() {
		return kit.NoticeContent{
			Tone:   kit.Done,
			Title:  "Next step: add your records",
			Words:  "This portfolio has no rent, tickets, or events yet. Import your rent roll, or add a property.",
			Action: kit.Action{Name: "Import rent roll", Path: v.In("/import"), Icon: "upload"},
		}, nil
	}
	return p.goLive(g)
}

// goLive asks owners for a live key once the integration works in test mode.
func (p *Section) goLive(g *glance) (kit.NoticeContent, error) {
	if g.v.Mode() != access.Test || !g.v.Owns() {
		return kit.NoticeContent{}, nil
	}
	keys, err := p.RequestLog.KeysOf(g.v.Ctx(), g.v.Person.Account.AccountID)
	if err != nil {
		return kit.NoticeContent{}, err
	}
	for i := range keys {
		if keys[i].Mode == access.Live {
			return kit.NoticeContent{}, nil
		}
	}
	return kit.NoticeContent{
		Tone:   kit.Done,
		Title:  "Next step: go live",
		Words:  "Your test integration works. Create a live key to connect your own properties.",
		Action: kit.Action{Name: "Create live key", Path: "/keys/new", Icon: "key-round"},
	}, nil
}

// empty reports whether nothing has happened in the portfolio.
func (g *glance) empty() bool {
	due, _ := g.rent()
	return len(g.events) == 0 && g.tickets() == 0 && g.portfolio.Overdue.Charges == 0 && sum(due) == 0
}

func lowerFirst(s string) string { return string(s[0]|0x20) + s[1:] }
