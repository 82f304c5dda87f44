package db_test

import (
	"strconv"
	"testing"

	"portal/db"
	"portal/db/dbtest"
)

// TestPlannedStatementUsesOneGenericPlan asks PostgreSQL how often it made a plan for the arguments
// of a statement, and whether what is asked for one statement is left to others.
func TestPlannedStatementUsesOneGenericPlan(t *testing.T) {
	t.Parallel()
	d := dbtest.OnPostgres(t)
	must(t, addUser(t.Context(), d, "2"))
	const query = "SELECT id FROM users WHERE id = $1"
	found := ""
	for n := range 3 { // fewer than PostgreSQL looks at before it compares plans
		must(
			t,
			d.EachPlanned(t.Context(), query, []any{strconv.Itoa(n)}, func(scan db.Scan) error { return scan(&found) }),
		)
	}
	if found != "2" {
		t.Errorf("it finds %q", found)
	}
	var once, anew int
	dbtest.Row(t, d, "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement = $1",
		[]any{query}, &once, &anew)
	if once != 3 || anew != 0 {
		t.Errorf("%d times the plan that is kept, %d times one for the argument", once, anew)
	}
	var mode string
	if dbtest.Row(t, d, "SHOW plan_cache_mode", nil, &mode); mode != "auto" {
		t.Errorf("what follows is planned by %s", mode)
	}
	err := d.EachPlanned(
		t.Context(),
		"SELECT 1 / $1::bigint",
		[]any{0},
		func(scan db.Scan) error { return scan(new(int)) },
	)
	if err == nil {
		t.Error("a failure is not told")
	}
	if dbtest.Row(t, d, "SHOW plan_cache_mode", nil, &mode); mode != "auto" {
		t.Errorf("what follows a failure is planned by %s", mode)
	}
}
