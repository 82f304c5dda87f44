package resident_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"portal/api/agreement"
	"portal/api/fault"
	"portal/web/pagetest"
)

// shelf has one document that is open, and one that is not.
type shelf struct{}

func (shelf) Document(_ context.Context, token string) (*agreement.Shown, error) {
	switch token {
	case "open":
		return &agreement.Shown{
			Landlord: "Harbor Lane",
			Address:  "1420 Maple Avenue",
			Content:  []byte("%PDF-1.3 lease"),
		}, nil
	case "over":
		return &agreement.Shown{Landlord: "Harbor Lane", Address: "1420 Maple Avenue"}, nil
	}
	return nil, fault.NotFound("document")
}

func TestLinkOpensLeaseDocument(t *testing.T) {
	o := newApplicationPages(t)
	o.Echo = pagetest.Serve(pagetest.Config{
		BaseURL:   pagetest.BaseURL,
		Guests:    o.applications.Applications,
		Emails:    o.applications.Emails,
		Documents: shelf{},
		Now:       time.Now,
	})
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		rec := o.ask(method, "/documents/open")
		h := rec.Header()
		if rec.Code != http.StatusOK || h.Get("Content-Type") != "application/pdf" ||
			h.Get("Content-Disposition") != `inline; filename="lease.pdf"` || h.Get("Cache-Control") != "no-store" ||
			h.Get("X-Robots-Tag") !=
				"noindex, nofollow" || h.Get("Referrer-Policy") ==
			"" || h.Get("Content-Security-Policy") !=
			"frame-ancestors 'none'" || (rec.Body.String() == "%PDF-1.3 lease") !=
			(method == http.MethodGet) {
			t.Errorf("%s: %d %v %q", method, rec.Code, h, rec.Body)
		}
	}
	o.shows(o.ask(http.MethodGet, "/documents/over"), http.StatusGone, "This document has expired")
	o.shows(o.ask(http.MethodGet, "/documents/none"), http.StatusNotFound, "This link doesn’t work")
	if rec := o.sends("/documents/open", nil); rec.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", rec.Code)
	}
}
