package main

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// census counts all that a mutation may leave: the rows of each table, and besides the
// sum of their versions, of the statuses of recorded answers, or of how often deliveries were
// queued again or cancelled. It leaves out what attempts at deliveries write, which run beside
// it: their rows, and the jobs that try again. That what is queued is sent after a kill is held
// by TestKillsLoseNoDeliveryAndRepeatOnlyRunningAttempts.
var census = strings.Join([]string{
	counted("properties", "version"),
	counted("units", "version"),
	counted("tenants", "version"),
	counted("leases", "version"),
	counted("tickets", "version"),
	counted("payments", "version"),
	counted("invitations", "version"),
	counted("webhook_endpoints", "version"),
	counted("lease_signers", "0"),
	counted("lease_details", "version"),
	counted("applications", "0"),
	counted("imports", "0"),
	counted("events", "0"),
	counted("deliveries", "changes"),
	counted("documents", "version"),
	counted("document_versions", "0"),
	counted("document_evidence", "0"),
	counted("executed_documents", "0"),
	counted("lease_attachments", "0"),
	counted("lease_scans", "0"),
	counted("lease_templates", "version"),
	counted("lease_template_attachments", "0"),
	counted("library_documents", "version"),
	counted("condition_reports", "version"),
	counted("condition_photos", "0"),
	counted("deposit_statements", "0"),
	counted("lease_notices", "0"),
	counted("lease_amendments", "version"),
	counted("tenant_links", "0"),
	counted("tenant_link_tokens", "0"),
	counted("ticket_photos", "0"),
	counted("ticket_activities", "0"),
	counted("ticket_notices", "0"),
	counted("payment_attempts", "version"),
	counted("payment_shares", "0"),
	counted("payment_refunds", "0"),
	counted("simulated_payments", "0"),
	counted("payment_autopays", "version"),
	counted("payouts", "0"),
	counted("payout_movements", "0"),
	counted("payment_accounts", "0"),
	counted("simulated_sources", "0"),
	counted("rent_notices", "0"),
	counted("rent_news", "0"),
	counted("mails", "0"),
	counted("mail_suppressions", "0"),
	counted("idempotency_keys", "status"),
	counted("portfolios", "next_ticket_number"),
	counted(
		"river_job WHERE kind NOT IN ('compare_payments', 'erase', 'evidence_heads', 'forget', 'import_resume', 'reconcile_payments', "+
			"'rent_notices', 'seal_expiry', 'send_unblocked_leases', 'signing_reminders', 'test_clocks', "+
			"'ticket_notices', 'turn', 'webhook_failing', 'webhook_retry', 'webhook_take_over')",
		"0",
	),
}, " UNION ALL ")

func counted(table, besides string) string {
	name, _, _ := strings.Cut(table, " ")
	return fmt.Sprintf("SELECT '%s', count(*), CAST(COALESCE(sum(%s), 0) AS BIGINT) FROM %s", name, besides, table)
}

// tally is what a census found, or the difference of two: for each table its rows and
// the sum besides.
type tally map[string][2]int64

func taken(t *testing.T, d *sql.DB) tally {
	t.Helper()
	rows, err := d.QueryContext(t.Context(), census)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := tally{}
	for rows.Next() {
		var table string
		var n [2]int64
		if err := rows.Scan(&table, &n[0], &n[1]); err != nil {
			t.Fatal(err)
		}
		all[table] = n
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func (h home) census(t *testing.T) tally {
	t.Helper()
	d := h.database(t)
	defer d.Close()
	return taken(t, d)
}

// since is what has changed.
func (a tally) since(before tally) tally {
	diff := tally{}
	for table, n := range a {
		if was := before[table]; n != was {
			diff[table] = [2]int64{n[0] - was[0], n[1] - was[1]}
		}
	}
	return diff
}

// String is one word a table: its rows, and what came besides.
func (a tally) String() string {
	var words []string
	for _, table := range slices.Sorted(maps.Keys(a)) {
		words = append(words, fmt.Sprintf("%s+%d:%d", table, a[table][0], a[table][1]))
	}
	return strings.Join(words, " ")
}
