package demo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// The ways to pay that pass through the processor. The landlord notes the others by
// hand when the money is there.
const (
	ach  portfolio.PaymentMethod = "ach"
	card portfolio.PaymentMethod = "card"
)

// receive lets what the table of habits says happen to a row: the line of its habit and of
// its place before the latest row. Without a line it is paid promptly.
func (b *ledger) receive(d *ledgerEntry) {
	does := "prompt"
	for _, r := range b.habits {
		backs := strings.Fields(r["back"])
		if r["habit"] == d.payer.habit && (len(backs) == 0 || slices.Contains(backs, strconv.Itoa(d.back))) {
			does = r["does"]
			if r["note"] != "" {
				d.Description = new("Rent for " + month(d.DueDate) + ", " + r["note"])
			}
			break
		}
	}
	for step := range strings.SplitSeq(does, ";") {
		if words := strings.Fields(step); len(words) > 0 && !b.step(d, words) {
			return
		}
	}
}

// step does one step of a habit: a verb, the days after the due date, a method ("own" or
// none for the tenant's) and what the verb needs. It reports whether the next one follows.
func (b *ledger) step(d *ledgerEntry, words []string) bool {
	day, method := d.DueDate, d.payer.method
	if len(words) > 1 && words[1] == "yesterday" {
		day = max(day, b.today-1)
	} else if len(words) > 1 {
		day += clock.Date(whole(words[1]))
	}
	if len(words) > 2 && words[2] != "own" {
		method = portfolio.PaymentMethod(words[2])
	}
	switch words[0] {
	case "prompt":
		b.payPromptly(d)
	case "late": // now and then later than the days of grace
		days := 3 + roll(3, "late", d.ID)
		if roll(5, "often", d.ID) < 2 {
			days += 5 + roll(6, "later", d.ID)
		}
		b.pay(d, method, d.DueDate+clock.Date(days))
	case "pay":
		b.pay(d, method, day)
	case "part": // the share in percent, cut to the dollar
		b.payPart(d, method, d.Amount*money.Cents(whole(words[3]))/10_000*100, day)
	case "fail":
		return b.fail(d, method, words[3], day)
	case "returned":
		if *d.Method == ach {
			b.returnFee(d)
		}
	case "refund":
		b.refund(d, day)
	case "void":
		b.void(d, b.during(day, whole(words[2]), d.ID))
	default:
		panic("demo: no payment does " + words[0])
	}
	return true
}

func (b *ledger) payPromptly(d *ledgerEntry) {
	b.pay(d, d.payer.method, d.DueDate+clock.Date(roll(4, "prompt", d.ID)))
}

// pay lets a row be paid on a day, if that has come. A card clears at once, ACH
// within some four days and is under way until then.
func (b *ledger) pay(d *ledgerEntry, method portfolio.PaymentMethod, day clock.Date) {
	at, ok := b.begin(d, method, day)
	if !ok {
		return
	}
	switch method {
	case ach:
		if cleared := at + clock.Time(80+roll(30, d.ID))*3_600_000; cleared <= b.last {
			b.succeed(d, cleared)
		}
	case card:
		b.succeed(d, min(at+2_400, b.last))
	default:
		b.succeed(d, at)
	}
}

// begin starts a payment and returns when, false if that is still to come. Through
// the processor it is under way then.
func (b *ledger) begin(d *ledgerEntry, method portfolio.PaymentMethod, day clock.Date) (clock.Time, bool) {
	at := max(b.within(day, 8+roll(13, "pay", d.ID), d.ID), d.UpdatedAt+60_000)
	if at > b.last {
		return 0, false
	}
	d.Method, d.Reference = &method, b.reference(d, method)
	if method == ach || method == card {
		d.InitiatedAt, d.Status, d.UnderWay = &at, portfolio.PaymentProcessing, d.Amount
		touch(&d.Record, at)
	}
	return at, true
}

func (b *ledger) succeed(d *ledgerEntry, at clock.Time) {
	d.Status, d.AmountPaid, d.PaidAt, d.ReceivedAt = portfolio.PaymentSucceeded, d.Amount, &at, &at
	d.UnderWay = 0
	d.FailureCode, d.FailureMessage = nil, nil
	touch(&d.Record, at)
}

// payPart lets some of a row be paid by hand or by card.
func (b *ledger) payPart(d *ledgerEntry, method portfolio.PaymentMethod, amount money.Cents, day clock.Date) {
	at, ok := b.begin(d, method, day)
	if !ok {
		return
	}
	d.Status, d.AmountPaid, d.UnderWay, d.ReceivedAt = portfolio.PaymentPartiallyPaid, amount, 0, &at
	touch(&d.Record, at)
}

// fail lets a payment be refused and reports whether it was: a card at once, ACH by a
// return two days later, and until then it is under way. The code is one of Stripe's, or
// "usual" for one that the tenant's way to pay meets.
func (b *ledger) fail(d *ledgerEntry, method portfolio.PaymentMethod, code string, day clock.Date) bool {
	at, ok := b.begin(d, method, day)
	if method == ach {
		at += 49 * 3_600_000
	}
	if !ok || at > b.last {
		return false
	}
	met := func(r row) bool { return r["code"] == code }
	if code == "usual" {
		met = func(r row) bool { return (r["method"] == string(card)) == (d.payer.method == card) }
	}
	all := slices.DeleteFunc(slices.Clone(b.failures), func(r row) bool { return !met(r) })
	f := all[0]
	if code == "usual" {
		f = all[roll(len(all), "failure", d.LeaseID)]
	}
	d.Status, d.UnderWay = portfolio.PaymentFailed, 0
	d.FailureCode, d.FailureMessage = f.text("code"), f.text("message")
	touch(&d.Record, at)
	return true
}

// refund gives back a row that was paid, if the day has come.
func (b *ledger) refund(d *ledgerEntry, day clock.Date) {
	if day > b.today || d.Status != portfolio.PaymentSucceeded {
		return
	}
	d.Status, d.AmountPaid = portfolio.PaymentRefunded, 0
	touch(&d.Record, min(max(b.during(day, 14, d.ID), *d.PaidAt+3_600_000), b.last))
}

// void cancels a row of which nothing is paid.
func (b *ledger) void(d *ledgerEntry, at clock.Time) {
	d.Status = portfolio.PaymentVoid
	touch(&d.Record, max(at, d.UpdatedAt+1))
}

// reference is what the landlord or the processor notes of a payment, nil for cash.
func (b *ledger) reference(d *ledgerEntry, method portfolio.PaymentMethod) *string {
	n := roll(90_000_000, "reference", d.ID)
	switch method {
	case "check":
		months := int(d.DueDate-b.today) / 30 // a tenant's checks count up
		return new(fmt.Sprintf("check %d", 1000+roll(800, d.LeaseID)+months))
	case "money_order":
		return new(fmt.Sprintf("money order 22-%08d", n))
	case "bank_transfer":
		return new(fmt.Sprintf("wire %06d", n/100))
	case "other":
		return new("county rental assistance")
	case "cash":
		return nil
	}
	return new(fmt.Sprintf("demo_%s_%08d", method, n))
}
