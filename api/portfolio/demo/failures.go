package demo

// failure is why a payment did not go through, in the words of Stripe's codes.
type failure struct{ code, message string }

var (
	insufficientFunds = failure{
		"insufficient_funds", "The bank account has insufficient funds to complete the payment.",
	}
	accountClosed = failure{"account_closed", "The bank account has been closed."}
	noAccount     = failure{"no_account", "The bank account could not be located."}
	debitDenied   = failure{
		"debit_not_authorized",
		"The customer has notified their bank that this debit was not authorized.",
	}
	cardDeclined = failure{"card_declined", "Your card was declined."}
	expiredCard  = failure{"expired_card", "Your card has expired."}
	cardFunds    = failure{"insufficient_funds", "Your card has insufficient funds."}
)

// usual is the failure that a tenant's way to pay meets.
func usual(d *ledgerEntry) failure {
	if d.payer.method == card {
		all := []failure{cardDeclined, expiredCard, cardFunds}
		return all[roll(len(all), "failure", d.LeaseID)]
	}
	all := []failure{insufficientFunds, accountClosed, noAccount, debitDenied}
	return all[roll(len(all), "failure", d.LeaseID)]
}
