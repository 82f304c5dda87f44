package portfoliostore

import (
	"reflect"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/rows"
)

// Lists that people read come in other orders than those of the API, and are counted. Both are
// read by rows.Sorted; the API's lists are not.

// forPeople reports whether a list is one that people read. Where it has no such sort, the newest
// come first.
func forPeople(q *list.Query, sorts []string) bool {
	if q.Sort == portfolio.NewestFirst || q.Sort != "" && !slices.Contains(sorts, string(q.Sort)) {
		q.Sort, q.Newest = "", true
	}
	return q.Newest || q.Sort != ""
}

// asked reports whether a filter asks for anything beside a page.
func asked[F any](f F, page func(*F) *list.Query) bool {
	q := page(&f)
	*q = list.Query{CreatedAfter: q.CreatedAfter, UpdatedAfter: q.UpdatedAfter}
	return !reflect.ValueOf(f).IsZero()
}

// newest is the part of a list without another order. It is read from the primary key.
func newest(f rows.Filter) rows.Part { return rows.Part{Filter: f, Desc: true} }

// sorted is a list of records of a table in parts.
func sorted[T any](
	d *db.DB, in access.Portfolio, t *rows.Table[T], prefix string, q list.Query, parts ...rows.Part,
) *rows.Sorted {
	return &rows.Sorted{DB: d, In: in, Table: t.Name, Columns: t.Columns, Prefix: prefix, Query: q, Parts: parts}
}

func sortedProperties(
	d *db.DB, in access.Portfolio, f portfolio.PropertyFilter, search func(rows.Filter) rows.Filter,
) *rows.Sorted {
	part := newest(search(propertyFilter(f)))
	if f.Sort == portfolio.ByAddress {
		part.Key, part.Index = "lower(street_address)", "properties_address"
		part.Text, part.Desc = true, false
	}
	return sorted(d, in, propertyTable, id.Property, f.Query, part)
}

// propertyFilter is a filter without its search.
func propertyFilter(f portfolio.PropertyFilter) rows.Filter {
	all := rows.Filter{
		Narrow: func(l *rows.Listing) {
			l.EqualFold("city", f.City)
			l.Equal("state", string(f.State))
			l.Among("property_type", string(f.PropertyType), f.PropertyType.Values())
			l.Among("status", string(f.Status), f.Status.Values())
		},
		Lookup: "properties_facets",
		Facets: true,
		All:    !asked(f, func(f *portfolio.PropertyFilter) *list.Query { return &f.Query }),
	}
	if f.City != "" && f.State == "" && f.PropertyType == "" && f.Status == "" {
		all.Lookup, all.Facets = "properties_city", false
	}
	return all
}

func sortedTenants(
	d *db.DB, in access.Portfolio, f portfolio.TenantFilter, search func(rows.Filter) rows.Filter,
) *rows.Sorted {
	part := newest(search(tenantFilter(f)))
	if f.Sort == portfolio.ByName {
		part.Key, part.Index = "lower(first_name || ' ' || last_name)", "tenants_name"
		part.Text, part.Desc = true, false
	}
	return sorted(d, in, tenantTable, id.Tenant, f.Query, part)
}

// tenantFilter is a filter without its search.
func tenantFilter(f portfolio.TenantFilter) rows.Filter {
	return rows.Filter{
		Narrow: func(l *rows.Listing) {
			l.EqualFold("email", f.Email)
			l.Equal("unit_id", f.UnitID)
			l.Equal("property_id", f.PropertyID)
			l.Among("status", string(f.Status), f.Status.Values())
		},
		Lookup: first(
			lookup{f.Email, "tenants_email"},
			lookup{f.UnitID, "tenants_unit"},
			lookup{f.PropertyID, "tenants_property"},
			lookup{"any", "tenants_status"},
		),
		All: !asked(f, func(f *portfolio.TenantFilter) *list.Query { return &f.Query }),
	}
}

// lookup is an index for a field of a filter.
type lookup struct{ value, index string }

// first is the index of the first field that is set.
func first(all ...lookup) string {
	for _, l := range all {
		if l.value != "" {
			return l.index
		}
	}
	return ""
}

func sortedLeases(d *db.DB, in access.Portfolio, f portfolio.LeaseFilter) *rows.Sorted {
	parts := []rows.Part{newest(leaseFilter(f, nil))}
	if f.Sort == portfolio.EndingSoonest {
		ahead := func(l *rows.Listing) { l.Where("end_date >= ?", int64(f.Today)) }
		open := func(l *rows.Listing) { l.SQL.WriteString(" AND end_date IS NULL") }
		over := func(l *rows.Listing) { l.Where("end_date < ?", int64(f.Today)) }
		parts = []rows.Part{
			{Filter: leaseFilter(f, ahead), Of: ahead, Key: "end_date", Index: "leases_end"},
			{Filter: leaseFilter(f, open), Of: open, Index: "leases_end"},
			{Filter: leaseFilter(f, over), Of: over, Key: "end_date", Desc: true, Index: "leases_end"},
		}
	}
	return sorted(d, in, leaseTable, id.Lease, f.Query, parts...)
}

// ofTenant is the condition of the leases of a tenant.
const ofTenant = "id IN (SELECT lease_id FROM lease_signers WHERE portfolio_id = $1 AND tenant_id = ?)"

// leaseNames narrows to leases that name pets and the like, or none. It stands behind what leads to fewer leases.
func leaseNames(l *rows.Listing, f *portfolio.LeaseFilter) {
	l.Lists("terms", "pets", f.HasPets)
	l.Lists("terms", "vehicles", f.HasVehicles)
	l.Lists("terms", "utilities", f.HasUtilities)
	l.Lists("terms", "co_owners", f.HasCoOwners)
	others := *f
	others.HasGuarantors, others.Today = nil, 0
	alone := f.UpdatedAfter == nil && f.CreatedAfter == nil &&
		!asked(others, func(f *portfolio.LeaseFilter) *list.Query { return &f.Query })
	l.Linked(guaranty, rows.Is("role", portfolio.PartyGuarantor), f.HasGuarantors, alone)
}

// guaranty is the table of the signers of leases.
var guaranty = rows.Link{Table: "lease_signers", Column: "lease_id", By: "leases.id"}

// namesIndex is the index by which leaseNames finds leases, "" for none; and whether it finds some.
func namesIndex(f *portfolio.LeaseFilter) (index string, finds bool) {
	for _, n := range []struct {
		want  *bool
		index string
	}{
		{f.HasPets, "leases_with_pets"},
		{f.HasVehicles, "leases_with_vehicles"},
		{f.HasUtilities, "leases_with_utilities"},
		{f.HasCoOwners, "leases_with_co_owners"},
		{f.HasGuarantors, ""},
	} {
		if n.want != nil && *n.want {
			return n.index, true
		}
	}
	return "", false
}

// leaseFilter is a filter, narrowed to those of a part.
func leaseFilter(f portfolio.LeaseFilter, of func(*rows.Listing)) rows.Filter {
	all := rows.Filter{
		Narrow: func(l *rows.Listing) {
			if f.TenantID != "" {
				l.Found(ofTenant, f.TenantID)
			}
			l.Equal("unit_id", f.UnitID)
			l.Equal("property_id", f.PropertyID)
			leaseNames(l, &f)
			l.Among("status", string(f.Status), f.Status.Values())
			l.Before("end_date", f.EndingBefore)
			l.After("end_date", f.EndingAfter)
			if of != nil {
				of(l)
			}
		},
		Lookup: first(
			lookup{f.UnitID, "leases_unit"},
			lookup{f.PropertyID, "leases_property"},
			lookup{"any", "leases_facets"},
		),
		Facets: f.UnitID == "" && f.PropertyID == "" && f.TenantID == "",
	}
	if index, finds := namesIndex(&f); finds && all.Facets {
		all.Lookup, all.Facets = index, false
	}
	if f.TenantID != "" {
		all.Lookup = ""
	}
	f.Today = clock.Date(0)
	all.All = !asked(f, func(f *portfolio.LeaseFilter) *list.Query { return &f.Query })
	return named(all, f.Named, leaseNamers)
}

func sortedTickets(d *db.DB, in access.Portfolio, f portfolio.TicketFilter) *rows.Sorted {
	part := newest(ticketFilter(f))
	if f.Sort == portfolio.UpdatedFirst {
		part.Key, part.Index = "updated_at", "tickets_updated"
	}
	return sorted(d, in, ticketTable, id.Ticket, f.Query, part)
}

func ticketFilter(f portfolio.TicketFilter) rows.Filter {
	found := f.Named
	f.Named = nil
	all := rows.Filter{
		Narrow: func(l *rows.Listing) {
			l.Equal("unit_id", f.UnitID)
			l.Equal("tenant_id", f.TenantID)
			l.Equal("property_id", f.PropertyID)
			l.Among("category", string(f.Category), f.Category.Values())
			l.Among("priority", string(f.Priority), f.Priority.Values())
			l.Among("status", string(f.Status), f.Status.Values())
		},
		Lookup: first(
			lookup{f.UnitID, "tickets_unit"},
			lookup{f.TenantID, "tickets_tenant"},
			lookup{f.PropertyID, "tickets_property"},
			lookup{"any", "tickets_facets"},
		),
		Facets: f.UnitID == "" && f.TenantID == "" && f.PropertyID == "",
		All:    !asked(f, func(f *portfolio.TicketFilter) *list.Query { return &f.Query }),
	}
	return named(all, found, ticketNamers)
}

func sortedPayments(d *db.DB, in access.Portfolio, f portfolio.PaymentFilter, today clock.Date) *rows.Sorted {
	s := sorted(d, in, paymentTable, id.Payment, f.Query, newest(paymentFilter(f, today)))
	due, ofStatus, many := "payments_due", f.Status != "", manyNamed(f)
	if ofStatus {
		due = "payments_status_due"
	}
	switch f.Sort {
	case portfolio.LatestDue:
		s.Parts = []rows.Part{
			{Filter: paymentFilter(f, today), Key: "due_date", Desc: true, Index: due, Apart: ofStatus},
		}
	case portfolio.OverdueFirst:
		late, rest := f, f
		late.Overdue, rest.Overdue = new(true), new(false)
		s.Parts = []rows.Part{
			{
				Filter: paymentFilter(late, today),
				Of:     func(l *rows.Listing) { l.WhereDay(unpaid+" AND due_date < ? AND amount > 0", today) },
				Key:    "due_date",
				Index:  "payments_unpaid_due",
				Short:  many,
			},
			{
				Filter: paymentFilter(rest, today),
				Of:     func(l *rows.Listing) { l.WhereDay("NOT ("+unpaid+" AND due_date < ? AND amount > 0)", today) },
				Key:    "due_date",
				Desc:   true,
				Index:  due,
				Apart:  ofStatus,
			},
		}
		if f.Overdue != nil && *f.Overdue {
			s.Parts = s.Parts[:1]
		} else if f.Overdue != nil {
			s.Parts = s.Parts[1:]
		}
		if f.Overdue = nil; !asked(f, func(f *portfolio.PaymentFilter) *list.Query { return &f.Query }) {
			for i := range s.Parts {
				s.Parts[i].Filter.All = true
			}
		}
	}
	for i := range s.Parts {
		s.Parts[i].Filter.Many = many && s.Parts[i].Key != "" // the newest of all need not be of the newest tenants
	}
	return s
}

// manyNamed reports whether a filter asks for what many tenants or properties are named by, and for no more than
// their status, or whether it is overdue: of all rows every so many is one of them.
func manyNamed(f portfolio.PaymentFilter) bool {
	wide := f.Named != nil && f.Named.More
	f.Named, f.Status, f.Overdue = nil, "", nil
	return wide && !asked(f, func(f *portfolio.PaymentFilter) *list.Query { return &f.Query })
}

// paymentFilter is a filter with what overdue says of a status resolved.
func paymentFilter(f portfolio.PaymentFilter, today clock.Date) rows.Filter {
	late, rest := f.Overdue != nil && *f.Overdue, f.Overdue != nil && !*f.Overdue
	all := rows.Filter{
		Narrow: paymentConditions(f, today),
		Lookup: first(
			lookup{f.LeaseID, "payments_lease"},
			lookup{f.TenantID, "payments_tenant"},
			lookup{f.UnitID, "payments_unit"},
			lookup{f.PropertyID, "payments_property"},
			lookup{"any", "payments_facets"},
		),
		Facets: f.LeaseID == "" && f.TenantID == "" && f.UnitID == "" && f.PropertyID == "",
		All:    !asked(f, func(f *portfolio.PaymentFilter) *list.Query { return &f.Query }),
		None:   late && f.Status != "" && !f.Status.Unpaid(),
	}
	if rest && f.Status == "" && all.Facets {
		for _, status := range f.Status.Values() {
			f.Status = portfolio.PaymentStatus(status)
			all.Either = append(all.Either, paymentConditions(f, today))
		}
	}
	if all.None {
		return all
	}
	return named(all, f.Named, homeNamers)
}

func paymentConditions(f portfolio.PaymentFilter, today clock.Date) func(*rows.Listing) {
	late, rest := f.Overdue != nil && *f.Overdue, f.Overdue != nil && !*f.Overdue
	return func(l *rows.Listing) {
		l.Equal("lease_id", f.LeaseID)
		l.Equal("tenant_id", f.TenantID)
		l.Equal("unit_id", f.UnitID)
		l.Equal("property_id", f.PropertyID)
		l.Among("type", string(f.Type), f.Type.Values())
		l.Among("COALESCE(method, '')", string(f.Method), append(f.Method.Values(), ""))
		l.After("due_date", f.DueAfter)
		l.Before("due_date", f.DueBefore)
		switch {
		case late: // also of one status: see the condition of the index payments_unpaid_due
			l.WhereDay(unpaid+" AND due_date < ? AND amount > 0", today)
			if f.Status == "" {
				return
			}
		case rest && f.Status.Unpaid():
			l.WhereDay("due_date >= ?", today)
		case rest && f.Status == "":
			l.WhereDay("NOT ("+unpaid+" AND due_date < ? AND amount > 0)", today)
		}
		l.Among("status", string(f.Status), f.Status.Values())
	}
}
