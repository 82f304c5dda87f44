package web_test

import (
	"context"

	"portal/api/account"
	"portal/web"
	"portal/web/page"
)

// addSignIn adds an address that signs somebody in.
func addSignIn(p *web.Pages, begin func(ctx context.Context, token string, from account.Client) error) *web.Pages {
	p.Routes = append(p.Routes, page.Post("/trial/begin", page.Guest, func(v *page.Request) error {
		token, err := v.Session.Renew()
		if err != nil {
			return err
		}
		if err := begin(v.Ctx(), token, v.From()); err != nil {
			return err
		}
		return v.Done("/trial/owner", "You are signed in.")
	}))
	return p
}
