package web_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/developer"
	"portal/api/mail"
	"portal/api/secret"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/mailstore"
	"portal/db/servicestore"
	"portal/web/pagetest"
)

// homeIn is the pages whose people and sessions are in a database.
func homeIn(t *testing.T, d *db.DB) (*pagetest.Site, *account.Service) {
	t.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	nothing := func(context.Context, access.Portfolio, *time.Location) error { return nil }
	s := account.New(account.Config{
		Store:     accountstore.New(d),
		Developer: developer.New(developerstore.New(d), time.Now, nothing),
		Box:       box,
		Post:      mail.New(mail.Config{Store: mailstore.New(d), Box: box, Now: time.Now}),
		Hasher:    secret.NewHasher(secret.Cost{Memory: 64, Passes: 1, Lanes: 1}),
		Now:       time.Now,
		BaseURL:   pagetest.BaseURL,
	})
	h := &pagetest.Site{T: t}
	h.Pages = pagetest.AddTrialPages(pagetest.Build(pagetest.Config{
		BaseURL:  pagetest.BaseURL,
		Forms:    servicestore.NewForms(d),
		Sessions: accountstore.NewPageSessions(d, time.Now),
		People:   s.Sessions,
		Now:      time.Now,
	}))
	return h, s
}

func TestDatabaseSessionIdentifiesUser(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		h, s := homeIn(t, d)
		if _, err := developer.New(
			developerstore.New(d),
			time.Now,
			func(context.Context, access.Portfolio, *time.Location) error { return nil },
		).
			AddUser(t.Context(), "dana@example.com", "Maple", "correct horse battery", developer.Landlord); err != nil {
			t.Fatal(err)
		}
		h.Echo = pagetest.Wired(addSignIn(h.Pages, func(ctx context.Context, token string, from account.Client) error {
			proof, err := s.SignIns.SignIn(ctx, "dana@example.com", "correct horse battery", from)
			if err == nil {
				_, err = s.Sessions.Begin(ctx, proof, token, from)
			}
			return err
		}))
		r := h.Guest()
		r.Leads(r.Get("/trial/owner"), "/sign-in?next=%2Ftrial%2Fowner")
		r.Leads(r.Post("/trial/begin", "/trial/guest", nil), "/trial/owner")
		r.Says(r.Get("/trial/owner"), http.StatusOK, "You are signed in.")
		r.Says(r.Get("/live/trials/prop_1"), http.StatusOK, "live prop_1")
		r.Leads(r.Post("/trial/owner", "/trial/owner", nil), "/trial/owner")
		token := *r.Cookies["session"]
		r.Leads(r.Post("/trial/leave", "/trial/owner", nil), "/trial/plain")
		r.Cookies["session"] = &token
		r.Leads(r.Get("/trial/owner"), "/sign-in?next=%2Ftrial%2Fowner")
	})
}
