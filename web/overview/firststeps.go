package overview

import (
	"context"
	"strings"

	"portal/api/developer"
	"portal/views/kit"
	views "portal/views/overview"
	"portal/web/live"
	"portal/web/page"
)

// firstSteps are the steps on a page that follows them.
func firstSteps(v *page.Request, steps []kit.Step) views.FirstSteps {
	return views.FirstSteps{
		Steps: steps,
		Live:  kit.Live{Path: "/overview/stream", Cursor: live.CursorOf(drawnSteps(v.Ctx(), steps))},
	}
}

// drawnSteps are the steps as the stream sends them.
func drawnSteps(ctx context.Context, all []kit.Step) string {
	var b strings.Builder
	_ = views.FirstStepsList(all).Render(ctx, &b) // into memory, of plain data
	return b.String()
}

// streamSteps tells an open overview when a step is done.
func (p *Section) streamSteps(v *page.Request) error {
	a := v.Person.Account
	return p.Streams.Serve(v, live.Whole(func(ctx context.Context) (live.Component, error) {
		way, err := p.Developer.Progress(ctx, v.Member(), a.Test, a.Live)
		return views.FirstStepsList(nextSteps(v, &way)), err
	}))
}

// nextSteps are what there is to do until a receiver works; none once it does.
func nextSteps(v *page.Request, way *developer.Progress) []kit.Step {
	if way.Done() {
		return nil
	}
	all := stepsOf(v, way)
	if way.Approved && !v.Owns() {
		all[2].Words = "Owners of the account create keys. Ask one of them."
		all[2].Action = kit.Link{Name: "API keys", Path: "/keys"}
	}
	if way.Request != nil && !way.Approved {
		switch way.Request.Status {
		case developer.Denied:
			all[1].Words = "Your last request was denied. The reason is with it."
			all[1].Action.Name = "Apply again"
		case developer.Withdrawn:
			all[1].Words = "You withdrew your request."
			all[1].Action.Name = "Apply again"
		case developer.Pending, developer.Approved, developer.Revoked:
		}
	}
	for i := range all {
		if !all[i].Done {
			all[i].Now = true
			break
		}
	}
	return all
}

// stepsOf are the steps from a request for access to the first webhook. Each is done for good.
func stepsOf(v *page.Request, way *developer.Progress) []kit.Step {
	return []kit.Step{
		{
			Title:  "Apply for access",
			Words:  "Tell us what you’re building. We review every request.",
			Done:   way.Request != nil,
			Action: kit.Link{Name: "Apply for access", Path: "/access"},
		},
		{
			Title:  "Wait for the decision",
			Words:  "Usually two business days. You’ll get an email.",
			Done:   way.Approved,
			Action: kit.Link{Name: "View your request", Path: "/access"},
		},
		{
			Title:  "Create a key",
			Words:  "A test key works with the demo portfolio right away. To trigger test events, it needs to write.",
			Done:   way.Keys,
			Action: kit.Link{Name: "Create key", Path: "/keys/new?scopes=write"},
		},
		{
			Title:   "Send a first request",
			Words:   "Run this with your test key. This page updates when the request arrives.",
			Done:    way.Seen,
			Action:  kit.Link{Name: "View API keys", Path: "/keys"},
			Command: page.FirstRequestCommand(v),
		},
		{
			Title: "Receive a webhook",
			Words: "Run portal listen on your computer, or add an endpoint that answers with a 2xx status. Then " +
				"trigger a test event.",
			Done:    way.Delivered,
			Action:  webhooksLink(v),
			Command: page.ListenCommand(v),
		},
	}
}

// webhooksLink leads to the endpoints, where there is a page of them.
func webhooksLink(v *page.Request) kit.Link {
	if v.Shell.Served("/{mode}/webhooks") {
		return kit.Link{Name: "View webhooks", Path: "/test/webhooks"}
	}
	return kit.Link{}
}
