package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/mcp"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/tenantportal"
	"portal/db/portfoliostore"
)

// balanceSurfaces is a live portfolio with random ledgers, and who shows what is owed of them.
type balanceSurfaces struct {
	*lawOffice
	store  *portfoliostore.Store
	by     access.Actor
	today  clock.Date
	random *rand.Rand
}

// For random ledgers with credits, the rules, REST, the tools, the pages and the export show the same balance of each
// lease, and the sums of the portfolio and of a tenant's page follow from it.
func TestEverySurfaceShowsTheSameBalance(t *testing.T) {
	eachDatabase(t, func(t *testing.T, s *httpServer) {
		p := s.product
		_, account, err := p.Developer.Account(t.Context(), demoLandlord)
		orFail(t, err)
		in, err := p.Developer.PortfolioOf(t.Context(), account.ID, access.Live)
		orFail(t, err)
		zone, err := clock.Zone(account.TimeZone)
		orFail(t, err)
		x := &balanceSurfaces{
			lawOffice: newLawOffice(t, s), store: portfoliostore.New(p.DB),
			by: access.Actor{
				Portfolio: in, AccountID: account.ID, Zone: zone, Scopes: access.Scopes{access.Read, access.Write},
			},
			random: rand.New(rand.NewPCG(9, 29)),
		}
		x.today = p.Portfolio.Leases.Today(x.by)
		leases := x.rest(http.MethodGet, "/leases?status=active&limit=5", nil, false)["data"].([]any)
		if len(leases) < 2 {
			t.Fatalf("%d leases", len(leases))
		}
		rounds := 8
		if proving {
			rounds = 200
		}
		orFail(t, p.Developer.SetPlan(t.Context(), demoLandlord, developer.Plan{
			Tier: developer.Prime, Sustained: new(100_000), Burst: new(100_000),
		}))
		for round := range rounds {
			for _, l := range leases {
				x.charge(l.(map[string]any)["id"].(string), 1+x.random.IntN(5))
			}
			x.compare(round, leases)
		}
	})
}

// charge adds random rows to the ledger of a lease.
func (x *balanceSurfaces) charge(leaseID string, n int) {
	l, err := x.store.Lease(x.Context(), x.by.Portfolio, leaseID)
	orFail(x.T, err)
	var all []portfolio.Payment
	for range n {
		due := x.today.AddDays(10 - x.random.IntN(40))
		p := portfolio.Payment{
			LeaseID: l.ID, TenantID: l.TenantIDs[0], UnitID: l.UnitID, PropertyID: l.PropertyID,
			Type:   portfolio.PaymentType(portfolio.PaymentType("").Values()[x.random.IntN(3)]),
			Amount: money.Cents(1 + x.random.IntN(200_000)), Currency: portfolio.Currency, DueDate: due,
			Status: portfolio.PaymentDue,
		}
		p.ID, p.Object, p.Version = id.New(id.Payment, time.Now()), "payment", 1
		p.CreatedAt = clock.At(time.Now())
		p.UpdatedAt = p.CreatedAt
		if p.Type == portfolio.PaymentFee {
			p.FeeType = new(portfolio.OtherFee)
		}
		switch k := x.random.IntN(8); {
		case due > x.today:
			p.Status = portfolio.PaymentScheduled
		case k == 0:
			p.Status = portfolio.PaymentVoid
		case k == 1:
			p.Status, p.Method = portfolio.PaymentProcessing, new(portfolio.PayByACH)
		case k == 2:
			p.Status, p.AmountPaid, p.Method = portfolio.PaymentSucceeded, p.Amount, new(portfolio.PayByACH)
		case k == 3 && p.Amount > 1:
			p.Status, p.AmountPaid, p.Method = portfolio.PaymentPartiallyPaid, p.Amount/2, new(portfolio.PayByCard)
		case k == 4:
			p.Status = portfolio.PaymentFailed
		case k <= 6 && p.Type != portfolio.PaymentDeposit:
			p.Amount = -p.Amount // a credit
		}
		all = append(all, p)
	}
	orFail(x.T, x.product.DB.Exclusively(x.Context(), x.by.Portfolio, func(ctx context.Context) error {
		return x.store.AddPayments(ctx, x.by.Portfolio, all)
	}))
}

// owed is what a loop over the rows of leases finds.
type owed struct{ due, deposit, held, rent money.Cents }

func (x *balanceSurfaces) owed() map[string]owed {
	leases := map[string]owed{}
	rows := x.rest(http.MethodGet, "/payments?limit=100", nil, false)
	for {
		for _, row := range rows["data"].([]any) {
			p := row.(map[string]any)
			o := leases[p["lease_id"].(string)]
			left, status := cents(p["amount"])-cents(p["amount_paid"]), p["status"].(string)
			if p["due_date"].(string) > x.today.String() ||
				!slices.Contains([]string{"scheduled", "due", "partially_paid", "failed"}, status) {
				left = 0
			}
			switch p["type"] {
			case "deposit":
				o.deposit, o.held = o.deposit+left, o.held+cents(p["amount_paid"])
			case "rent":
				o.due, o.rent = o.due+left, o.rent+left
			default:
				o.due += left
			}
			leases[p["lease_id"].(string)] = o
		}
		next, more := rows["next_cursor"].(string)
		if !more {
			return leases
		}
		rows = x.rest(http.MethodGet, "/payments?limit=100&starting_after="+next, nil, false)
	}
}

// cents is an amount as JSON has it.
func cents(amount any) money.Cents {
	f := amount.(float64)
	if f < 0 {
		return -money.Cents(-f*100 + 0.5)
	}
	return money.Cents(f*100 + 0.5)
}

// compare holds all surfaces against the rows. Where a job has changed rows meanwhile, it looks once more.
func (x *balanceSurfaces) compare(round int, leases []any) {
	for range 20 {
		rows := x.owed()
		if wrong := x.differences(rows, leases); maps.Equal(rows, x.owed()) {
			for _, w := range wrong {
				x.Errorf("round %d: %s", round, w)
			}
			return
		}
	}
	x.Errorf("round %d: the ledger goes on changing", round)
}

func (x *balanceSurfaces) differences(want map[string]owed, leases []any) (wrong []string) {
	var rent, all money.Cents
	for _, o := range want {
		rent += max(o.rent, 0)
		all += max(o.due, 0) + max(o.deposit, 0)
	}
	same := func(where string, got, want any) {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			wrong = append(wrong, fmt.Sprintf("%s shows %v, want %v", where, got, want))
		}
	}
	for _, l := range leases {
		x.compareLease(l.(map[string]any)["id"].(string), want, same)
	}
	exported := x.exported()
	for lease, o := range want {
		same("the export of "+lease, exported[lease], o.due)
	}
	list := x.structured("list_leases", map[string]any{"status": "active", "limit": 100})["data"].([]any)
	for _, l := range list {
		l := l.(map[string]any)
		same("list_leases of "+l["id"].(string), cents(l["balance_due"]), want[l["id"].(string)].due)
	}
	sum := x.structured("get_portfolio_summary", map[string]any{})
	same("rent_due_total", cents(sum["rent_due_total"]), rent)
	same("charges_due_total", cents(sum["charges_due_total"]), all)
	arguments, listed := map[string]any{"limit": 100}, 0
	for more := true; more; { // long ledgers do not fit into one answer
		balances := x.structured("get_rent_balances", arguments)
		same("total_due", cents(balances["total_due"]), rent)
		for _, b := range balances["data"].([]any) {
			b := b.(map[string]any)
			lease := b["lease_id"].(string)
			same("get_rent_balances of "+lease, cents(b["balance_due"]), want[lease].rent)
			listed++
		}
		arguments["starting_after"], more = balances["next_cursor"].(string)
	}
	owing := 0
	for _, o := range want {
		if o.rent > 0 {
			owing++
		}
	}
	same("the number of rent balances", listed, owing)
	return wrong
}

func (x *balanceSurfaces) compareLease(leaseID string, all map[string]owed, same func(where string, got, want any)) {
	want, rules := all[leaseID], x.product.Portfolio
	l, err := rules.Leases.Lease(x.Context(), x.by, leaseID)
	orFail(x.T, err)
	same("the rule of a lease", []money.Cents{l.BalanceDue, l.DepositHeld}, []money.Cents{want.due, want.held})
	shown := x.rest(http.MethodGet, "/leases/"+leaseID, nil, false)
	same("GET /leases/{id}", []money.Cents{cents(shown["balance_due"]), cents(shown["deposit_held"])},
		[]money.Cents{want.due, want.held})
	page, _ := x.page(http.MethodGet, "/live/leases/"+leaseID, nil)
	if foot := between(page, "Balance today", "</tr>"); foot != "" || want.due != 0 {
		same("the last line of the page of the lease", lastAmount(foot), want.due.Dollars())
		lines := between(page, `id="balance"`, "<tfoot")
		same("the running balance of the page of the lease", lastAmount(lines), want.due.Dollars())
	}
	if want.held != 0 {
		same(
			"the deposit of the page of the lease",
			lastAmount(between(page, "Held today", "</tr>")),
			want.held.Dollars(),
		)
	}
	list, _ := x.page(http.MethodGet, "/live/leases?unit_id="+l.UnitID, nil)
	at := strings.Index(list, "/live/leases/"+leaseID+`"`)
	if at < 0 {
		x.Fatalf("the list has no %s", leaseID)
	}
	same("the list of leases", lastAmount(between(list[at:], `data-label="Balance"`, "</td>")), want.due.Dollars())
	x.compareTenant(l.TenantIDs[0], all, same)
}

func (x *balanceSurfaces) compareTenant(tenantID string, all map[string]owed, same func(where string, got, want any)) {
	t, err := x.product.Portfolio.Tenants.Tenant(x.Context(), x.by, tenantID)
	orFail(x.T, err)
	var due, credit, withDeposit money.Cents
	visit := &tenantportal.Visit{By: x.by, Today: x.today}
	for _, leaseID := range t.LeaseIDs {
		o := all[leaseID]
		due, credit = due+max(o.due, 0), credit+min(o.due, 0)
		withDeposit += max(o.due, 0) + max(o.deposit, 0)
		visit.Leases = append(visit.Leases, portfolio.Lease{Record: portfolio.Record{ID: leaseID}})
	}
	account, err := x.product.TenantPortal.Account(x.Context(), visit)
	orFail(x.T, err)
	same("the tenant's page", account.Balance, withDeposit)
	if due == 0 {
		due = credit
	}
	list, _ := x.page(http.MethodGet, "/live/tenants?unit_id="+*t.UnitID, nil)
	at := strings.Index(list, "/live/tenants/"+tenantID+`"`)
	if at < 0 {
		x.Fatalf("the list has no %s", tenantID)
	}
	same("the list of tenants", lastAmount(between(list[at:], `data-label="Balance"`, "</td>")), due.Dollars())
}

// exported is what the lines of the ledger's CSV file come to of each lease, deposits apart.
func (x *balanceSurfaces) exported() map[string]money.Cents {
	text, _ := x.page(http.MethodGet, "/live/ledger.csv", nil)
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff"))).ReadAll()
	orFail(x.T, err)
	if len(lines) < 2 {
		x.Fatal("the export is empty")
	}
	column := func(name string) int { return slices.Index(lines[0], name) }
	due := map[string]money.Cents{}
	for _, line := range lines[1:] {
		lease, status := line[column("Lease ID")], line[column("Status")]
		if line[column("Type")] == "deposit" || line[column("Due date")] > x.today.String() || status == "processing" {
			continue
		}
		left, err := money.Parse(line[column("Balance")])
		orFail(x.T, err)
		due[lease] += left
	}
	return due
}

// structured is the record that a tool answers with.
func (x *balanceSurfaces) structured(name string, arguments map[string]any) map[string]any {
	call, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": name, "arguments": arguments},
	})
	orFail(x.T, err)
	a := x.send(x.T, http.MethodPost, mcp.Path, string(call), http.Header{
		"Authorization": {"Bearer " + x.demo.LiveKey}, "Content-Type": {"application/json"},
	})
	result, is := x.object([]byte(a.body))["result"].(map[string]any)
	if !is {
		x.Fatalf("%s: %s", name, a.body)
	}
	return result["structuredContent"].(map[string]any)
}

var amountWords = regexp.MustCompile(`−?\$[0-9,]+\.[0-9]{2}`)

// lastAmount is the last amount of a part of a page, "" where there is none.
func lastAmount(part string) string {
	all := amountWords.FindAllString(part, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// between is the part of a page behind one text and before another, "" where it does not have the first.
func between(page, after, before string) string {
	_, rest, found := strings.Cut(page, after)
	if !found {
		return ""
	}
	part, _, _ := strings.Cut(rest, before)
	return part
}
