package records_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"portal/api/fault"
	"portal/api/list"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
)

// asks makes an entry of the contract, which is refused at the start where its input or
// its answer cannot be described.
func asks[I, O any](name string) *operation.Operation {
	return operation.Define(operation.Spec{
		Name: name,
	}, func(context.Context, *I) (*O, error) { return nil, fault.Of(fault.Internal) })
}

func TestReportParametersHaveDefaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asked *operation.Operation
		body  string
		want  any
	}{
		{
			asks[report.ExpiringFilter, list.Page[report.ExpiringLease]]("ends"),
			"",
			&report.ExpiringFilter{WithinDays: 60, Limit: 100},
		},
		{asks[report.BalanceFilter, report.RentBalances]("balances"), "", &report.BalanceFilter{Limit: 20}},
		{
			asks[report.HistoryFilter, list.Page[portfolio.Lease]]("history"),
			`{"unit_id":"unit_1"}`,
			&report.HistoryFilter{UnitID: "unit_1", Kind: report.HistoryLeases, Limit: 20},
		},
		{asks[operation.Nothing, report.Summary]("summary"), "", &operation.Nothing{}},
	} {
		d, err := c.asked.Decode(operation.Request{Body: []byte(c.body)})
		if err != nil || !reflect.DeepEqual(d.Input, c.want) {
			t.Errorf("%s: %+v, %v", c.asked.Name, d, err)
		}
	}
}

func TestInvalidReportParametersAreRefusedByField(t *testing.T) {
	t.Parallel()
	ends := asks[report.ExpiringFilter, list.Page[report.ExpiringLease]]("ends")
	balances := asks[report.BalanceFilter, report.RentBalances]("balances")
	history := asks[report.HistoryFilter, list.Page[portfolio.Payment]]("history")
	for _, c := range []struct {
		asked       *operation.Operation
		query, body string
		code        fault.Code
		param       string
	}{
		{ends, "within_days=0", "", fault.InvalidField, "within_days"},
		{ends, "within_days=366", "", fault.InvalidField, "within_days"},
		{ends, "limit=101", "", fault.InvalidField, "limit"},
		{ends, "starting_after=", "", "", ""}, // the first page
		{ends, "days=60", "", fault.UnknownParameter, "days"},
		{balances, "min_days_overdue=-1", "", fault.InvalidField, "min_days_overdue"},
		{balances, "starting_after=ten_01KA5R2M7Q8D4E6F9G1H3J5K7M", "", fault.InvalidCursor, "starting_after"},
		{balances, "starting_after=lea_01KA5R2M7Q8D4E6F9G1H3J5K7M", "", "", ""},
		{history, "", `{}`, fault.MissingField, "unit_id"},
		{history, "kind=tickets", `{"unit_id":"unit_1"}`, fault.InvalidField, "kind"},
		{history, "kind=maintenance&starting_after=tkt_01KA5R2M7Q8D4E6F9G1H3J5K7M", `{"unit_id":"unit_1"}`, "", ""},
	} {
		_, err := c.asked.Decode(operation.Request{Query: c.query, Body: []byte(c.body)})
		if c.code == "" && err != nil || c.code != "" && (!fault.Is(err, c.code) || fault.From(err).Param != c.param) {
			t.Errorf("%s %s %s: %v", c.asked.Name, c.query, c.body, err)
		}
	}
}

// A schema is sent to each assistant that connects.
func TestResponseSchemasAreSmall(t *testing.T) {
	t.Parallel()
	s := &operation.Schemas{Prefix: "#/"}
	for _, answer := range []reflect.Type{
		reflect.TypeFor[list.Page[report.ExpiringLease]](),
		reflect.TypeFor[report.RentBalances](),
		reflect.TypeFor[report.Summary](),
	} {
		s.Of(answer)
	}
	text, err := json.Marshal(s.Named)
	if err != nil || len(text) > 10_000 {
		t.Errorf("%d bytes: %v", len(text), err)
	}
	var names []string
	for _, n := range s.Named {
		names = append(names, n.Name)
	}
	want := "[ExpiringLeaseList ExpiringLease TenantName RentBalances RentBalance TenantContact RentCharge " +
		"PortfolioSummary LeaseCounts]"
	if fmt.Sprint(names) != want {
		t.Errorf("%v, want %s", names, want)
	}
	t.Logf("%d bytes", len(text))
}
