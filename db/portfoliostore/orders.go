package portfoliostore

import (
	"context"
	"reflect"
	"slices"
	"strconv"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/ledger"
	"portal/api/searchtext"
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

// newest is the order of a list without another one. It is read from the primary key.
func newest(f rows.Filter) []rows.Part { return []rows.Part{{Filter: f, Desc: true}} }

func sortedProperties(
	d *db.DB, in access.Portfolio, f portfolio.PropertyFilter, search func(rows.Filter) rows.Filter,
) *rows.Sorted {
	filter := search(propertyFilter(f))
	s := &rows.Sorted{
		DB:      d,
		In:      in,
		Table:   "properties",
		Columns: propertyTable.Columns,
		Prefix:  id.Property,
		Query:   f.Query,
		Parts:   newest(filter),
	}
	if f.Sort == portfolio.ByAddress {
		s.Parts = []rows.Part{{
			Filter: filter,
			Key:    "lower(street_address)",
			Text:   true,
			Index:  "properties_address",
		}}
	}
	return s
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
	filter := search(tenantFilter(f))
	s := &rows.Sorted{
		DB:      d,
		In:      in,
		Table:   "tenants",
		Columns: tenantTable.Columns,
		Prefix:  id.Tenant,
		Query:   f.Query,
		Parts:   newest(filter),
	}
	if f.Sort == portfolio.ByName {
		s.Parts = []rows.Part{{
			Filter: filter,
			Key:    "lower(first_name || ' ' || last_name)",
			Text:   true,
			Index:  "tenants_name",
		}}
	}
	return s
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
	s := &rows.Sorted{
		DB:      d,
		In:      in,
		Table:   "leases",
		Columns: leaseTable.Columns,
		Prefix:  id.Lease,
		Query:   f.Query,
		Parts:   newest(leaseFilter(f, nil)),
	}
	if f.Sort == portfolio.EndingSoonest {
		ahead := func(l *rows.Listing) { l.Where("end_date >= ?", int64(f.Today)) }
		open := func(l *rows.Listing) { l.SQL.WriteString(" AND end_date IS NULL") }
		over := func(l *rows.Listing) { l.Where("end_date < ?", int64(f.Today)) }
		s.Parts = []rows.Part{
			{Filter: leaseFilter(f, ahead), Of: ahead, Key: "end_date", Index: "leases_end"},
			{Filter: leaseFilter(f, open), Of: open, Index: "leases_end"},
			{Filter: leaseFilter(f, over), Of: over, Key: "end_date", Desc: true, Index: "leases_end"},
		}
	}
	return s
}

// leaseFilter is a filter, narrowed to those of a part.
func leaseFilter(f portfolio.LeaseFilter, of func(*rows.Listing)) rows.Filter {
	all := rows.Filter{
		Narrow: func(l *rows.Listing) {
			if f.TenantID != "" {
				l.Found(
					"id IN (SELECT lease_id FROM lease_signers WHERE portfolio_id = $1 AND tenant_id = ?)",
					f.TenantID,
				)
			}
			l.Equal("unit_id", f.UnitID)
			l.Equal("property_id", f.PropertyID)
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
	if f.TenantID != "" {
		all.Lookup = ""
	}
	f.Today = clock.Date(0)
	all.All = !asked(f, func(f *portfolio.LeaseFilter) *list.Query { return &f.Query })
	return named(all, f.Named, leaseNamers)
}

func sortedTickets(d *db.DB, in access.Portfolio, f portfolio.TicketFilter) *rows.Sorted {
	s := &rows.Sorted{
		DB:      d,
		In:      in,
		Table:   "tickets",
		Columns: ticketTable.Columns,
		Prefix:  id.Ticket,
		Query:   f.Query,
		Parts:   newest(ticketFilter(f)),
	}
	if f.Sort == portfolio.UpdatedFirst {
		s.Parts = []rows.Part{{Filter: ticketFilter(f), Key: "updated_at", Desc: true, Index: "tickets_updated"}}
	}
	return s
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
	s := &rows.Sorted{
		DB:      d,
		In:      in,
		Table:   "payments",
		Columns: paymentTable.Columns,
		Prefix:  id.Payment,
		Query:   f.Query,
		Parts:   newest(paymentFilter(f, today)),
	}
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
				Of:     func(l *rows.Listing) { l.WhereDay(unpaid+" AND due_date < ?", today) },
				Key:    "due_date",
				Index:  "payments_unpaid_due",
				Short:  many,
			},
			{
				Filter: paymentFilter(rest, today),
				Of:     func(l *rows.Listing) { l.WhereDay("NOT ("+unpaid+" AND due_date < ?)", today) },
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
			l.WhereDay(unpaid+" AND due_date < ?", today)
			if f.Status == "" {
				return
			}
		case rest && f.Status.Unpaid():
			l.WhereDay("due_date >= ?", today)
		case rest && f.Status == "":
			l.WhereDay("NOT ("+unpaid+" AND due_date < ?)", today)
		}
		l.Among("status", string(f.Status), f.Status.Values())
	}
}

// countsOf are the counts of statuses as a query has counted their rows.
func countsOf[S ~string](rows map[string]int, err error) (list.Counts[S], error) {
	counts := make(list.Counts[S], len(rows))
	for status, n := range rows {
		counts[S(status)] = list.CountOf(n)
	}
	return counts, err
}

// mostGrouped is how many rows are read to count the statuses of what belongs to a record or a search.
const mostGrouped = 20 * list.Most

// statusCounts counts the rows of each status that pass a filter. Where it leads to few rows, those of what
// belongs to a record or a search, all of them are read once; else each status is counted in its index.
func statusCounts[S interface {
	~string
	Values() []string
}](ctx context.Context, s *rows.Sorted, of func(S) rows.Filter) (list.Counts[S], error) {
	all := of("")
	if all.Facets || all.All {
		return countsOf[S](s.CountEach(ctx, S("").Values(), func(status string) rows.Filter { return of(S(status)) }))
	}
	groups, more, err := s.CountGroups(ctx, "status", all, mostGrouped)
	counts, err := countsOf[S](groups, err)
	for status, n := range counts {
		n.More = n.More || more
		counts[status] = n
	}
	return counts, err
}

// PropertyCounts counts the properties that pass a filter, by their status. That of the filter is
// not looked at.
func (s *Store) PropertyCounts(
	ctx context.Context, in access.Portfolio, f portfolio.PropertyFilter,
) (list.Counts[portfolio.PropertyStatus], error) {
	search, err := rows.Searched(ctx, s.db, in, propertyWords, f.Search)
	if err != nil {
		return nil, err
	}
	sorted := sortedProperties(s.db, in, f, search)
	return countsOf[portfolio.PropertyStatus](sorted.CountEach(ctx, f.Status.Values(), func(status string) rows.Filter {
		f.Status = portfolio.PropertyStatus(status)
		return search(propertyFilter(f))
	}))
}

// TenantCounts counts the tenants that pass a filter, by their status. That of the filter is not
// looked at.
func (s *Store) TenantCounts(
	ctx context.Context, in access.Portfolio, f portfolio.TenantFilter,
) (list.Counts[portfolio.TenantStatus], error) {
	search, err := rows.Searched(ctx, s.db, in, tenantWords, f.Search)
	if err != nil {
		return nil, err
	}
	sorted := sortedTenants(s.db, in, f, search)
	return countsOf[portfolio.TenantStatus](sorted.CountEach(ctx, f.Status.Values(), func(status string) rows.Filter {
		f.Status = portfolio.TenantStatus(status)
		return search(tenantFilter(f))
	}))
}

// LeaseCounts counts the leases that pass a filter, by their status. That of the filter is not
// looked at.
func (s *Store) LeaseCounts(
	ctx context.Context, in access.Portfolio, f portfolio.LeaseFilter,
) (list.Counts[portfolio.LeaseStatus], error) {
	return statusCounts(ctx, sortedLeases(s.db, in, f), func(status portfolio.LeaseStatus) rows.Filter {
		f.Status = status
		return leaseFilter(f, nil)
	})
}

// TicketCounts counts the tickets that pass a filter, by their status. That of the filter is not
// looked at.
func (s *Store) TicketCounts(
	ctx context.Context, in access.Portfolio, f portfolio.TicketFilter,
) (list.Counts[portfolio.TicketStatus], error) {
	return statusCounts(ctx, sortedTickets(s.db, in, f), func(status portfolio.TicketStatus) rows.Filter {
		f.Status = status
		return ticketFilter(f)
	})
}

// PaymentCounts counts the ledger rows that pass a filter, by their status. That of the filter is
// not looked at.
func (s *Store) PaymentCounts(
	ctx context.Context, in access.Portfolio, f portfolio.PaymentFilter, today clock.Date,
) (list.Counts[portfolio.PaymentStatus], error) {
	return statusCounts(ctx, sortedPayments(s.db, in, f, today), func(status portfolio.PaymentStatus) rows.Filter {
		f.Status = status
		return paymentFilter(f, today)
	})
}

// PaymentTotals adds up the ledger rows that pass each of some filters, list.Most and one of them at most of each.
func (s *Store) PaymentTotals(
	ctx context.Context, in access.Portfolio, today clock.Date, filters ...portfolio.PaymentFilter,
) ([]ledger.Totals, error) {
	sum := func(column string) string { return ", CAST(COALESCE(sum(" + column + "), 0) AS BIGINT)" }
	l := rows.NewListing(s.db, 0, in.ID)
	for i, f := range filters {
		if i > 0 {
			l.SQL.WriteString(" UNION ALL ")
		}
		l.SQL.WriteString(
			"SELECT " + strconv.Itoa(i) + ", count(*)" + sum("amount") + sum("amount_paid") + sum("balance") +
				" FROM (",
		)
		sortedPayments(s.db, in, f, today).Some(l, paymentFilter(f, today), "amount, amount_paid, "+balanceDue)
		l.SQL.WriteString(") AS added")
	}
	totals := make([]ledger.Totals, len(filters))
	return totals, s.db.EachPlanned(ctx, l.SQL.String(), l.Args, func(scan db.Scan) error {
		var i, n int
		var t ledger.Totals
		err := scan(&i, &n, &t.Amount, &t.Paid, &t.Balance)
		t.Rows = list.CountOf(n)
		totals[i] = t
		return err
	})
}

// balanceDue is the balance of a ledger row as portfolio.Payment.Compute has it.
var balanceDue = `CASE WHEN amount > amount_paid AND NOT ` +
	rows.OneOf("status", []portfolio.PaymentStatus{portfolio.PaymentVoid, portfolio.PaymentRefunded}) +
	` THEN amount - amount_paid ELSE 0 END AS balance`

// ApplicantCounts counts the people who were invited to apply, by how far they are.
func (s *Store) ApplicantCounts(
	ctx context.Context, in access.Portfolio, now clock.Time,
) (list.Counts[application.Standing], error) {
	after, end, order := rows.SpanFrom(id.Invitation, nil, nil, "", false)
	args, query := []any{in.ID, after, end}, ""
	for _, standing := range application.Standing("").Values() {
		if query != "" {
			query += " UNION ALL "
		}
		query += "SELECT " + rows.Literal(standing) + " AS standing, (SELECT count(*) FROM (SELECT 1" +
			s.applicantsOf(application.Standing(standing), now, order, &args) +
			" LIMIT " + strconv.Itoa(list.Most+1) + ") AS n)"
	}
	counts := map[string]int{}
	err := s.db.Each(ctx, query, args, rows.Numbers(counts))
	return countsOf[application.Standing](counts, err)
}

// A search of leases, tickets or the ledger is for people and places: the tenants and the properties
// that have its words are found first, then the rows that name them. Tickets are found by the words of
// their title, too.

// Named finds the tenants and the properties that a search finds, portfolio.MostNamed of each at most,
// the newest first. All is whether there are no more.
func (s *Store) Named(ctx context.Context, in access.Portfolio, search string) (portfolio.Named, error) {
	var named portfolio.Named
	terms := searchtext.Terms(search)
	if len(terms) == 0 {
		return named, nil
	}
	found, err := rows.WithTerms(ctx, s.db, in, terms, portfolio.MostNamed+1, propertyWords, tenantWords)
	if err != nil {
		return named, err
	}
	for i, ids := range []*[]string{&named.PropertyIDs, &named.TenantIDs} {
		named.More = named.More || len(found[i]) > portfolio.MostNamed
		*ids = found[i][:min(len(found[i]), portfolio.MostNamed)]
	}
	return named, nil
}

var (
	propertyWords = rows.Vocabulary{Table: "property_words", Record: "property_id", Records: "properties"}
	tenantWords   = rows.Vocabulary{Table: "tenant_words", Record: "tenant_id", Records: "tenants"}
	// ticketWords are counted in an index of tickets, too: to look up more than a few would take longer.
	ticketWords = rows.Vocabulary{Table: "ticket_words", Record: "ticket_id", Records: "tickets", Few: list.Most}
)

// Titles finds which of the words of a search few titles of tickets have, nil where there are no words.
func (s *Store) Titles(ctx context.Context, in access.Portfolio, search string) (*portfolio.Titles, error) {
	terms := searchtext.Terms(search)
	if len(terms) == 0 {
		return nil, nil //nolint:nilnil // no search
	}
	rarest, err := rows.Rarest(ctx, s.db, in, terms, ticketWords)
	if err != nil {
		return nil, err
	}
	titles := portfolio.Titles{Terms: terms}
	if rarest[0].Rare {
		titles.Rare = rarest[0].Word
	}
	return &titles, nil
}

// namers are the columns of a list that name the records which a search has found.
type namers struct {
	tenant, property string
	through          *rows.Link      // what names the tenant, where that is another table
	titles           rows.Vocabulary // of the words of the rows' titles, if they have some
}

// named narrows a filter to rows that name what a search has found.
func named(f rows.Filter, n *portfolio.Named, by namers) rows.Filter {
	if n == nil {
		return f
	}
	if t := by.titled(n); t != nil && (t.Rare == "" || !f.Facets) { // looked for in what else the list is narrowed to
		all, narrow := *n, f.Narrow
		all.Titles = &portfolio.Titles{Terms: t.Terms}
		f.Narrow = func(l *rows.Listing) { narrow(l); l.Choose(by.choices(&all)...) }
		return f
	}
	f.Lookup, f.Facets, f.All, f.Either = "", false, false, nil
	f.Choices = by.choices(n)
	f.None, f.Few = len(f.Choices) == 0, len(f.Choices) == 1 && by.titled(n) != nil
	return f
}

// titled are the titles that a search has found of the rows, nil where they have none.
func (by namers) titled(n *portfolio.Named) *portfolio.Titles {
	if by.titles.Table == "" {
		return nil
	}
	return n.Titles
}

// choices are the columns of rows that name what a search has found.
func (by namers) choices(n *portfolio.Named) (choices []rows.Choice) {
	for _, c := range []rows.Choice{
		{Column: "id", Values: n.IDs},
		{Column: by.tenant, Values: n.TenantIDs, Through: by.through},
		{Column: by.property, Values: n.PropertyIDs},
	} {
		if len(c.Values) > 0 {
			choices = append(choices, c)
		}
	}
	if t := by.titled(n); t != nil {
		choices = append(choices, rows.Choice{Column: "id", Words: by.titles, Terms: t.Terms, Rare: t.Rare})
	}
	return choices
}

// narrow narrows a list in the order of the API.
func (by namers) narrow(l *rows.Listing, n *portfolio.Named) {
	if n != nil {
		l.Choose(by.choices(n)...)
	}
}

// leaseNamers, homeNamers and ticketNamers are the columns of leases, ledger rows and tickets.
var (
	leaseNamers = namers{
		tenant: "id", property: "property_id",
		through: &rows.Link{Table: "lease_signers", Column: "lease_id", By: "tenant_id"},
	}
	homeNamers   = namers{tenant: "tenant_id", property: "property_id"}
	ticketNamers = namers{tenant: "tenant_id", property: "property_id", titles: ticketWords}
)

// callings are what people call the records of a prefix.
var callings = []struct{ prefix, table, name string }{
	{id.Property, "properties", "street_address"},
	{id.Unit, "units", "unit_number"},
	{id.Tenant, "tenants", "first_name || ' ' || last_name"},
	{id.Lease, "leases", "rental_address"},
}

// Called reads what people call the records of some ids.
func (s *Store) Called(ctx context.Context, in access.Portfolio, ids []string) (map[string]string, error) {
	names, l := map[string]string{}, rows.NewListing(s.db, 0, in.ID)
	for _, c := range callings {
		of := slices.DeleteFunc(slices.Clone(ids), func(one string) bool { return !id.Valid(c.prefix, one) })
		if len(of) == 0 {
			continue
		}
		if l.SQL.Len() > 0 {
			l.SQL.WriteString(" UNION ALL ")
		}
		l.SQL.WriteString("SELECT id, " + c.name + " FROM " + c.table + " WHERE portfolio_id = $1")
		l.OneOf("id", of)
	}
	if l.SQL.Len() == 0 {
		return names, nil
	}
	return names, s.db.EachPlanned(ctx, l.SQL.String(), l.Args, func(scan db.Scan) error {
		var of, name string
		err := scan(&of, &name)
		names[of] = name
		return err
	})
}
