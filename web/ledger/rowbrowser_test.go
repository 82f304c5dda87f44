package ledger_test

import (
	"testing"

	"portal/api/access"
	"portal/api/portfolio"
	"portal/web/pagetest"
	"portal/web/webtest"
)

func TestClickAnywhereInRowOpensRecord(t *testing.T) {
	t.Parallel()
	b, y := pagetest.Browser(t), pagetest.NewWebhookPagesAt(t, pagetest.BaseURL)
	row := y.Owes(y.Rent(portfolio.LeaseActive, "Dana"), "Rent", portfolio.PaymentDue)
	w := b.Window(t)
	w.Visit(webtest.Desktop, y.Opened(y.Member(access.Owner))+"/test/ledger")
	w.Follow("main tbody td:last-child")
	if got := w.Path(); got != "/test/ledger/"+row {
		t.Errorf("a click in the last cell of a row leads to %s", got)
	}
}
