package simulated

import (
	"slices"
	"strings"

	"portal/api/portfolio"
)

// Outcome is what becomes of a payment.
type Outcome string

// What can become of a payment.
const (
	Clears            Outcome = "succeeded"
	Declined          Outcome = "declined"
	InsufficientFunds Outcome = "insufficient_funds"
	ExpiredCard       Outcome = "expired_card"
	WrongCode         Outcome = "incorrect_cvc"
	AccountClosed     Outcome = "account_closed"
	NoAccount         Outcome = "no_account"
	NotAuthorized     Outcome = "debit_not_authorized"
	ReturnedLater     Outcome = "returned" // clears, and goes back days later
	ChargeDisputed    Outcome = "disputed" // clears, and is disputed a day later
	NeverClears       Outcome = "processing"

	canceled Outcome = "canceled"
)

// Values are all that can be chosen.
func (Outcome) Values() []string {
	return []string{
		"succeeded", "declined", "insufficient_funds", "expired_card", "incorrect_cvc", "account_closed", "no_account",
		"debit_not_authorized", "returned", "disputed", "processing",
	}
}

// SchemaName is the name of the OpenAPI component.
func (Outcome) SchemaName() string { return "TestPaymentOutcome" }

// Number is a test number and what becomes of a payment with it.
type Number struct {
	Method  portfolio.PaymentMethod
	Number  string // of the card, or of the account
	Outcome Outcome
}

// Routing is the routing number of the test accounts.
const Routing = "110000000"

// Numbers are the test numbers, which are those of Stripe's documentation.
func Numbers() []Number { return slices.Clone(numbers) }

var numbers = []Number{
	{portfolio.PayByCard, "4242424242424242", Clears},
	{portfolio.PayByCard, "4000000000000002", Declined},
	{portfolio.PayByCard, "4000000000009995", InsufficientFunds},
	{portfolio.PayByCard, "4000000000000069", ExpiredCard},
	{portfolio.PayByCard, "4000000000000127", WrongCode},
	{portfolio.PayByCard, "4000000000000259", ChargeDisputed},
	{portfolio.PayByACH, "000123456789", Clears},
	{portfolio.PayByACH, "000222222227", InsufficientFunds},
	{portfolio.PayByACH, "000111111113", AccountClosed},
	{portfolio.PayByACH, "000111111116", NoAccount},
	{portfolio.PayByACH, "000333333335", NotAuthorized},
	{portfolio.PayByACH, "000555555559", ReturnedLater},
	{portfolio.PayByACH, "000000000009", NeverClears},
}

// OutcomeOf is what becomes of a payment with a test number, and whether there is such a number. Spaces and hyphens
// between digits do not matter.
func OutcomeOf(method portfolio.PaymentMethod, number string) (o Outcome, known bool) {
	number = strings.NewReplacer(" ", "", "-", "", " ", "").Replace(number)
	for _, n := range numbers {
		if n.Method == method && n.Number == number {
			return n.Outcome, true
		}
	}
	return "", false
}

// Possible reports whether a payment in a way can have an outcome.
func (o Outcome) Possible(method portfolio.PaymentMethod) bool {
	for _, n := range numbers {
		if n.Method == method && n.Outcome == o {
			return true
		}
	}
	return false
}

// fails reports whether the money never comes.
func (o Outcome) fails() bool {
	switch o {
	case Declined, InsufficientFunds, ExpiredCard, WrongCode, AccountClosed, NoAccount, NotAuthorized:
		return true
	case Clears, ReturnedLater, ChargeDisputed, NeverClears, canceled:
	}
	return false
}

// backAfter is how many days after a payment has cleared it goes back, 0 for never.
func (o Outcome) backAfter() int {
	switch o {
	case ReturnedLater:
		return 30
	case ChargeDisputed:
		return 1
	default:
		return 0
	}
}

// failure is the code of what went wrong, and a sentence about it.
func (o Outcome) failure() (code, message string) {
	switch o {
	case Declined:
		return "card_declined", "The bank declined the card."
	case InsufficientFunds:
		return "insufficient_funds", "There was not enough money in the account."
	case ExpiredCard:
		return "expired_card", "The card has expired."
	case WrongCode:
		return "incorrect_cvc", "The security code of the card was wrong."
	case AccountClosed:
		return "account_closed", "The bank account is closed."
	case NoAccount:
		return "no_account", "There is no bank account with this number."
	case NotAuthorized:
		return "debit_not_authorized", "The bank account does not allow debits."
	case ReturnedLater:
		return "payment_returned", "The bank returned the payment, because its customer did not authorize it."
	case ChargeDisputed:
		return "dispute", "The cardholder disputed the charge with the bank."
	default:
		return "", ""
	}
}
