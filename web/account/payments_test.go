package account_test

import (
	"net/http"
	"net/url"
	"testing"

	"portal/api/access"
	"portal/web/pagetest"
)

func TestOwnerSetsTheFeeForPayingOnline(t *testing.T) {
	n := pagetest.NewAccountPages(t)
	for _, mode := range []access.Mode{access.Live, access.Test} {
		at := "/" + string(mode) + "/settings/payments"
		dana := n.SignUp(string(mode) + "@example.com")
		dana.Says(dana.Get(at), http.StatusOK, "Fee that tenants pay for each online payment")
		for _, typed := range []string{"", "x", "-1", "25.01"} {
			dana.Says(
				dana.Post(at+"/fee", at, url.Values{"online_fee": {typed}}),
				http.StatusBadRequest,
				"Enter an amount",
			)
		}
		dana.Leads(dana.Post(at+"/fee", at, url.Values{"online_fee": {"$2.50"}}), at)
		dana.Says(dana.Get(at), http.StatusOK, "Tenants pay $2.50 for each online payment from now on.")
		dana.Leads(dana.Post(at+"/fee", at, url.Values{"online_fee": {"2.50"}}), at)
		dana.Says(dana.Get(at), http.StatusOK, "Nothing was changed")
	}
}
