package portfoliostore_test

import (
	"context"
	"reflect"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/webhook"
	"portal/db/dbtest"
)

// kind is a kind of record with its methods of the store, for tests that hold for
// every one of them. Records are pointers to structs.
type kind struct {
	name   string
	filter reflect.Type
	list   func(ctx context.Context, in access.Portfolio, filter any) ([]any, error)
	one    func(ctx context.Context, in access.Portfolio, id string) (any, error)
	book   func(*portfolio.Book) []any
}

// kindOf makes a kind of the store's methods.
func kindOf[R, F any](name string,
	list func(context.Context, access.Portfolio, F) ([]R, error),
	one func(context.Context, access.Portfolio, string) (R, error),
	book func(*portfolio.Book) []R,
) kind {
	return kind{
		name:   name,
		filter: reflect.TypeFor[F](),
		list: func(ctx context.Context, in access.Portfolio, filter any) ([]any, error) {
			rows, err := list(ctx, in, *filter.(*F))
			return dbtest.Pointers(rows), err
		},
		one: func(ctx context.Context, in access.Portfolio, id string) (any, error) {
			record, err := one(ctx, in, id)
			return &record, err
		},
		book: func(b *portfolio.Book) []any { return dbtest.Sorted(dbtest.Pointers(book(b))) },
	}
}

func idsOf(rows []any) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = dbtest.IDOf(row)
	}
	return ids
}

// kinds are all kinds of record that have a list.
func (r *fixture) kinds() []kind {
	payments := func(ctx context.Context, in access.Portfolio, f portfolio.PaymentFilter) ([]portfolio.Payment, error) {
		return r.Portfolio.Payments(ctx, in, f, today)
	}
	return []kind{
		kindOf(
			"properties",
			r.Portfolio.Properties,
			r.Portfolio.Property,
			func(b *portfolio.Book) []portfolio.Property { return b.Properties },
		),
		kindOf(
			"tenants",
			r.Portfolio.Tenants,
			r.Portfolio.Tenant,
			func(b *portfolio.Book) []portfolio.Tenant { return b.Tenants },
		),
		kindOf(
			"leases",
			r.Portfolio.Leases,
			r.Portfolio.Lease,
			func(b *portfolio.Book) []portfolio.Lease { return b.Leases },
		),
		kindOf(
			"tickets",
			r.Portfolio.Tickets,
			r.Portfolio.Ticket,
			func(b *portfolio.Book) []portfolio.Ticket { return b.Tickets },
		),
		kindOf(
			"payments",
			payments,
			r.Portfolio.Payment,
			func(b *portfolio.Book) []portfolio.Payment { return b.Payments },
		),
		kindOf(
			"endpoints",
			r.Webhooks.Endpoints,
			r.Webhooks.Endpoint,
			func(*portfolio.Book) []webhook.Endpoint { return nil },
		),
	}
}

// today is the day that decides what is overdue.
var today = clock.DateOf(dbtest.Now, dbtest.Now.Location())

// query is the page that a new filter of the kind asks for, and the filter.
func (k kind) query() (filter any, page *list.Query) {
	filter = reflect.New(k.filter).Interface()
	return filter, pageOf(filter)
}

// pageOf is the page that a filter asks for.
func pageOf(filter any) *list.Query {
	if q, plain := filter.(*list.Query); plain {
		return q
	}
	return reflect.ValueOf(filter).Elem().FieldByName("Query").Addr().Interface().(*list.Query)
}

// all reads a whole list at once.
func (k kind) all(ctx context.Context, in access.Portfolio) ([]any, error) {
	filter, page := k.query()
	page.Limit = dbtest.Everything
	return k.list(ctx, in, filter)
}
