package tenantportal_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/language"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/api/tenantportal"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

var chicago = func() *time.Location {
	zone, err := time.LoadLocation("America/Chicago")
	if err != nil {
		panic(err)
	}
	return zone
}()

// rent is a tenant whose landlord has emails about rent sent, by a ledger that charges by itself.
func rent(t *testing.T, test func(*fixture)) {
	onEach(t, func(f *fixture) {
		f.Raw("UPDATE portfolios SET rent_notices = 1, auto_charge_since = 1")
		test(f)
	})
}

// charge adds a ledger row to the tenant's lease.
func (f *fixture) charge(due clock.Date, dollars int64, as func(*portfolio.Payment)) *portfolio.Payment {
	f.Helper()
	t, err := f.Portfolio.Tenant(f.Context(), f.landlord.Portfolio, f.tenant.TenantID)
	f.OK(err)
	month := due.Std()
	p := portfolio.Payment{
		Record:      dbtest.Record(id.Payment, "payment", f.landlord.Portfolio.Mode, f.now),
		LeaseID:     t.LeaseIDs[0],
		TenantID:    t.ID,
		UnitID:      f.unit.ID,
		PropertyID:  f.unit.PropertyID,
		Type:        portfolio.PaymentRent,
		Description: new("Rent for " + month.Format("January 2006")),
		Amount:      money.Dollars(dollars),
		Currency:    portfolio.Currency,
		Status:      portfolio.PaymentDue,
		DueDate:     due,
		PeriodStart: &due,
	}
	if due > clock.DateOf(f.now, chicago) {
		p.Status = portfolio.PaymentScheduled
	}
	if as != nil {
		as(&p)
	}
	f.OK(f.Portfolio.AddPayments(f.Context(), f.landlord.Portfolio, []portfolio.Payment{p}))
	return &p
}

// lateFee makes a row the late fee that the ledger charges for rent.
func lateFee(p *portfolio.Payment) {
	kind := portfolio.LateFee
	p.Type, p.FeeType, p.PeriodStart = portfolio.PaymentFee, &kind, nil
	p.Description, p.Charge = new("Late fee for the rent of November 2026"), new("late "+p.ID)
}

// pays records a payment of a row by hand.
func (f *fixture) pays(p *portfolio.Payment, dollars int64) {
	f.Helper()
	_, err := f.rules.Ledger.RecordPayment(f.Context(), f.landlord, change.Target{ID: p.ID}, ledger.Clearing{
		Amount: money.Dollars(dollars),
		Method: "check",
	})
	f.OK(err)
}

// fails has a payment of a row fail.
func (f *fixture) fails(p *portfolio.Payment, code, message string) {
	f.Helper()
	f.Raw(`INSERT INTO payment_transactions (portfolio_id, payment_id, position, id, kind, method, amount, status,
			failure_code, failure_message, occurred_at, recorded_by)
		VALUES ($1, $2, 0, $3, 'payment', 'ach', $4, 'failed', $5, $6, $7, 'processor')`,
		f.landlord.Portfolio.ID, p.ID, id.New(id.Transaction, f.now.Add(time.Second)), int64(p.Amount), code, message,
		int64(clock.At(f.now)))
}

// notices does what the job does, and are the emails to the tenant so far.
func (f *fixture) notices(want int) []mail.Message {
	f.Helper()
	f.OK(f.SendAllRentNotices(f.Context()))
	all := f.emails(sam)
	if len(all) != want {
		for _, m := range all {
			f.Log(m.Subject)
		}
		f.Fatalf("%d emails about rent, not %d", len(all), want)
	}
	return all
}

// at is an hour of a day where the landlord is.
func at(month time.Month, day, hour int) time.Time {
	return time.Date(2026, month, day, hour, 30, 0, 0, chicago)
}

func TestRentIsAnnouncedFiveDaysAheadAndOnItsDay(t *testing.T) {
	rent(t, func(f *fixture) {
		f.charge(clock.Day(2026, 12, 1), 1450, nil)
		f.now = at(11, 25, 9)
		f.notices(0)
		f.now = at(11, 26, 7) // too early in the landlord's zone, where it is the day already
		f.notices(0)
		f.now = at(11, 26, 8)
		m := f.notices(1)[0]
		f.Same(m.Subject, "Rent of $1,450.00 is due on December 1, 2026")
		f.says(
			m.Text,
			"Hello Sam,",
			"1420 Maple Avenue, Unit 2B",
			"- $1,450.00 for Rent for December 2026 is due in 5 days, on December 1, 2026.",
			"Balance due today: $0.00",
			"- $1,450.00 por Renta de diciembre de 2026 vence en 5 días, el 1 de diciembre de 2026.",
		)
		f.says(m.HTML, "due in 5 days", `<div lang="es">`, "Saldo por pagar hoy: $0.00")
		f.now = at(11, 26, 23)
		f.notices(1)
		f.now = at(11, 30, 23) // the first of December in UTC
		f.notices(1)
		f.now = at(12, 1, 8)
		f.Raw("UPDATE payments SET status = 'due'")
		m = f.notices(2)[1]
		f.Same(m.Subject, "Rent of $1,450.00 is due today")
		f.says(m.Text, "is due today, December 1, 2026.", "Balance due today: $1,450.00", "vence hoy, 1 de diciembre")
		f.now = at(12, 2, 9)
		f.notices(2)
	})
}

// transactions are those of a row.
func (f *fixture) transactions(p *portfolio.Payment) []portfolio.Transaction {
	f.Helper()
	row, err := f.rules.Ledger.PaymentWithTransactions(f.Context(), f.landlord, p.ID)
	f.OK(err)
	return row.Transactions
}

func TestOneEmailTellsAllOfDay(t *testing.T) {
	rent(t, func(f *fixture) {
		f.now = at(11, 26, 9)
		november := f.charge(clock.Day(2026, 11, 1), 1450, nil)
		october := f.charge(clock.Day(2026, 10, 1), 1400, nil)
		f.charge(clock.Day(2026, 12, 1), 1450, nil)
		f.charge(clock.Day(2026, 11, 26), 50, lateFee)
		f.now = f.now.Add(time.Minute)
		f.pays(october, 1000)
		f.fails(november, "insufficient_funds", "The bank account has\ninsufficient funds.")
		m := f.notices(1)[0]
		f.Same(m.Subject, "A payment of $1,450.00 failed")
		f.says(
			m.Text,
			"Reason: The bank account has insufficient funds.\n- A late fee of $50.00 was charged "+
				"(Late fee for the rent of November 2026). It is due on November 26, 2026.\n"+
				"- $1,000.00 for Rent for October 2026 was received on November 26, 2026. Still owed: $400.00.\n  Receipt: https:",
			"/payments/"+october.ID+"/"+f.transactions(october)[0].ID+"/receipt.pdf\n- $1,450.00 for Rent for December 2026 is due in 5 days",
			"Balance due today: $1,900.00",
			"Motivo: fondos insuficientes.",
			"/receipt.pdf?lang=es\n- $1,450.00 por Renta de diciembre de 2026",
		)
		f.says(m.HTML, `/receipt.pdf" style="color:#17594a;">Receipt (PDF)</a>`,
			`/receipt.pdf?lang=es" style="color:#17594a;">Recibo (PDF)</a>`)
		if strings.Contains(m.Text, "due today, November") {
			f.Errorf("the late fee is told twice:\n%s", m.Text)
		}
		f.now = f.now.Add(time.Hour)
		f.pays(october, 400)
		f.notices(1) // at most one a day
		f.now = at(11, 27, 8)
		m = f.notices(2)[1]
		f.Same(m.Subject, "Payment received: $400.00")
		f.says(m.Text, "$400.00 for Rent for October 2026 was received on November 26, 2026.\n", "$1,500.00")
		f.now = at(11, 28, 8)
		f.notices(2)
	})
}

func TestReceiptOfPaymentThatBankReturnedIsNotSent(t *testing.T) {
	rent(t, func(f *fixture) {
		f.now = at(11, 12, 9)
		p := f.charge(clock.Day(2026, 11, 1), 1450, nil)
		f.now = f.now.Add(time.Minute)
		f.pays(p, 1450)
		row, err := f.rules.Ledger.PaymentWithTransactions(f.Context(), f.landlord, p.ID)
		f.OK(err)
		_, err = f.rules.Ledger.ReturnPayment(f.Context(), f.landlord, change.Target{ID: p.ID}, ledger.Correction{
			TransactionID: row.Transactions[0].ID,
			Reason:        "NSF",
		})
		f.OK(err)
		m := f.notices(1)[0]
		f.Same(m.Subject, "A payment of $1,450.00 was returned")
		f.says(m.Text, "The bank returned a payment of $1,450.00 for Rent for November 2026.", "El banco devolvió")
		if strings.Contains(m.Text, "was received") {
			f.Errorf("a receipt:\n%s", m.Text)
		}
	})
}

func TestRentEmailIsInTenantsLanguage(t *testing.T) {
	rent(t, func(f *fixture) {
		f.Raw("UPDATE tenant_links SET language = $1", string(language.Spanish))
		f.now = at(11, 26, 9)
		f.charge(clock.Day(2026, 12, 1), 1450, nil)
		m := f.notices(1)[0]
		f.Same(m.Subject, "La renta de $1,450.00 vence el 1 de diciembre de 2026")
		f.says(m.Text, "Hola Sam:", "$1,450.00 por Renta de diciembre de 2026 vence en 5 días", "/payments?lang=es",
			tenantportal.RentMailPath+"?lang=es")
		if strings.Contains(m.Text+m.HTML, "Hello") || strings.Contains(m.Text, "due") {
			f.Errorf("not all in Spanish:\n%s", m.Text)
		}
	})
}

func TestTenantStopsAndStartsEmailsAboutRentAlone(t *testing.T) {
	rent(t, func(f *fixture) {
		f.now = at(11, 26, 9)
		p := f.charge(clock.Day(2026, 12, 1), 1450, nil)
		page, found := strings.CutSuffix(f.notices(1)[0].Unsubscribe, tenantportal.RentMailPath)
		token := strings.TrimPrefix(page, baseURL+tenantportal.Path)
		f.Want(found && token != f.token, "unsubscribe at %q", page)
		wanted := func(to string) bool {
			w, err := f.RentNoticeWanted(f.Context(), f.landlord.Portfolio, f.tenant.TenantID, to)
			f.OK(err)
			return w
		}
		f.Want(wanted(sam) && !wanted("other@example.com"), "an email leaves to another address, or to nobody")
		f.OK(f.StopRentNotices(f.Context(), token))
		f.OK(f.StopRentNotices(f.Context(), token)) // again and again
		f.Want(!wanted(sam), "an email would leave that the tenant does not want")
		f.token = f.newLink(true) // by another link, too
		f.now = at(12, 1, 9)
		f.pays(p, 450)
		f.notices(1)
		k := f.submits("Kitchen tap drips")
		f.writes(f.landlord, k, "We look at it.")
		f.Want(len(f.emails(sam)) == 2, "emails about tickets are stopped, too")
		f.OK(f.StartRentNotices(f.Context(), f.token))
		f.notices(3) // that rent is due today, and not what has happened meanwhile
		f.says(f.emails(sam)[2].Text, "- $1,000.00 for Rent for December 2026 is due today")
		if strings.Contains(f.emails(sam)[2].Text, "was received") {
			f.Error("what has happened while emails were stopped is told")
		}
	})
}

func TestNobodyGetsUnwantedEmailsAboutRent(t *testing.T) {
	for name, ends := range map[string]func(*fixture){
		"off": func(f *fixture) { f.Raw("UPDATE portfolios SET rent_notices = 0") },
		"charged by hand": func(f *fixture) {
			f.Raw("UPDATE portfolios SET auto_charge_since = NULL")
		},
		"revoked":    func(f *fixture) { f.OK(f.RevokeLink(f.Context(), f.landlord, f.tenant.TenantID)) },
		"no address": func(f *fixture) { f.Raw("UPDATE tenants SET email = NULL") },
		"guarantor":  func(f *fixture) { f.Raw("UPDATE lease_signers SET role = 'guarantor' WHERE tenant_id IS NOT NULL") },
		"paid":       func(f *fixture) { f.Raw("UPDATE payments SET amount_paid = amount, status = 'succeeded'") },
		"void":       func(f *fixture) { f.Raw("UPDATE payments SET status = 'void'") },
		"processing": func(f *fixture) { f.Raw("UPDATE payments SET status = 'processing'") },
		"closed":     func(f *fixture) { f.closes() },
	} {
		t.Run(name, func(t *testing.T) {
			rent(t, func(f *fixture) {
				f.now = at(11, 26, 9)
				f.charge(clock.Day(2026, 12, 1), 1450, nil)
				f.charge(clock.Day(2026, 11, 26), 1450, nil)
				ends(f)
				f.notices(0)
				f.notices(0)
			})
		})
	}
}

// A tenant who has no link yet gets one with the first email, and who joins the lease gets emails of their own.
func TestAllPartiesGetEmailsAboutRentAndNoOthers(t *testing.T) {
	rent(t, func(f *fixture) {
		f.now = at(11, 26, 9)
		f.charge(clock.Day(2026, 12, 1), 1450, nil)
		lease := dbtest.Texts(f.T, f.DB, "SELECT lease_id FROM lease_signers")[0]
		for i, role := range []portfolio.PartyRole{portfolio.PartyCoTenant, portfolio.PartyGuarantor} {
			other := portfolio.Tenant{
				Record:    dbtest.Record(id.Tenant, "tenant", access.Live, f.now.Add(time.Duration(i)*time.Second)),
				FirstName: "Kim",
				LastName:  "Lee",
				Email:     new(string(role) + "@example.com"),
				Status:    portfolio.TenantCurrent,
			}
			f.OK(
				f.Portfolio.Add(f.Context(), f.landlord.Portfolio, &portfolio.Book{Tenants: []portfolio.Tenant{other}}),
			)
			f.Raw(`INSERT INTO lease_signers (portfolio_id, lease_id, position, tenant_id, role)
				VALUES ($1, $2, $3, $4, $5)`, f.landlord.Portfolio.ID, lease, i+1, other.ID, string(role))
		}
		f.notices(1)
		if n := len(f.emails("co_tenant@example.com")); n != 1 {
			f.Errorf("%d emails to the co-tenant", n)
		}
		if n := len(f.emails("guarantor@example.com")); n != 0 {
			f.Errorf("%d emails to the guarantor", n)
		}
	})
}

func TestEmailAboutRentIsSentOnceAcrossProcesses(t *testing.T) {
	rent(t, func(f *fixture) {
		f.now = at(11, 26, 9)
		f.charge(clock.Day(2026, 12, 1), 1450, nil)
		var all sync.WaitGroup
		for range 3 {
			process := f.service()
			all.Go(func() {
				if err := process.SendAllRentNotices(f.Context()); err != nil {
					f.Error(err)
				}
			})
		}
		all.Wait()
		f.notices(1)
	})
}

func TestRolledBackEmailAboutRentIsSentLater(t *testing.T) {
	rent(t, func(f *fixture) {
		f.now = at(11, 26, 9)
		f.charge(clock.Day(2026, 12, 1), 1450, nil)
		f.refused[f.tenant.TenantID] = true
		if err := f.SendAllRentNotices(f.Context()); err == nil {
			f.Error("an email that is refused is no error")
		}
		f.refused = map[string]bool{}
		killed := errors.New("killed")
		if err := f.DB.Atomically(f.Context(), func(ctx context.Context) error {
			return errors.Join(f.SendRentNotices(ctx, f.landlord.Portfolio, chicago), killed)
		}); !errors.Is(err, killed) {
			f.Fatal(err)
		}
		f.notices(1)
	})
}

// unlocked is a database in which nobody may wait for a portfolio.
type unlocked struct {
	portfolio.Store
	locked int
}

func (u *unlocked) Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error {
	u.locked++
	return u.Store.Exclusively(ctx, in, do)
}

func TestLookingForEmailsAboutRentLocksNothingWhereThereAreNone(t *testing.T) {
	rent(t, func(f *fixture) {
		tx := &unlocked{Store: portfoliostore.New(f.DB)}
		f.Service.Tx = tx
		f.now = at(11, 20, 9)
		f.charge(clock.Day(2026, 12, 1), 1450, nil)
		f.notices(0)
		f.Same(tx.locked, 0)
		f.now = at(11, 26, 9)
		f.notices(1)
		f.Same(tx.locked, 1)
		f.notices(1)
		f.Same(tx.locked, 1)
	})
}

func TestWhatHasHappenedBeforeEmailsAboutRentWereOnIsNeverTold(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		f.now = at(11, 12, 9)
		p := f.charge(clock.Day(2026, 11, 1), 1450, nil)
		f.fails(p, "account_closed", "") // before it was turned on: never told
		f.Raw("UPDATE portfolios SET rent_notices = 1, auto_charge_since = 1")
		f.notices(0)
		if got := dbtest.Texts(t, d, "SELECT payment_id FROM rent_news"); !slices.Equal(got, nil) {
			t.Errorf("there are news of %v", got)
		}
	})
}
