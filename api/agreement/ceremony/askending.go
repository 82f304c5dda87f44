package ceremony

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/evidence"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/mail"
	"portal/api/onetimecode"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/texts"
)

// EndingStatus is how far a request to agree to the end of a lease is.
type EndingStatus string

// The statuses of such a request.
const (
	EndingOpen      EndingStatus = "open"
	EndingAgreed    EndingStatus = "agreed" // by all tenants, which ended the lease
	EndingRefused   EndingStatus = "refused"
	EndingWithdrawn EndingStatus = "withdrawn"
	// EndingOver is that of an open request whose lease has started or has ended in another way. It is not stored.
	EndingOver EndingStatus = "over"
)

// EndingRequest asks the tenants of a signed lease by email to agree that it ends before its first day.
type EndingRequest struct {
	LeaseID   string
	Number    int // from 1 within the lease
	CreatedAt clock.Time
	On        clock.Date // the day on which it is to end; that of the last agreement where it comes later
	Reason    string
	Status    EndingStatus
	Answers   []EndingAnswer
}

// EndingAnswer is what a tenant has answered.
type EndingAnswer struct {
	SignerID string
	At       clock.Time
	Agreed   bool
	Reason   string // of who did not agree, "" for none
}

// of is what a signer has answered, nil for nothing yet.
func (e *EndingRequest) of(signerID string) *EndingAnswer {
	i := slices.IndexFunc(e.Answers, func(a EndingAnswer) bool { return a.SignerID == signerID })
	if i < 0 {
		return nil
	}
	return &e.Answers[i]
}

// derive finds that an open request is over.
func (e *EndingRequest) derive(l *portfolio.Lease, today clock.Date) {
	if e.Status == EndingOpen && (l.Status != portfolio.LeaseSigned || l.StartDate <= today) {
		e.Status = EndingOver
	}
}

// AskToEnd asks the tenants of a signed lease by email to agree that it ends on a day before its first one, as an owner
// wants who has just shown who they are. Each of the tenants needs an email address.
func (s *Service) AskToEnd(ctx context.Context, by access.Actor, leaseID string, on clock.Date, reason string) error {
	if err := needOwner(by); err != nil {
		return err
	}
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		asked, err := s.tenantsOf(ctx, by, leaseID)
		if err != nil {
			return err
		}
		if err := s.mayAskToEnd(ctx, by, asked, on, reason); err != nil {
			return err
		}
		now := s.agreements.Moment(ctx, by.Portfolio)
		e := &EndingRequest{
			LeaseID: leaseID, CreatedAt: now, On: on, Reason: strings.TrimSpace(reason), Status: EndingOpen,
		}
		if err := s.store.AddEnding(ctx, by.Portfolio, e); err != nil {
			return err
		}
		note := evidence.Ending{On: on, By: agreement.Who(by), Reason: e.Reason}.Note()
		if err := s.noteOfLandlord(ctx, asked[0], evidence.EndingAsked, note, now); err != nil {
			return err
		}
		for _, o := range asked {
			if err := s.askToEnd(ctx, o, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// needOwner refuses to have somebody else than an owner ask whether a lease ends, or take that back.
func needOwner(by access.Actor) error {
	if by.Role != access.Owner {
		return fault.New(fault.ScopeRequired, "Owners of the account ask tenants to end a lease. Ask one of them.")
	}
	return by.Need(access.Write)
}

// tenantsOf are the signings of the tenants of a lease that was signed here, or fault.NotFound. They share its log.
func (s *Service) tenantsOf(ctx context.Context, by access.Actor, leaseID string) (tenants []*signing, err error) {
	all, err := s.States(ctx, by, leaseID)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if !rents(&all[i]) {
			continue
		}
		o, err := s.opened(ctx, all[i].ID)
		if err != nil {
			return nil, err
		}
		tenants = append(tenants, o)
	}
	if len(tenants) == 0 {
		return nil, fault.NotFound("lease that was signed here")
	}
	return tenants, nil
}

// rents reports whether a signer is a tenant, and neither the landlord nor a guarantor.
func rents(signer *agreement.SignerState) bool {
	return signer.TenantID != nil && signer.Role != string(portfolio.PartyGuarantor)
}

// mayAskToEnd refuses a request for what it asks, or for what the lease is.
func (s *Service) mayAskToEnd(
	ctx context.Context, by access.Actor, asked []*signing, on clock.Date, reason string,
) error {
	l, today := &asked[0].lease, s.Today(by)
	switch {
	case l.Status != portfolio.LeaseSigned || l.StartDate <= today:
		return fault.New(fault.InvalidTransition,
			"Only a lease that all have signed and that hasn’t started can end by agreement.")
	case on < today || on >= l.StartDate:
		return fault.New(
			fault.InvalidField,
			"must be today or later, and before the first day, %s.",
			l.StartDate,
		).At(
			"terminated_on",
		)
	}
	reason = strings.TrimSpace(reason)
	if reason == "" {
		return fault.New(fault.MissingField, "is required.").At("termination_reason")
	}
	if wrong := invalidReason(reason); wrong != "" {
		return fault.New(fault.InvalidField, "%s", wrong).At("termination_reason")
	}
	proved, err := s.agreements.ProvedAddresses(ctx, by.Portfolio, asked[0].document.ID)
	if err != nil {
		return err
	}
	for _, o := range asked {
		switch address, is := proved[o.signer.ID]; {
		case o.email == "":
			return fault.New(fault.InvalidTransition,
				"%s has no email address, so this lease can only end on paper.", o.signer.Name)
		case is && !strings.EqualFold(address, o.email): // whoever changes an address could agree in the tenant's name
			return fault.New(fault.InvalidTransition, "%s signed with another email address than the present one, so "+
				"this lease can only end on paper.", o.signer.Name)
		}
	}
	e, err := s.store.Ending(ctx, by.Portfolio, l.ID)
	switch {
	case fault.Is(err, fault.NoRecord):
		return nil
	case err != nil:
		return err
	case e.Status == EndingOpen:
		return fault.New(fault.InvalidTransition,
			"The tenants are asked already. Withdraw that request before you ask again.")
	}
	return nil
}

// mostReason is how long a reason to end a lease may be, or not to agree to that, in characters.
const mostReason = 500

// invalidReason is what is wrong with a reason, "" for nothing.
func invalidReason(reason string) string {
	switch n := utf8.RuneCountInString(reason); {
	case texts.Unreadable(reason, true):
		return fault.Invisible + "."
	case n > mostReason:
		return fault.Characters(n, nil, new(mostReason))
	}
	return ""
}

// noteOfLandlord writes an entry about the landlord into the log of a lease.
func (s *Service) noteOfLandlord(
	ctx context.Context, o *signing, kind evidence.Kind, words string, now clock.Time,
) error {
	return s.agreements.Note(ctx, o.in, &o.document, evidence.Entry{
		At: now, Kind: kind, Document: o.document.SHA256, Note: words,
	})
}

// askToEnd emails the link of a request to a tenant.
func (s *Service) askToEnd(ctx context.Context, o *signing, e *EndingRequest) error {
	if err := mail.SpareRecipient(ctx, s.store, o.in, o.email, clock.At(s.Now(o.in))); err != nil {
		return err
	}
	m, err := templates.Fill(o.language.Template("ending"), &mail.Message{
		AccountID: o.landlord.AccountID,
		Portfolio: o.in,
		About:     o.signer.ID,
		Request:   e.Number,
		To:        o.email,
		Subject: o.language.Say("Do you agree that the lease for ", "¿Acepta que el contrato de ") +
			o.lease.RentalAddress + o.language.Say(" ends?", " termine?"),
	}, struct {
		endedMail
		Link string
	}{endedMail{
		Name: o.signer.Name, Landlord: o.landlord.Name, Address: o.lease.RentalAddress, Reason: e.Reason, On: e.On,
	}, o.language.Link(s.BaseURL + "/ending/" + s.agreements.EndingToken(&o.signer, e.Number, o.email))})
	if err != nil {
		return err
	}
	return s.afresh(ctx, o, func(o *signing) error { return s.email(ctx, o, evidence.EndingMail, m, Client{}) })
}

// afresh does something with a signing as it is now: another one may have written to the same log.
func (s *Service) afresh(ctx context.Context, o *signing, do func(*signing) error) error {
	now, err := s.opened(ctx, o.signer.ID)
	if err != nil {
		return err
	}
	return do(now)
}

// WithdrawEnding takes back the open request to agree to the end of a lease, as an owner wants. Its links end. One that
// was withdrawn stays so; another one that is over is fault.InvalidTransition.
func (s *Service) WithdrawEnding(ctx context.Context, by access.Actor, leaseID string) error {
	if err := needOwner(by); err != nil {
		return err
	}
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		asked, err := s.tenantsOf(ctx, by, leaseID)
		if err != nil {
			return err
		}
		e, err := s.store.Ending(ctx, by.Portfolio, leaseID)
		e.derive(&asked[0].lease, s.Today(by))
		switch {
		case err != nil:
			return err
		case e.Status == EndingWithdrawn:
			return nil
		case e.Status != EndingOpen:
			return fault.New(fault.InvalidTransition, "The request is %s.", e.Status)
		}
		e.Status = EndingWithdrawn
		if err := s.store.CloseEnding(ctx, by.Portfolio, &e); err != nil {
			return err
		}
		return s.noteOfLandlord(ctx, asked[0], evidence.EndingWithdrawn, agreement.Who(by),
			s.agreements.Moment(ctx, by.Portfolio))
	})
}

// EndingOf is the latest request to agree to the end of a lease, nil for none, with the names of its tenants by their
// signer.
func (s *Service) EndingOf(
	ctx context.Context, by access.Actor, l *portfolio.Lease,
) (e *EndingRequest, tenants []agreement.SignerState, err error) {
	found, err := s.store.Ending(ctx, by.Portfolio, l.ID)
	if fault.Is(err, fault.NoRecord) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	all, err := s.States(ctx, by, l.ID)
	for i := range all {
		if rents(&all[i]) {
			tenants = append(tenants, all[i])
		}
	}
	found.derive(l, s.Today(by))
	return &found, tenants, err
}

// Unreachable are the tenants of a lease who have no email address, and cannot be asked by email.
func (s *Service) Unreachable(ctx context.Context, by access.Actor, leaseID string) (names []string, err error) {
	asked, err := s.tenantsOf(ctx, by, leaseID)
	for _, o := range asked {
		if o.email == "" {
			names = append(names, o.signer.Name)
		}
	}
	return names, err
}

// EndingPage is what the link of a tenant shows who is asked to agree to the end of a lease.
type EndingPage struct {
	Request  EndingRequest
	Answer   *EndingAnswer // of this tenant, nil for none yet
	Landlord string
	Address  string
	Starts   clock.Date
	Name     string // of the tenant, as the lease has it
	Email    string // with all but its ends left out
	Language language.Language
}

// EndingPage is what a link shows. It records nothing: mail programs look behind links too.
func (s *Service) EndingPage(ctx context.Context, token string) (*EndingPage, error) {
	o, e, err := s.openEnding(ctx, token)
	if err != nil {
		return nil, err
	}
	return &EndingPage{
		Request:  *e,
		Answer:   e.of(o.signer.ID),
		Landlord: o.landlord.Name,
		Address:  o.lease.RentalAddress,
		Starts:   o.lease.StartDate,
		Name:     o.signer.Name,
		Email:    onetimecode.Masked(o.email),
		Language: o.language,
	}, nil
}

// openEnding finds what a link opens, fault.NotFound where nobody of ours has made it, or another request followed.
func (s *Service) openEnding(ctx context.Context, token string) (*signing, *EndingRequest, error) {
	signerID := s.agreements.SignerOf(token)
	if signerID == "" {
		return nil, nil, fault.NotFound("request")
	}
	o, err := s.opened(ctx, signerID)
	if err != nil {
		return nil, nil, err
	}
	e, err := s.store.Ending(ctx, o.in, o.lease.ID)
	if err == nil && !s.agreements.OpensEnding(token, &o.signer, e.Number, o.email) {
		err = fault.NotFound("request")
	}
	if err != nil {
		return nil, nil, err
	}
	e.derive(&o.lease, s.Today(o.by))
	return o, &e, nil
}

// answering is a step of a tenant who is asked, while nobody else writes to the portfolio. Who has answered, and a
// request that is closed, changes nothing any more: the page says how it is. Emails that follow are in the language of
// the page.
func (s *Service) answering(
	ctx context.Context,
	token string,
	chosen language.Language,
	step func(ctx context.Context, o *signing, e *EndingRequest, now clock.Time) error,
) error {
	o, _, err := s.openEnding(ctx, token)
	if err != nil {
		return err
	}
	return s.Tx.Exclusively(ctx, o.in, func(ctx context.Context) error {
		o, e, err := s.openEnding(ctx, token)
		if err != nil || e.Status != EndingOpen || e.of(o.signer.ID) != nil {
			return err
		}
		if err := s.keepLanguage(ctx, o, chosen); err != nil {
			return err
		}
		return step(ctx, o, e, s.agreements.Moment(ctx, o.in))
	})
}

// endingCodes are the codes with which a request is answered: one that signs the lease, or answers another request,
// does not.
func (s *Service) endingCodes(e *EndingRequest) *onetimecode.Codes {
	return onetimecode.New(s.store, s.box, "code to answer the request "+strconv.Itoa(e.Number)+" to end a lease")
}

// SendEndingCode sends the code with which a tenant answers.
func (s *Service) SendEndingCode(ctx context.Context, token string, from Client) error {
	return s.answering(ctx, token, from.Language, func(
		ctx context.Context, o *signing, e *EndingRequest, now clock.Time,
	) error {
		code, err := s.endingCodes(e).Make(ctx, o.owner(), now)
		if err != nil {
			return err
		}
		m, err := templates.Fill(o.language.Template("endingcode"), &mail.Message{
			AccountID: o.landlord.AccountID,
			Portfolio: o.in,
			About:     o.signer.ID,
			Request:   e.Number,
			To:        o.email,
			Subject: o.language.Say(
				"Your code to answer about the lease for ",
				"Su código para responder sobre el contrato de ",
			) + o.lease.RentalAddress,
		}, struct{ Code, Name, Landlord, Address string }{code, o.signer.Name, o.landlord.Name, o.lease.RentalAddress})
		if err != nil {
			return err
		}
		return s.email(ctx, o, evidence.EndingCodeMail, m, from)
	})
}

// EndingReply is what a tenant answers.
type EndingReply struct {
	Agree  bool
	Code   string
	Name   string // as it was typed, of who agrees
	Reason string // of who does not
}

// AnswerEnding is the answer of a tenant, with the code that was sent. When all have agreed, the lease ends. Where it
// cannot end as it is, the last answer is fault.InvalidTransition and is not kept, and the owners are told why.
func (s *Service) AnswerEnding(ctx context.Context, token string, r EndingReply, from Client) error {
	o, e, err := s.openEnding(ctx, token)
	if err != nil || e.Status != EndingOpen || e.of(o.signer.ID) != nil {
		return err
	}
	r.Name, r.Reason = strings.TrimSpace(r.Name), strings.TrimSpace(r.Reason)
	switch {
	case r.Agree && !texts.SameName(r.Name, o.signer.Name):
		return fault.New(fault.InvalidField, "Type the name as the lease has it: %s.", o.signer.Name).At("name")
	case !r.Agree && r.Reason == "":
		return fault.New(fault.MissingField, "Say why you don’t agree.").At("reason")
	case utf8.RuneCountInString(r.Reason) > mostReason:
		return fault.New(fault.InvalidField, "Use at most %d characters.", mostReason).At("reason")
	case texts.Unreadable(r.Reason, true):
		return fault.New(fault.InvalidField, "Remove invisible characters.").At("reason")
	}
	mac, err := s.endingCodes(e).Try(ctx, o.owner(), r.Code, clock.At(s.Now(o.in)))
	if err != nil {
		return err
	}
	err = s.answering(ctx, token, from.Language, func(
		ctx context.Context, o *signing, e *EndingRequest, now clock.Time,
	) error {
		if err := s.endingCodes(e).Use(ctx, o.owner(), mac); err != nil {
			return err
		}
		if err := s.note(ctx, o, evidence.CodeGiven, o.email, now, from); err != nil {
			return err
		}
		a := EndingAnswer{SignerID: o.signer.ID, At: now, Agreed: r.Agree}
		kind, words := evidence.EndingAgreed, r.Name
		if !r.Agree {
			a.Reason, kind, words = r.Reason, evidence.EndingRefused, r.Reason
		}
		if err := s.store.AddEndingAnswer(ctx, o.in, e, &a); err != nil {
			return err
		}
		if err := s.note(ctx, o, kind, words, now, from); err != nil {
			return err
		}
		e.Answers = append(e.Answers, a)
		return s.followAnswer(ctx, o, e)
	})
	if refused, is := errors.AsType[cannotEnd](err); is && !fault.Is(refused, fault.Unavailable) {
		return s.tellCannotEnd(ctx, o, refused)
	}
	return err
}

// cannotEnd is why a lease that all tenants agreed to end cannot end as it is.
type cannotEnd struct{ why *fault.Error }

func (e cannotEnd) Error() string { return "end the lease that all agreed to end: " + e.why.Error() }

func (e cannotEnd) Unwrap() error { return e.why }

// tellCannotEnd tells the owners why a lease cannot end, which they alone can mend, once a day at most. The last answer
// was refused in a transaction of its own. The tenant is told that it does not count.
func (s *Service) tellCannotEnd(ctx context.Context, o *signing, refused cannotEnd) error {
	err := s.Tx.Exclusively(ctx, o.in, func(ctx context.Context) error {
		subject, now := "ending blocked "+o.lease.ID, clock.At(s.Now(o.in))
		wait, err := s.store.CountMail(ctx, subject, now, clock.Time(blockedMails.Milliseconds()), 1)
		if err != nil || wait > 0 {
			return err
		}
		return s.tellOwners(ctx, o, "endingblocked", "The lease for "+o.lease.RentalAddress+" can't end yet", struct {
			Name, Address, Link, Reason string
		}{
			o.signer.Name, o.lease.RentalAddress,
			s.BaseURL + "/" + string(o.in.Mode) + "/leases/" + o.lease.ID, refused.why.Message,
		})
	})
	if err != nil {
		return err
	}
	return fault.New(fault.InvalidTransition, "All tenants agree, but the lease can’t end yet: %s has to correct "+
		"something first, and was told what. Your answer wasn’t recorded. Answer again later.", o.landlord.Name).
		Because(refused)
}

// followAnswer closes a request that somebody refused, and ends the lease that all agreed to end.
func (s *Service) followAnswer(ctx context.Context, o *signing, e *EndingRequest) error {
	last := e.Answers[len(e.Answers)-1]
	if !last.Agreed {
		e.Status = EndingRefused
		if err := s.store.CloseEnding(ctx, o.in, e); err != nil {
			return err
		}
		return s.tellOwners(ctx, o, "endingrefused",
			o.signer.Name+" does not agree to end the lease for "+o.lease.RentalAddress,
			struct{ Name, Address, Reason string }{o.signer.Name, o.lease.RentalAddress, last.Reason})
	}
	tenants, err := s.tenantsOf(ctx, o.by, o.lease.ID)
	if err != nil || slices.ContainsFunc(tenants, func(t *signing) bool { return e.of(t.signer.ID) == nil }) {
		return err
	}
	e.Status = EndingAgreed
	if err := s.store.CloseEnding(ctx, o.in, e); err != nil {
		return err
	}
	today := s.Today(o.by)
	_, err = s.leases.UpdateLease(ctx, o.by, change.Target{ID: o.lease.ID}, lease.Update{
		Status:            change.To(portfolio.LeaseTerminated),
		TenantsAgreedOn:   change.To(today),
		TerminatedOn:      change.To(new(max(e.On, today))),
		TerminationReason: change.To(&e.Reason),
	})
	if refused, is := errors.AsType[*fault.Error](err); is {
		return cannotEnd{refused}
	}
	if err != nil {
		return err
	}
	return s.tellOwners(ctx, o, "endingagreed", "Ended by agreement: the lease for "+o.lease.RentalAddress,
		struct {
			Address string
			On      clock.Date
		}{o.lease.RentalAddress, max(e.On, today)})
}
