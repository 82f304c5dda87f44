package stripe

import "cmp"

// canceledCode is of a payment that was canceled at Stripe after the tenant had sent it.
const canceledCode = "canceled"

// sentences are what is said of a failure, by its code. Those of the simulated processor are the same here.
var sentences = map[string]string{
	"card_declined":           "The bank declined the card.",
	"insufficient_funds":      "There was not enough money in the account.",
	"expired_card":            "The card has expired.",
	"incorrect_cvc":           "The security code of the card was wrong.",
	"account_closed":          "The bank account is closed.",
	"no_account":              "There is no bank account with this number.",
	"debit_not_authorized":    "The bank account does not allow debits.",
	"authentication_required": "The bank wants its customer to confirm the payment.",
	"processing_error":        "The bank could not process the payment.",
	canceledCode:              "The payment was canceled.",
}

// same are codes of Stripe that mean what another one means, for a tenant.
var same = map[string]string{
	"invalid_cvc":               "incorrect_cvc",
	"invalid_expiry_month":      "expired_card",
	"invalid_expiry_year":       "expired_card",
	"generic_decline":           "card_declined",
	"invalid_account_number":    "no_account",
	"incorrect_account_details": "no_account",
	"account_frozen":            "debit_not_authorized",
	"bank_account_restricted":   "debit_not_authorized",
	"bank_cannot_process":       "processing_error",
	"could_not_process":         "processing_error",
	"bank_ownership_changed":    "account_closed",
}

// otherwise is said of a failure that has no sentence.
const otherwise = "The payment did not go through."

// because is the code of why a payment failed, and a sentence about it, of the codes that Stripe gives, the most exact
// first. What a bank says of a stolen card or of fraud is told to nobody: such a card was declined.
func because(codes ...string) (code, message *string) {
	unknown := ""
	for i, code := range codes {
		if known, is := same[code]; is {
			code = known
		}
		if message, is := sentences[code]; is {
			return &code, &message
		}
		if i > 0 || len(codes) == 1 { // the first one may be what nobody is told
			unknown = cmp.Or(unknown, code)
		}
	}
	return new(cmp.Or(unknown, "failed")), new(otherwise)
}

// returns are what is said of a bank that took a payment back, by the code.
var returns = map[string]string{
	"insufficient_funds":   "The bank returned the payment, because there was not enough money in the account.",
	"debit_not_authorized": "The bank returned the payment, because its customer did not authorize it.",
	"no_account":           "The bank returned the payment, because there is no account with this number.",
	"account_closed":       "The bank returned the payment, because the account is closed.",
}

// Of a payment that went back, the codes that the simulated processor has.
const (
	returnedCode = "payment_returned"
	disputedCode = "dispute"
)

// returned is why a bank took a payment from a bank account back.
func returned(reason string) (code, message string) {
	if code = reason; same[reason] != "" {
		code = same[reason]
	}
	if message, is := returns[code]; is {
		return code, message
	}
	return returnedCode, "The bank returned the payment."
}

// disputed is why a cardholder disputed a charge.
func disputed(reason string) (code, message string) {
	message = "The cardholder disputed the charge with the bank."
	switch reason {
	case "fraudulent", "unrecognized":
		message = "The cardholder told the bank that they did not make the payment."
	case "duplicate":
		message = "The cardholder told the bank that they paid twice."
	case "credit_not_processed":
		message = "The cardholder told the bank that a refund is missing."
	}
	return disputedCode, message
}
