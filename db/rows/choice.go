package rows

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"portal/db"
)

// Choice is a column that has one of some values.
type Choice struct {
	Column string
	Values []string // ids, each once
	// Through is the table that has what Column has for the values; nil where Column has them itself.
	Through *Link
	// Terms each begin a word of the row, in place of Values. Rare is the one of them whose rows are looked up
	// in Words, "" for none.
	Terms []string
	Rare  string
	Words Vocabulary
}

// Link is a table in which By has some values, and Column what belongs to them.
type Link struct{ Table, Column, By string }

// OneOf narrows to rows whose column has one of some values, which are looked up. The query is the same however many
// there are.
func (l *Listing) OneOf(column string, values []string) {
	l.SQL.WriteString(" AND " + column + l.among(Choice{Values: values}))
}

// Choose narrows to rows for which one of some choices holds.
func (l *Listing) Choose(choices ...Choice) {
	held := []string{"1 = 0"}
	for _, c := range slices.Backward(choices) { // words first: they are in the index that is counted by
		held = append(held, l.holds(c))
	}
	l.SQL.WriteString(" AND (" + strings.Join(held, " OR ") + ")")
}

// holds is the condition of a choice.
func (l *Listing) holds(c Choice) string {
	if c.Terms != nil && c.Rare == "" {
		return "1 = 1" + l.others(c)
	}
	if l.sqlite || c.Rare != "" {
		return c.Column + l.among(c) + l.others(c)
	}
	return c.Column + " IN (" + l.values(c) + ")" + l.others(c)
}

// values is the query of PostgreSQL of what the column of a choice has. It hashes what it says, and where that is
// one side of an OR it leaves the order of the list alone; of an array it would look each value up.
func (l *Listing) values(c Choice) string {
	l.Args = append(l.Args, "{"+strings.Join(c.Values, ",")+"}")
	values := "SELECT unnest(CAST($" + strconv.Itoa(len(l.Args)) + " AS text[]))"
	if k := c.Through; k != nil {
		return "SELECT " + k.Column + " FROM " + k.Table + " WHERE portfolio_id = $1 AND " + k.By +
			" = ANY(ARRAY(" + values + "))"
	}
	return values
}

// others are the conditions for the terms that are not looked up.
func (l *Listing) others(c Choice) string {
	var conditions strings.Builder
	for _, t := range c.Terms {
		if t != c.Rare {
			l.Args = append(l.Args, " "+t)
			conditions.WriteString(" AND " + strings.ReplaceAll(hasTerm, "?", "$"+strconv.Itoa(len(l.Args))))
		}
	}
	return conditions.String()
}

// rare is the query of the rows that have a word which begins with the rare term of a choice, each once.
func (l *Listing) rare(c Choice) string {
	l.Args = append(l.Args, c.Rare, c.Rare+last)
	n := len(l.Args)
	return "SELECT DISTINCT " + c.Words.Record + " AS chosen_value FROM " + c.Words.Table +
		" WHERE portfolio_id = $1 AND word >= $" + strconv.Itoa(n-1) + " AND word < $" + strconv.Itoa(n)
}

// Except leaves out the rows for which a choice of values holds.
func (l *Listing) Except(c Choice) {
	l.SQL.WriteString(" AND NOT COALESCE(" + c.Column + ", '')" + l.among(c))
}

// among is the condition of a choice behind its column. The values are one argument, so that a statement
// stays prepared however many there are. PostgreSQL is given an array where it would join a query with the
// whole table; that of a query, as it would look at each of its values for each plan.
func (l *Listing) among(c Choice) string {
	if l.sqlite {
		return " IN (" + l.chosen(c) + ")"
	}
	if c.Rare != "" {
		return " = ANY(ARRAY(" + l.rare(c) + "))"
	}
	return " = ANY(ARRAY(" + l.values(c) + "))"
}

// chosen is the query of SQLite of what the column of a choice has, each value once.
func (l *Listing) chosen(c Choice) string {
	if c.Rare != "" {
		return l.rare(c)
	}
	values, _ := json.Marshal(c.Values) //nolint:errchkjson // strings alone
	l.Args = append(l.Args, string(values))
	each := "json_each($" + strconv.Itoa(len(l.Args)) + ")"
	if k := c.Through; k != nil {
		return "SELECT DISTINCT " + k.Column + " AS chosen_value FROM " + each + " CROSS JOIN " + k.Table +
			" WHERE portfolio_id = $1 AND " + k.By + " = value"
	}
	return "SELECT value AS chosen_value FROM " + each
}

// choose begins the query of the rows for which a choice holds. SQLite goes from the values to the rows: left
// to itself it would read all rows of the portfolio, of which it takes there to be ten.
func (s *Sorted) choose(l *Listing, columns string, c Choice) {
	l.indexed = true
	if l.sqlite {
		l.SQL.WriteString("SELECT " + columns + " FROM (" + l.chosen(c) + ") CROSS JOIN " + s.Table +
			" WHERE portfolio_id = $1 AND " + c.Column + " = chosen_value")
	} else {
		l.SQL.WriteString("SELECT " + columns + s.from("") + " AND " + c.Column + l.among(c))
	}
	l.SQL.WriteString(l.others(c))
}

// IDs reads the ids that a listing's query selects, the newest first.
func IDs(ctx context.Context, d *db.DB, l *Listing) (ids []string, err error) {
	l.SQL.WriteString(" ORDER BY id DESC LIMIT " + strconv.Itoa(l.Limit))
	err = d.EachPlanned(ctx, l.SQL.String(), l.Args, func(scan db.Scan) error {
		ids = append(ids, "")
		return scan(&ids[len(ids)-1])
	})
	return ids, err
}

// CountGroups counts the rows that pass a filter by the values of a column, of most rows at most, and
// tells whether there are more than those.
func (s *Sorted) CountGroups(
	ctx context.Context, column string, f Filter, most int,
) (counts map[string]int, more bool, err error) {
	counts = map[string]int{}
	if f.None {
		return counts, false, nil
	}
	l := NewListing(s.DB, 0, s.In.ID)
	l.SQL.WriteString("SELECT value, count(*) FROM (")
	s.lookUp(l, column+" AS value", &f)
	l.SQL.WriteString(" LIMIT " + strconv.Itoa(most+1) + ") AS n GROUP BY value")
	sum := 0
	err = s.DB.EachPlanned(ctx, l.SQL.String(), l.Args, func(scan db.Scan) error {
		var value string
		var n int
		err := scan(&value, &n)
		counts[value], sum = n, sum+n
		return err
	})
	return counts, sum > most, err
}
