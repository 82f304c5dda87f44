package rest_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/portfolio/ledger"
	"portal/db/dbtest"
)

const testPayments = "/test_helpers/payments"

// paying is a demo portfolio as on its first day, with rent of several leases that is not paid yet.
func (r *fixture) paying() (key string, rents []record) {
	r.t.Helper()
	r.landlord("ada@example.com", unlimited())
	key = *r.key("ada@example.com", access.Test, "payments").Plaintext
	r.send(http.MethodPost, "/test_helpers/reset", key, `{}`).done(r.t)
	leases := map[any]bool{}
	for _, one := range r.get("/payments?type=rent&status=scheduled&limit=100", key).done(r.t)["data"].([]any) {
		if rent := one.(record); !leases[rent["lease_id"]] {
			leases[rent["lease_id"]] = true
			rents = append(rents, rent)
		}
	}
	if len(rents) < 4 {
		r.t.Fatalf("%d leases have rent that is not paid", len(rents))
	}
	return key, rents
}

// paid is the body by which rows are paid.
func paid(more string, rows ...record) string {
	var ids []string
	for _, row := range rows {
		ids = append(ids, row["id"].(string))
	}
	return `{"payment_ids":` + jsonOf(ids) + `,` + more + `}`
}

func TestTestPaymentPaysRowsAndRaisesEvents(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key, rents := r.paying()
		row := func(n int) record { return r.get("/payments/"+rents[n]["id"].(string), key).done(t) }
		before := r.dump()
		seen := r.send(http.MethodPost, testPayments, key, paid(`"method":"card"`, rents[0]), "Dry-Run", "true")
		if seen.status != http.StatusOK || seen.done(t)["status"] != "succeeded" {
			t.Errorf("a preview is %d %s", seen.status, seen.body)
		}
		dbtest.Unchanged(t, "a preview", before, r.dump())
		made := r.send(http.MethodPost, testPayments, key, paid(`"method":"card"`, rents[0]), "Idempotency-Key", "k")
		r.send(
			http.MethodPost,
			testPayments,
			key,
			paid(`"method":"card"`, rents[0]),
			"Idempotency-Key",
			"k",
		).alike(
			t,
			made,
		)
		attempt := made.done(t)
		if made.status != http.StatusCreated || attempt["status"] != "succeeded" || attempt["method"] != "card" ||
			attempt["amount"] != rents[0]["amount"] || attempt["lease_id"] != rents[0]["lease_id"] ||
			attempt["tenant_id"] != rents[0]["tenant_id"] || attempt["failure_code"] != nil ||
			jsonOf(attempt["payment_ids"]) != jsonOf([]any{rents[0]["id"]}) {
			t.Errorf("made %d %s", made.status, made.body)
		}
		if now := row(0); now["status"] != "succeeded" || now["payment_id"] != attempt["id"] {
			t.Errorf("the row is %s", jsonOf(now))
		}
		raised := r.get("/events?type=payment.succeeded", key).done(t)["data"].([]any)
		if len(raised) != 1 {
			t.Fatalf("%d events", len(raised))
		}
		data := raised[0].(record)["data"].(record)
		if data["object"].(record)["id"] != rents[0]["id"] ||
			data["transaction"].(record)["amount"] != rents[0]["amount"] ||
			data["transaction"].(record)["method"] != "card" {
			t.Errorf("the event has %s", jsonOf(data))
		}
		sent := r.send(
			http.MethodPost,
			testPayments,
			key,
			paid(`"method":"ach","outcome":"returned"`, rents[1]),
		).done(
			t,
		)
		if sent["status"] != "processing" || row(1)["status"] != "processing" || row(1)["payment_id"] != sent["id"] {
			t.Errorf("sent %s", jsonOf(sent))
		}
		failed := r.send(http.MethodPost, testPayments, key, paid(`"method":"card","outcome":"expired_card"`, rents[2]))
		if got := failed.done(t); got["status"] != "failed" || got["failure_code"] != "expired_card" ||
			got["failure_message"] == nil {
			t.Errorf("failed %s", failed.body)
		}
		if n := len(r.get("/events?type=payment.succeeded", key).done(t)["data"].([]any)); n != 1 {
			t.Errorf("%d events after a payment under way and one that failed", n)
		}
		again := r.send(http.MethodPost, testPayments, key, paid(`"method":"card"`, rents[2])).done(t)
		if again["status"] != "succeeded" || row(2)["status"] != "succeeded" {
			t.Errorf("after one that failed: %s", jsonOf(again))
		}
	})
}

func TestTestPaymentRefusesWhatNoTenantCanPay(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key, rents := r.paying()
		done := r.get("/payments?status=succeeded&limit=1", key).done(t)["data"].([]any)[0].(record)
		other := rents[1]["tenant_id"].(string)
		in := r.in(key)
		started := func(row record) {
			t.Helper()
			amount, err := money.Parse(jsonOf(row["amount"]))
			must(t, err)
			_, _, err = r.demo.Payments.Pay(t.Context(), access.Actor{Portfolio: in, Zone: time.UTC}, payment.Order{
				TenantID: other,
				LeaseID:  row["lease_id"].(string),
				Shares:   []ledger.Share{{PaymentID: row["id"].(string), Amount: amount}},
			}, func(string) string { return "" })
			must(t, err)
		}
		started(rents[2])
		dbtest.Exec(t, r.db, "UPDATE leases SET online_payments = 'none' WHERE id = $1", rents[3]["lease_id"])
		before := r.dump()
		for _, c := range []struct {
			what, body, code, param string
			status                  int
		}{
			{"a row that is paid", paid(`"method":"card"`, done), "invalid_field", "payment_ids.0", 400},
			{"rows of two leases", paid(`"method":"card"`, rents[0], rents[1]), "invalid_field", "payment_ids.1", 400},
			{"a row twice", paid(`"method":"card"`, rents[0], rents[0]), "invalid_field", "payment_ids.1", 400},
			{"no row", paid(`"method":"card"`), "invalid_field", "payment_ids", 400},
			{"21 rows", paid(`"method":"card"`, slices.Repeat(rents[:1], 21)...), "invalid_field", "payment_ids", 400},
			{"a way by hand", paid(`"method":"check"`, rents[0]), "invalid_field", "method", 400},
			{"an outcome of accounts", paid(`"method":"card","outcome":"returned"`, rents[0]), "invalid_field",
				"outcome", 400},
			{"an outcome of cards", paid(`"method":"ach","outcome":"disputed"`, rents[0]), "invalid_field",
				"outcome", 400},
			{"a row that is not there", paid(`"method":"card"`, rents[0], record{"id": absent("pay")}), "not_found",
				"payment_ids.1", 404},
			{"somebody is paying", paid(`"method":"card"`, rents[2]), "invalid_transition", "payment_ids", 409},
			{"turned off", paid(`"method":"card"`, rents[3]), "invalid_transition", "", 409},
		} {
			a := r.send(http.MethodPost, testPayments, key, c.body, "Idempotency-Key", c.what)
			f := a.expect(t, c.status, c.code)
			if (f.Error.Param == nil) != (c.param == "") || f.Error.Param != nil && *f.Error.Param != c.param {
				t.Errorf("%s: %s", c.what, a.body)
			}
		}
		dbtest.Unchanged(t, "what was refused", before, r.dump())
	})
}

func TestTestPaymentRequiresPaymentsScopeAndOwnRows(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		all := r.tenancies()
		me, live, other := all[0], all[1], all[2]
		payer := *r.key("ada@example.com", access.Test, "payments").Plaintext
		writer := *r.key("ada@example.com", access.Test, "write").Plaintext
		ofLive := *r.key("ada@example.com", access.Live, "payments").Plaintext
		before := r.dump()
		naming := func(id string) string { return paid(`"method":"card"`, record{"id": id}) }
		send := func(key, id string) answer { return r.send(http.MethodPost, testPayments, key, naming(id)) }
		send(writer, me.id("pay", 2)).expect(t, http.StatusForbidden, "scope_required")
		send(ofLive, live.id("pay", 2)).expect(t, http.StatusForbidden, "test_key_required")
		for _, id := range []string{other.id("pay", 2), live.id("pay", 2), absent("pay"), "x", ""} {
			a := send(payer, id)
			if f := a.expect(t, http.StatusNotFound, "not_found"); *f.Error.Param != "payment_ids.0" {
				t.Errorf("%q: %s", id, a.body)
			}
		}
		dbtest.Unchanged(t, "what was refused", before, r.dump())
	})
}
