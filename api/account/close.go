package account

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/amendment"
	"portal/api/agreement/notice"
	"portal/api/audit"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/lease/condition"
	"portal/api/webhook"
)

// Closing is how an account is taken along and closed.
type Closing struct {
	*common
	members *Members
	signIns *SignIns
}

// EraseAfter is how long after its closing an account's persons are forgotten, and
// DeleteAfter how long its books are kept: 7 years, as tax law may ask for the ledger and
// a signed lease can be sued on.
const (
	EraseAfter  = 30 * 24 * time.Hour
	DeleteAfter = 7 * 365 * 24 * time.Hour
)

// Close ends the visitor's account for somebody who knows the password (param password) and has
// confirmed who they are: keys stop, nothing more is sent to webhook endpoints, the
// sessions of members end who are in no other account. Persons are forgotten after 30 days.
func (s *Closing) Close(ctx context.Context, v *Visitor, plain string, from Client) error {
	if err := v.owner(); err != nil {
		return err
	}
	if err := s.fresh(v); err != nil {
		return err
	}
	_, budgets, err := s.signIns.checkPassword(ctx, v, v.Email, plain, from)
	if err != nil {
		return passwordAlone(err)
	}
	if err := s.giveBack(ctx, budgets...); err != nil {
		return err
	}
	return s.members.team(ctx, v, from, func(ctx context.Context, t team) error { return s.close(ctx, v, t, from) })
}

func (s *Closing) close(ctx context.Context, v *Visitor, t team, from Client) error {
	closed, err := s.Store.CloseAccount(ctx, v.Account.AccountID, application.OpenInvitations(), s.moment())
	if err != nil {
		return err
	}
	if !closed {
		return fault.New(fault.InvalidTransition, "The account is already closed.")
	}
	if err := s.Developer.EndAccess(ctx, v.Account.AccountID); err != nil {
		return err
	}
	if err := s.Webhook.StopAccount(ctx, v.Account.AccountID); err != nil {
		return err
	}
	if err := s.audit.Record(ctx, audit.Event{
		AccountID: v.Account.AccountID,
		Action:    "account.closed",
		Target:    v.Account.AccountID,
	}); err != nil {
		return err
	}
	for _, m := range t {
		if err := s.signOutMember(ctx, v, m, from); err != nil {
			return err
		}
	}
	return nil
}

// signOutMember ends the sessions of a member of a closed account who has no other one, and
// tells the owners.
func (s *Closing) signOutMember(ctx context.Context, v *Visitor, m Member, from Client) error {
	others, err := s.Store.Memberships(ctx, m.UserID)
	if err != nil {
		return err
	}
	if len(others) == 0 {
		if err := s.Store.RevokeSessions(ctx, m.UserID, ""); err != nil {
			return err
		}
	}
	if m.Role != access.Owner {
		return nil
	}
	return s.notify(
		ctx,
		m.Email,
		from,
		"The account was closed",
		"The account %s was closed by %s. Its API keys stopped working, and its webhook endpoints get nothing. "+
			"We erase its personal data in 30 days.",
		v.Account.Name,
		v.Email,
	)
}

// page is how many records are read at a time.
const page = list.Max

// Export writes the data of the visitor's account as a zip file of JSON lines, one record
// a line, as it reads them: properties with their units, tenants, leases, tickets,
// payments, statements of deposits, condition reports, notices to tenants, amendments of leases, applicants and
// webhook endpoints of each mode, and members, keys, requests for access, requests for more
// units and the audit trail. What is written meanwhile may be missing. After an error what was written is no zip file.
func (s *Closing) Export(ctx context.Context, v *Visitor, w io.Writer, from Client) error {
	if err := v.owner(); err != nil {
		return err
	}
	if err := s.fresh(v); err != nil {
		return err
	}
	event := audit.Event{AccountID: v.Account.AccountID, Action: "account.exported", Target: v.Account.AccountID}
	if err := s.audit.Record(from.by(ctx, v.UserID), event); err != nil {
		return err
	}
	x := &export{
		Closing: s,
		ctx:     ctx,
		zip:     zip.NewWriter(w),
		at:      s.Now(),
	}
	x.account(v)
	for _, mode := range []access.Mode{access.Live, access.Test} {
		by := v.Actor(mode)
		by.Scopes = access.Scopes{access.Read} // a file that is passed on has no links to sign with
		x.records(string(mode)+"/", by)
	}
	if x.err != nil {
		return x.err
	}
	return x.zip.Close()
}

// export writes files until something fails.
type export struct {
	*Closing
	ctx context.Context
	zip *zip.Writer
	at  time.Time
	err error
}

// file begins a file and gives the function that adds a line to it.
func (x *export) file(name string) func(any) {
	var lines *json.Encoder
	if x.err == nil {
		var w io.Writer
		w, x.err = x.zip.CreateHeader(&zip.FileHeader{Name: name + ".jsonl", Method: zip.Deflate, Modified: x.at})
		lines = json.NewEncoder(w)
	}
	return func(record any) {
		if x.err == nil {
			x.err = lines.Encode(record)
		}
	}
}

// account writes what does not belong to a portfolio.
func (x *export) account(v *Visitor) {
	x.file("account")(map[string]any{
		"id":           v.Account.AccountID,
		"name":         v.Account.Name,
		"time_zone":    v.Account.TimeZone,
		"plan":         v.Account.Plan.Tier,
		"member_since": v.Account.Since,
	})
	add := x.file("members")
	members, err := x.members.Store.Members(x.ctx, v.Account.AccountID)
	x.fail(err)
	for _, m := range members {
		add(map[string]any{"user_id": m.UserID, "email": m.Email, "role": m.Role, "since": m.Since})
	}
	add = x.file("keys")
	keys, err := x.Developer.KeysOf(x.ctx, v.Account.AccountID)
	x.fail(err)
	for _, k := range keys {
		add(k)
	}
	add = x.file("access_requests")
	requests, err := x.Developer.AccessRequestsOf(x.ctx, developer.Member{
		UserID:    v.UserID,
		AccountID: v.Account.AccountID,
		Role:      v.Account.Role,
	})
	x.fail(err)
	for _, r := range requests {
		r.ReviewNotes, r.ReviewedBy = nil, nil // the staff's own
		add(r)
	}
	add = x.file("unit_requests")
	more, err := x.Developer.UnitRequestsOf(x.ctx, developer.Member{AccountID: v.Account.AccountID})
	x.fail(err)
	for _, r := range more {
		add(r)
	}
	pages(x, "audit", func(after string) (*list.Page[audit.Entry], error) {
		return x.audit.Entries(x.ctx, audit.Query{AccountID: v.Account.AccountID, Before: after, Limit: page})
	})
}

// records writes the records of a portfolio.
func (x *export) records(folder string, by access.Actor) {
	x.properties(folder, by)
	x.applicants(folder, by)
	pages(x, folder+"tenants", func(after string) (*list.Page[portfolio.Tenant], error) {
		return x.Portfolio.Tenants.Tenants(x.ctx, by, portfolio.TenantFilter{Query: from(after)})
	})
	x.leases(folder, by)
	pages(x, folder+"tickets", func(after string) (*list.Page[portfolio.Ticket], error) {
		return x.Portfolio.Tickets.Tickets(x.ctx, by, portfolio.TicketFilter{Query: from(after)})
	})
	pages(x, folder+"payments", func(after string) (*list.Page[portfolio.PaymentWithTransactions], error) {
		return x.Portfolio.Ledger.WithTransactions(x.ctx, by, portfolio.PaymentFilter{Query: from(after)})
	})
	add := x.file(folder + "deposit_statements")
	each(x, func(after string) (*list.Page[portfolio.DepositStatement], error) {
		return x.Portfolio.Ledger.DepositStatements(x.ctx, by, after, page)
	}, func(d *portfolio.DepositStatement) { add(statementOf(d)) })
	pages(x, folder+"condition_reports", func(after string) (*list.Page[condition.Report], error) {
		return x.Portfolio.Conditions.All(x.ctx, by, from(after))
	})
	if x.Notices != nil {
		add := x.file(folder + "lease_notices")
		each(x, func(after string) (*list.Page[notice.Notice], error) {
			return x.Notices.All(x.ctx, by, after, page)
		}, func(n *notice.Notice) { add(noticeOf(n)) })
	}
	if x.Amendments != nil {
		pages(x, folder+"lease_amendments", func(after string) (*list.Page[amendment.Amendment], error) {
			return x.Amendments.All(x.ctx, by, from(after))
		})
	}
	pages(x, folder+"webhook_endpoints", func(after string) (*list.Page[webhook.Endpoint], error) {
		return x.Webhook.Endpoints(x.ctx, by, from(after))
	})
}

// statementOf is the statement of a deposit as it is exported.
func statementOf(d *portfolio.DepositStatement) map[string]any {
	return map[string]any{
		"lease_id":   d.LeaseID,
		"created_at": d.CreatedAt,
		"created_by": d.CreatedBy,
		"ended_on":   d.EndedOn,
		"deadline":   d.Deadline,
		"paid_on":    d.PaidOn,
		"held":       d.Held,
		"refunded":   d.Refunded,
		"method":     d.Method,
		"reference":  d.Reference,
		"content":    d.Content,
	}
}

// noticeOf is a notice to tenants as it is exported.
func noticeOf(n *notice.Notice) map[string]any {
	return map[string]any{
		"id":           n.ID,
		"lease_id":     n.LeaseID,
		"created_at":   n.CreatedAt,
		"created_by":   n.CreatedBy,
		"kind":         n.Kind,
		"given_on":     n.GivenOn,
		"effective_on": n.EffectiveOn,
		"emailed_at":   n.EmailedAt,
		"content":      n.Content,
	}
}

// applicants are invitations to apply, with the application where one was sent.
func (x *export) applicants(folder string, by access.Actor) {
	add := x.file(folder + "applicants")
	for before := ""; x.err == nil; {
		all, err := x.Applicants.Applicants(x.ctx, by, application.ApplicantFilter{Before: before, Limit: page})
		x.fail(err)
		for i := range all {
			add(map[string]any{"invitation": all[i].Invitation, "application": applied(all[i].Application)})
			before = all[i].Invitation.ID
		}
		if len(all) < page {
			return
		}
	}
}

// applied is an application in the words of the wire, null where none was sent.
func applied(a *application.Application) any {
	if a == nil {
		return nil
	}
	return map[string]any{
		"created_at":     a.CreatedAt,
		"first_name":     a.FirstName,
		"last_name":      a.LastName,
		"email":          a.Email,
		"phone":          a.Phone,
		"move_in_date":   a.MoveInDate,
		"adults":         a.Adults,
		"children":       a.Children,
		"pets":           a.Pets,
		"monthly_income": a.MonthlyIncome,
		"notes":          a.Notes,
		"decision":       a.Decision,
		"decided_at":     a.DecidedAt,
		"tenant_id":      a.TenantID,
	}
}

// properties come one by one, as only then they have their units.
func (x *export) properties(folder string, by access.Actor) {
	add := x.file(folder + "properties")
	each(x, func(after string) (*list.Page[portfolio.Property], error) {
		return x.Portfolio.Properties.Properties(x.ctx, by, portfolio.PropertyFilter{Query: from(after)})
	}, func(p *portfolio.Property) {
		whole, err := x.Portfolio.Properties.Property(x.ctx, by, p.ID)
		x.fail(err)
		add(whole)
	})
}

// leadWarning is the Lead Warning Statement as an owner has entered it, nil before.
func leadWarning(d *agreement.Details) *string {
	if d == nil || d.LeadWarning == "" {
		return nil
	}
	return &d.LeadWarning
}

// leases come with their terms where they were generated here, with what they say of the landlord, with their
// templates, and with the library.
func (x *export) leases(folder string, by access.Actor) {
	add := x.file(folder + "leases")
	each(x, func(after string) (*list.Page[portfolio.Lease], error) {
		return x.Portfolio.Leases.Leases(x.ctx, by, portfolio.LeaseFilter{Query: from(after)})
	}, func(l *portfolio.Lease) {
		if l.DocumentID == nil || x.Agreements == nil {
			add(l)
			return
		}
		whole, err := x.Agreements.Lease(x.ctx, by, l.ID)
		x.fail(err)
		add(whole)
	})
	if x.Agreements != nil {
		details, err := x.Agreements.Details(x.ctx, by)
		x.fail(err)
		x.file(folder + "lease_details")(struct {
			*agreement.Details
			LeadWarning *string `json:"lead_warning"`
		}{details, leadWarning(details)})
		pages(x, folder+"lease_templates", func(after string) (*list.Page[agreement.LeaseTemplate], error) {
			return x.Agreements.Templates(x.ctx, by, agreement.TemplateFilter{Query: from(after)})
		})
		pages(x, folder+"library_documents", func(after string) (*list.Page[agreement.LibraryDocument], error) {
			return x.Agreements.Library(x.ctx, by, agreement.LibraryFilter{Query: from(after)})
		})
	}
}

func (x *export) fail(err error) {
	if x.err == nil {
		x.err = err
	}
}

func from(after string) list.Query { return list.Query{Limit: page, StartingAfter: after} }

// pages writes a file of all records of a list.
func pages[T any](x *export, name string, read func(after string) (*list.Page[T], error)) {
	add := x.file(name)
	each(x, read, func(record *T) { add(record) })
}

// each does something with all records of a list, which is read page by page.
func each[T any](x *export, read func(after string) (*list.Page[T], error), do func(*T)) {
	for after, more := "", true; more && x.err == nil; {
		p, err := read(after)
		if err != nil {
			x.fail(err)
			return
		}
		for i := range p.Data {
			do(&p.Data[i])
		}
		after, more = p.Next()
	}
}
