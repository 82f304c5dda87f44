package webhookstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/event"
	"portal/api/id"
	"portal/api/list"
	"portal/api/webhook"
	"portal/db"
	"portal/db/rows"
)

// shownStatus is the status of a delivery as it is shown, in the words of the indexes
// deliveries_shown and deliveries_endpoint_shown. Both databases read an index on an
// expression only for that very expression.
var shownStatus = shownStatusOf("")

// shownStatusOf is shownStatus of the deliveries that a query calls by an alias, such as d.
func shownStatusOf(alias string) string {
	return "CASE WHEN " + rows.Is(alias+"status", webhook.Pending) + " AND " + alias + "failing THEN " +
		rows.Literal(webhook.Retrying) + " ELSE " + alias + "status END"
}

// Deliveries reads deliveries without their attempts, the newest first unless they are to
// ascend. Whatever the filter, about as many rows are read as are found.
func (s *Store) Deliveries(
	ctx context.Context, in access.Portfolio, f webhook.DeliveryFilter,
) ([]webhook.Delivery, error) {
	positions, args := s.deliveryPositions(in, f)
	found := []webhook.Delivery{}
	err := s.db.Each(ctx, `SELECT `+deliveryColumns+`
		FROM (`+positions+`) f
		JOIN deliveries d ON d.portfolio_id = $1 AND d.id = f.id`+lastAttempt, args, func(scan db.Scan) error {
		found = append(found, webhook.Delivery{})
		r := deliveryRow{Delivery: &found[len(found)-1]}
		err := scan(r.into()...)
		r.complete(in.Mode)
		return err
	})
	slices.SortFunc(found, func(a, b webhook.Delivery) int {
		if f.Ascending {
			return cmp.Compare(a.ID, b.ID)
		}
		return cmp.Compare(b.ID, a.ID)
	})
	return found, err
}

// deliveryPositions is the query of the ids that a filter finds, with its arguments. Each
// member of its union looks up all columns of one index but the last, the id: SQLite merges
// the members in the order of the list and stops at its end, PostgreSQL reads at most a page
// of each.
func (s *Store) deliveryPositions(in access.Portfolio, f webhook.DeliveryFilter) (query string, args []any) {
	q := s.deliveryQuery(in, f, f.Limit)
	members := q.members(f)
	order := `
			ORDER BY id DESC
			LIMIT $4`
	if f.Ascending {
		order = `
			ORDER BY id
			LIMIT $4`
	}
	if s.db.OnPostgres() && len(members) > 1 { // it sorts the members whole, unless each one ends by itself
		for i := range members {
			members[i] = "(" + members[i] + order + ")"
		}
	}
	return strings.Join(members, union) + order, q.args
}

// DeliveryCounts counts the deliveries that pass a filter by their status as it is shown, one more than
// list.Most at most of each, with one query. The status and the position of the filter are not looked at.
func (s *Store) DeliveryCounts(
	ctx context.Context, in access.Portfolio, f webhook.DeliveryFilter,
) (list.Counts[webhook.DeliveryStatus], error) {
	f.Before, f.After = "", ""
	q := s.deliveryQuery(in, f, list.Most+1)
	var each []string
	for _, status := range f.Status.Values() {
		f.Status = webhook.DeliveryStatus(status)
		each = append(each, `SELECT `+rows.Literal(f.Status)+` AS value, (SELECT count(*)
			FROM (`+strings.Join(q.members(f), union)+`
			LIMIT $4) n)`)
	}
	found := map[string]int{}
	if err := s.db.Each(ctx, strings.Join(each, union), q.args, rows.Numbers(found)); err != nil {
		return nil, err
	}
	counts := list.Counts[webhook.DeliveryStatus]{}
	for status, n := range found {
		counts[webhook.DeliveryStatus(status)] = list.CountOf(n)
	}
	return counts, nil
}

const union = `
			UNION ALL
			`

// deliveryQuery is a query of deliveries that is written member by member. Its arguments are the portfolio,
// the ids between which it looks, and how many rows it takes; then the values that it looks up.
type deliveryQuery struct {
	db   *db.DB
	args []any
}

func (s *Store) deliveryQuery(in access.Portfolio, f webhook.DeliveryFilter, most int) *deliveryQuery {
	after, before := deliverySpan(f)
	return &deliveryQuery{s.db, []any{in.ID, after, before, int64(most)}}
}

// is looks up a value of a column, "" for any.
func (q *deliveryQuery) is(column, value string) string {
	const first = 4
	if value == "" {
		return ""
	}
	i := slices.Index(q.args[first:], any(value)) + first
	if i < first {
		q.args = append(q.args, value)
		i = len(q.args) - 1
	}
	return fmt.Sprintf(" AND %s = $%d", column, i+1)
}

// members are the parts of a union that find the ids of a filter.
func (q *deliveryQuery) members(f webhook.DeliveryFilter) (all []string) {
	index, statuses, types := deliveryIndex(f)
	for _, status := range statuses {
		for _, kind := range types {
			all = append(all, `SELECT id
			FROM deliveries`+q.db.IndexedBy(index)+`
			WHERE portfolio_id = $1 AND id > $2 AND id < $3`+q.is("endpoint_id", f.EndpointID)+
				q.is("event_id", f.EventID)+q.is(shownStatus, status)+q.is("event_type", kind))
		}
	}
	return all
}

// deliveryIndex is the index that a filter is read from, "" for the primary key, with the
// statuses and the types of event to look up in it. An index begins with the status and the
// type: where only one of them is asked for, the other one is looked up by all its values.
func deliveryIndex(f webhook.DeliveryFilter) (index string, statuses, types []string) {
	statuses, types = []string{string(f.Status)}, []string{string(f.EventType)}
	switch narrow := f.Status != "" || f.EventType != ""; {
	case f.EventID != "": // has a delivery for each endpoint, and so few
		return "deliveries_event", statuses, types
	case !narrow && f.EndpointID != "":
		return "deliveries_endpoint", statuses, types
	case !narrow:
		return "", statuses, types
	}
	if f.Status == "" {
		statuses = webhook.DeliveryStatus("").Values()
	}
	if f.EventType == "" {
		types = event.Type("").Values()
	}
	if f.EndpointID != "" {
		return "deliveries_endpoint_shown", statuses, types
	}
	return "deliveries_shown", statuses, types
}

// deliverySpan are the positions between which the deliveries of a filter lie.
func deliverySpan(f webhook.DeliveryFilter) (after, before string) {
	after, before = rows.Span(id.Delivery, f.From, f.To, f.Before)
	return max(after, f.After), before
}
