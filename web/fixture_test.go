package web_test

import (
	"testing"
	"time"

	"portal/api/account"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/notice"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/web/pagetest"
)

func newTestPages(t *testing.T) *pagetest.Site { return newTestPagesAt(t, pagetest.BaseURL) }

// newAccountPagesOnly has the pages of the accounts, for tests that stay at their
// forms: nothing is behind them.
func newAccountPagesOnly(t *testing.T) *pagetest.Site {
	t.Helper()
	h := newTestPages(t)
	c := h.Config
	c.Account = &account.Service{}
	c.Signing, c.Lease.Signings = &ceremony.Service{}, &ceremony.Service{}
	c.Ledger.Payments = &simulated.Payments{Service: &payment.Service{}}
	c.Lease.Payments = c.Ledger.Payments
	c.Lease.Notices = &notice.Service{}
	h.Pages = pagetest.AddTrialPages(pagetest.Build(c))
	h.Echo = pagetest.Wired(h.Pages)
	return h
}

func newTestPagesAt(t *testing.T, address string) *pagetest.Site {
	t.Helper()
	return pagetest.New(t, pagetest.Config{BaseURL: address, Now: time.Now})
}
