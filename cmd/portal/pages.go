package main

import (
	"net/http"
	"time"

	"portal/api/attachment"
	"portal/api/audit"
	"portal/api/developer"
	"portal/api/portfolio/ledger/report"
	"portal/api/rest"
	"portal/api/status"
	"portal/db/accountstore"
	"portal/db/developerstore"
	"portal/db/portfoliostore"
	"portal/db/reportstore"
	"portal/db/servicestore"
	"portal/db/webhookstore"
	"portal/jobs"
	"portal/web"
	accesspages "portal/web/access"
	accountpages "portal/web/account"
	developerpages "portal/web/developer"
	"portal/web/docs"
	"portal/web/frame"
	"portal/web/lease"
	"portal/web/ledger"
	"portal/web/live"
	"portal/web/overview"
	"portal/web/page"
	"portal/web/palette"
	"portal/web/property"
	"portal/web/resident"
	"portal/web/staff"
	statuspages "portal/web/status"
	"portal/web/ticket"
)

// photoWait is for how long a photo waits for others to be converted: a form with five of them takes some seconds.
const photoWait = 30 * time.Second

// lateDocs leaves the documentation undrawn until it is asked for. Only a binary for tests of
// crashes does: it is started a thousand times, and drawing takes a third of what a start does.
var lateDocs bool

// pages puts the sections of the pages together. The documentation shows api and sends what somebody
// tries there to surface.
func (s *server) pages(api *rest.API, surface http.Handler, reports *report.Reports, streams *live.Streams) *web.Pages {
	p := s.product
	shell := page.New(page.Config{
		BaseURL:  p.config.baseURL,
		Sessions: accountstore.NewPageSessions(p.DB, time.Now),
		Forms:    servicestore.NewForms(p.DB),
		People:   p.account.Sessions,
		Box:      p.Box,
		Now:      time.Now,
		Clock:    p.Portfolio.Clock,
		Log:      s.log,
		Programs: api.Unknown,
		Spool:    s.spool(),
		Limiter:  s.limits,
		Waiting: frame.NewWaiting(frame.WaitingConfig{
			Records:  reportstore.NewInsight(p.DB).Waiting,
			Troubled: webhookstore.New(p.DB).Troubled,
			Requests: developerstore.New(p.DB).PendingAccessRequests,
			Units:    developerstore.New(p.DB).OpenUnitRequests,
			Verify:   portfoliostore.New(p.DB).PendingVerifications,
			Now:      time.Now,
		}),
	})
	documentation := docs.New(shell, docs.Config{
		OpenAPI:   api.Document,
		API:       surface,
		Box:       p.Box,
		Examples:  p.Portfolio,
		Templates: p.Agreements,
		Developer: p.Developer,
		Webhook:   p.Webhook,
	})
	s.prepare = documentation.Prepare
	exchanges := developer.Exchanges{Store: developerstore.New(p.DB), Box: p.Box, Now: time.Now} // of the log
	photos := attachment.NewIsolatedConverter(photoWait, pictureDecoder)
	sections := []web.Section{
		documentation,
		resident.New(shell, resident.Config{
			Guests:    p.applications.Applications,
			Emails:    p.applications.Emails,
			Documents: p.Agreements,
			Signing:   p.Signings,
			Proofs:    p.Agreements,
			Tenants:   p.TenantPortal,
			Payments:  p.Payments,
			Photos:    photos,
		}),
		property.New(shell, property.Config{
			Portfolio: p.Portfolio, Verifications: p.verifications, Imports: p.uploads, Developer: p.Developer,
		}),
		palette.New(shell, palette.Config{Portfolio: p.Portfolio, Places: documentation.Places}),
		lease.New(shell, lease.Config{
			Portfolio:    p.Portfolio,
			Applications: p.applications,
			TenantPortal: p.TenantPortal,
			Agreements:   p.Agreements,
			Terms:        p.Agreements,
			Notices:      p.notices,
			Signings:     p.Signings,
			Payments:     p.Payments,
			Photos:       photos,
		}),
		ticket.New(shell, ticket.Config{Portfolio: p.Portfolio}),
		ledger.New(shell, ledger.Config{Portfolio: p.Portfolio, Reports: reports, Payments: p.Payments}),
		overview.New(shell, overview.Config{
			Developer: p.Developer,
			Summaries: reports,
			Webhook:   p.Webhook,
			Streams:   streams,
		}),
		accesspages.New(shell, accesspages.Config{Requests: p.Developer}),
		developerpages.New(shell, developerpages.Config{
			Streams:   streams,
			Developer: p.Developer,
			Webhook:   p.Webhook,
			Summaries: reports,
			Exchanges: exchanges,
			Demo:      p.Simulator(),
			Mails:     p.Mail,
			Trail:     p.Portfolio,
		}),
		staff.New(shell, staff.Config{
			Developer: p.Developer,
			Jobs: jobs.Board{
				Queue: p.queue,
				Audit: audit.Log{Store: servicestore.NewTrail(p.DB), Now: time.Now},
			},
			Verifications: p.verifications,
			Exchanges:     exchanges,
			Trail:         p.Portfolio,
		}),
		statuspages.New(shell, statuspages.Config{
			Monitor: &status.Monitor{Check: s.check, Store: servicestore.NewStatus(p.DB), Now: time.Now},
			Jobs:    jobs.Board{Queue: p.queue},
		}),
		accountpages.New(shell, accountpages.Config{
			Account:      p.account,
			Keys:         p.Developer,
			Mails:        p.Mail,
			LeaseDetails: p.Agreements,
			Ledger:       p.Portfolio.Ledger,
			Payments:     p.Payments.Service,
			Trail:        p.Portfolio,
			SigningOut:   documentation.StopKey,
		}),
	}
	if p.config.demo {
		sections = append(sections, web.Components{Shell: shell})
	}
	return web.New(shell, sections...)
}
