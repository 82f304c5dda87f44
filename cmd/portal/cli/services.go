package cli

import (
	"time"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/audit"
	"portal/api/developer"
	"portal/api/mail"
	"portal/api/portfolio/records"
	"portal/api/portfolio/simulate"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/api/webhook"
	"portal/db"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
)

// Product is the store and the services over it, as far as sub-commands use them.
type Product struct {
	DB           *db.DB
	Box          *secret.Box
	Portfolio    *records.Service
	Agreements   *agreement.Service
	Signings     *ceremony.Service
	TenantPortal *tenantportal.Service
	Developer    *developer.Service
	Webhook      *webhook.Service
	Mail         *mail.Service
}

// Close ends the connections to the database.
func (p *Product) Close() error { return p.DB.Close() }

// Simulator makes what happens in demo portfolios.
func (p *Product) Simulator() *simulate.Simulator {
	return &simulate.Simulator{
		Store:      portfoliostore.New(p.DB),
		Portfolio:  p.Portfolio,
		Agreements: p.Agreements,
		Signings:   p.Signings,
		Tenants:    p.TenantPortal,
		Mail:       p.Mail,
		Trail:      audit.Log{Store: servicestore.NewTrail(p.DB), Now: time.Now},
	}
}
