package stripe

import (
	"context"
	"fmt"
	"slices"

	"github.com/stripe/stripe-go/v84"

	"portal/api/access"
	"portal/api/payment"
	"portal/api/portfolio"
)

// Create is payment.Accounts'. The landlord has the whole dashboard of Stripe, pays its fees, and bears refunds and
// disputes. Stripe asks for what it has to know and is liable for negative balances, so the service is not.
//
// Stripe forgets after a day that it was asked already.
func (p *Processor) Create(ctx context.Context, by access.Actor, l *portfolio.Landlord) (string, error) {
	name := fmt.Sprintf("%d-%s", by.Portfolio.ID, by.Portfolio.Mode)
	params := &stripe.AccountCreateParams{
		Params:  on(nil, "portfolio-"+name+"-account"),
		Country: new("US"),
		Controller: &stripe.AccountCreateControllerParams{
			Fees: &stripe.AccountCreateControllerFeesParams{
				Payer: new(string(stripe.AccountControllerFeesPayerAccount)),
			},
			Losses: &stripe.AccountCreateControllerLossesParams{
				Payments: new(string(stripe.AccountControllerLossesPaymentsStripe)),
			},
			RequirementCollection: new(string(stripe.AccountControllerRequirementCollectionStripe)),
			StripeDashboard: &stripe.AccountCreateControllerStripeDashboardParams{
				Type: new(string(stripe.AccountControllerStripeDashboardTypeFull)),
			},
		},
		Capabilities: &stripe.AccountCreateCapabilitiesParams{
			CardPayments: &stripe.AccountCreateCapabilitiesCardPaymentsParams{Requested: new(true)},
			USBankAccountACHPayments: &stripe.AccountCreateCapabilitiesUSBankAccountACHPaymentsParams{
				Requested: new(true),
			},
			Transfers: &stripe.AccountCreateCapabilitiesTransfersParams{Requested: new(true)},
		},
		Metadata: map[string]string{portfolioKey: name},
	}
	if l.Name != "" {
		params.BusinessProfile = &stripe.AccountCreateBusinessProfileParams{Name: &l.Name}
	}
	if at := slices.IndexFunc(l.Readers, func(r portfolio.Reader) bool { return r.Role == access.Owner }); at >= 0 {
		params.Email = &l.Readers[at].Email
	}
	a, err := p.api().V1Accounts.Create(ctx, params)
	if err != nil {
		return "", p.failed("create the account of the portfolio "+name, err)
	}
	return a.ID, nil
}

// Onboard is payment.Accounts'. The page can be opened once, and soon.
func (p *Processor) Onboard(
	ctx context.Context, _ access.Actor, reference, returnTo, again string,
) (string, error) {
	l, err := p.api().V1AccountLinks.Create(ctx, &stripe.AccountLinkCreateParams{
		Account:    &reference,
		Type:       new(string(stripe.AccountLinkTypeAccountOnboarding)),
		ReturnURL:  &returnTo,
		RefreshURL: &again,
	})
	if err != nil {
		return "", p.failed("open the onboarding of the account "+reference, err)
	}
	return l.URL, nil
}

// Account is payment.Accounts'.
func (p *Processor) Account(ctx context.Context, _ access.Actor, reference string) (payment.Standing, error) {
	a, err := p.api().V1Accounts.GetByID(ctx, reference, nil)
	if err != nil {
		return payment.Standing{}, p.failed("read the account "+reference, err)
	}
	s := payment.Standing{Submitted: a.DetailsSubmitted, Charges: a.ChargesEnabled, Payouts: a.PayoutsEnabled}
	if r := a.Requirements; r != nil {
		s.Due = slices.Concat(r.CurrentlyDue, r.PastDue)
		slices.Sort(s.Due)
		s.Due = slices.Compact(s.Due) // what is past due is also due now
	}
	return s, nil
}
