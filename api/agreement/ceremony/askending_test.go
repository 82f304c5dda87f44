package ceremony_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/mail"
	"portal/api/onetimecode"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// asks has the landlord ask the tenants of the lease that all have signed to end it in ten days.
func (f *fixture) asks() error {
	return f.AskToEnd(f.Context(), f.by, f.lease.ID, clock.DateOf(f.now, f.by.Zone).AddDays(10), " The house is sold. ")
}

var endingLink = regexp.MustCompile(baseURL + `/ending/(\S+)`)

// asked is the end of the link of the latest email that asks an address.
func (f *fixture) asked(to string) (token string) {
	f.Helper()
	for _, m := range f.mails {
		if found := endingLink.FindStringSubmatch(m.Text); found != nil && m.To == to {
			token = found[1]
		}
	}
	if token == "" {
		f.Fatalf("%s was not asked", to)
	}
	return token
}

// endingCode has a code sent to a tenant who is asked, and reads it.
func (f *fixture) endingCode(token string) string {
	f.Helper()
	f.ok(f.SendEndingCode(f.Context(), token, from))
	return sixDigits.FindString(f.mails[len(f.mails)-1].Text)
}

// latest is the latest email to an address.
func (f *fixture) latest(to string) mail.Message {
	f.Helper()
	for _, m := range slices.Backward(f.mails) {
		if m.To == to {
			return m
		}
	}
	f.Fatalf("%s got no email", to)
	return mail.Message{}
}

// wanted reports whether an email should still leave.
func (f *fixture) wanted(m mail.Message) (bool, error) { return f.MailWanted(f.Context(), &m) }

func (f *fixture) agrees(i int) {
	f.Helper()
	token := f.asked(f.address(i))
	f.ok(f.AnswerEnding(f.Context(), token, ceremony.EndingReply{
		Agree: true, Code: f.endingCode(token), Name: strings.ToUpper(f.name(i)),
	}, from))
}

// behind is the log from an entry of a kind on.
func (f *fixture) behind(kind string) string {
	f.Helper()
	_, log, _ := strings.Cut(f.log(), kind+", ")
	return log
}

func TestLeaseEndsWhenAllTenantsAgreeByEmail(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.executes()
		dbtest.Exec(t, f.db, "DELETE FROM payments")
		mails := len(f.mails)
		f.ok(f.asks())
		if told := f.mails[mails:]; len(told) != 2 || told[0].To != f.address(0) || told[1].To != f.address(1) ||
			!strings.Contains(told[0].Text, "The house is sold.") {
			f.Fatalf("%+v", told)
		}
		f.refused(f.asks(), fault.InvalidTransition, "") // pressed twice
		signer := f.lease.Signers[0].ID
		if wanted, err := f.wanted(f.latest(f.address(0))); err != nil || !wanted {
			f.Errorf("the email is not wanted: %v", err)
		}
		f.ok(f.MailFollowed(f.Context(), f.by.Portfolio, signer, mail.Followed{
			Topic: "ending", To: f.address(0), Status: mail.Sent, Words: "250 ok",
		}))
		f.ok(f.MailFollowed(f.Context(), f.by.Portfolio, f.lease.Signers[1].ID, mail.Followed{
			Topic: "ending", To: f.address(1), Status: mail.Failed, Words: "550 no",
		}))
		f.agrees(0)
		if l := f.reread(); l.Status != portfolio.LeaseSigned {
			f.Error(l.Status)
		}
		if wanted, err := f.wanted(f.latest(f.address(0))); err != nil || wanted {
			f.Errorf("an email to who has answered is wanted: %v", err)
		}
		mails = len(f.mails)
		f.agrees(1)
		l, today := f.reread(), clock.DateOf(f.now, f.by.Zone)
		if !l.NeverStarted() || *l.TerminatedOn != today.AddDays(10) || *l.Terms.TenantsAgreedOn != today ||
			*l.TerminationReason != "The house is sold." {
			f.Errorf("%s on %v: %v", l.Status, l.TerminatedOn, l.TerminationReason)
		}
		var told []string
		for _, m := range f.mails[mails+1:] { // behind the code
			told = append(told, m.To)
			if strings.Contains(m.Text, "on paper") {
				f.Error(m.Text)
			}
		}
		if got := strings.Join(told, " "); got != f.address(0)+" "+f.address(1)+" dana@example.com" {
			f.Error(got)
		}
		if log, want := f.behind("executed"), "ending_asked, mail_queued Sam Rivera, mail_queued Nguyễn Thảo, "+
			"mail_sent Sam Rivera, mail_failed Nguyễn Thảo, mail_queued Sam Rivera, code_given Sam Rivera, "+
			"ending_agreed Sam Rivera, mail_queued Nguyễn Thảo, code_given Nguyễn Thảo, ending_agreed Nguyễn Thảo, "+
			"ended"; log != want {
			f.Errorf("%s, want %s", log, want)
		}
		if notes := dbtest.Texts(f, f.db, "SELECT note FROM document_evidence WHERE kind = 'ended'"); len(notes) != 1 ||
			!strings.Contains(notes[0], "agreement of all tenants by email") {
			f.Errorf("%q", notes)
		}
		f.intact()
		p, err := f.EndingPage(f.Context(), f.asked(f.address(0)))
		f.ok(err)
		if p.Request.Status != ceremony.EndingAgreed || p.Answer == nil {
			f.Errorf("%+v", p)
		}
		e, err := f.agreements.Execution(f.Context(), *f.lease.DocumentID)
		f.ok(err)
		v, err := f.agreements.VerifyFile(f.Context(), e.Content)
		f.ok(err)
		if v.Finding != agreement.Genuine || v.EndedOn == nil || *v.EndedOn != today.AddDays(10) {
			f.Errorf("%+v", v)
		}
		// Who sends the form again changes nothing.
		f.ok(
			f.AnswerEnding(
				f.Context(),
				f.asked(f.address(0)),
				ceremony.EndingReply{Reason: "No.", Code: "000000"},
				from,
			),
		)
		f.intact()
	})
}

func TestRefusalLeavesLeaseAndTellsLandlord(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.executes()
		f.ok(f.asks())
		f.agrees(0)
		token := f.asked(f.address(1))
		reply := ceremony.EndingReply{Code: f.endingCode(token)}
		f.refused(f.AnswerEnding(f.Context(), token, reply, from), fault.MissingField, "reason")
		reply.Reason = strings.Repeat("x", 501)
		f.refused(f.AnswerEnding(f.Context(), token, reply, from), fault.InvalidField, "reason")
		reply.Reason = "We need\x07 the home."
		f.refused(f.AnswerEnding(f.Context(), token, reply, from), fault.InvalidField, "reason")
		reply.Reason = "We need the home."
		f.ok(f.AnswerEnding(f.Context(), token, reply, from))
		if m := f.mails[len(f.mails)-1]; m.To != "dana@example.com" || !strings.Contains(m.Text, "We need the home.") {
			f.Errorf("%s: %s", m.To, m.Text)
		}
		if l := f.reread(); l.Status != portfolio.LeaseSigned {
			f.Error(l.Status)
		}
		if log := f.log(); !strings.HasSuffix(log, "ending_refused Nguyễn Thảo") {
			f.Error(log)
		}
		f.intact()
		f.ok(f.asks()) // again: the links before have ended
		if _, err := f.EndingPage(f.Context(), token); !fault.Is(err, fault.NoRecord) {
			f.Errorf("an earlier link still opens: %v", err)
		}
		f.agrees(0)
		f.agrees(1)
		if l := f.reread(); !l.NeverStarted() {
			f.Error(l.Status)
		}
	})
}

func TestRequestToEndLeaseIsWithdrawnAndEndsWithItsStart(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.executes()
		f.ok(f.asks())
		token := f.asked(f.address(0))
		code := f.endingCode(token)
		f.ok(f.WithdrawEnding(f.Context(), f.by, f.lease.ID))
		f.ok(f.WithdrawEnding(f.Context(), f.by, f.lease.ID))
		standing := func(token string, want ceremony.EndingStatus) {
			f.Helper()
			p, err := f.EndingPage(f.Context(), token)
			f.ok(err)
			if p.Request.Status != want || p.Answer != nil {
				f.Errorf("%+v, want %s", p, want)
			}
		}
		standing(token, ceremony.EndingWithdrawn)
		f.ok(f.AnswerEnding(f.Context(), token, ceremony.EndingReply{Agree: true, Code: code, Name: f.name(0)}, from))
		standing(token, ceremony.EndingWithdrawn)
		if log := f.log(); !strings.HasSuffix(log, "ending_withdrawn") {
			f.Error(log)
		}
		f.now = f.now.Add(2 * time.Hour) // or a code would be one too many
		f.ok(f.asks())
		token = f.asked(f.address(0))
		code = f.endingCode(token)
		f.now = f.lease.StartDate.Std().Add(12 * time.Hour)
		standing(token, ceremony.EndingOver)
		f.ok(f.AnswerEnding(f.Context(), token, ceremony.EndingReply{Agree: true, Code: code, Name: f.name(0)}, from))
		f.ok(f.rules.Calendar.RollOver(f.Context(), f.by.Portfolio, time.UTC))
		standing(token, ceremony.EndingOver)
		if l := f.reread(); l.Status != portfolio.LeaseActive {
			f.Error(l.Status)
		}
		f.intact()
	})
}

func TestRequestToEndLeaseIsRefused(t *testing.T) {
	onEach(t, func(f *fixture) {
		ask := func(by access.Actor, on clock.Date, reason string) error {
			return f.AskToEnd(f.Context(), by, f.lease.ID, on, reason)
		}
		today := clock.DateOf(f.now, f.by.Zone)
		f.refused(ask(f.by, today, "Sold."), fault.InvalidTransition, "") // not signed
		f.executes()
		reader, manager, other := f.by, f.by, f.by
		reader.Scopes, manager.Role = access.Scopes{access.Read}, access.Manager
		home := dbtest.NewHome(t, f.db, "max")
		other.Portfolio, other.AccountID = home.Live, home.AccountID
		f.refused(ask(reader, today, "Sold."), fault.ScopeRequired, "")
		f.refused(ask(manager, today, "Sold."), fault.ScopeRequired, "")
		f.refused(f.WithdrawEnding(f.Context(), manager, f.lease.ID), fault.ScopeRequired, "")
		f.refused(ask(other, today, "Sold."), fault.NoRecord, "")
		f.refused(ask(f.by, today-1, "Sold."), fault.InvalidField, "terminated_on")
		f.refused(ask(f.by, f.lease.StartDate, "Sold."), fault.InvalidField, "terminated_on")
		f.refused(ask(f.by, today, " "), fault.MissingField, "termination_reason")
		for _, reason := range []string{strings.Repeat("ñ", 501), "So\x00ld.", "So\x1bld.", "So\xffld."} {
			f.refused(ask(f.by, today, reason), fault.InvalidField, "termination_reason")
		}
		update := func(u lease.TenantUpdate) {
			f.Helper()
			_, err := f.rules.Tenants.UpdateTenant(
				f.Context(),
				f.by,
				change.Target{ID: *f.lease.Signers[1].TenantID},
				u,
			)
			f.ok(err)
		}
		signed := f.address(1)
		update(lease.TenantUpdate{Email: change.To[*string](nil)})
		err := ask(f.by, today, "Sold.")
		f.refused(err, fault.InvalidTransition, "")
		if names, e := f.Unreachable(f.Context(), f.by, f.lease.ID); e != nil || len(names) != 1 ||
			!strings.Contains(err.Error(), "can only end on paper") {
			f.Errorf("%v, %v, %v", err, names, e)
		}
		f.refused(f.WithdrawEnding(f.Context(), f.by, f.lease.ID), fault.NoRecord, "")
		if log := f.behind("executed"); log != "address_changed Nguyễn Thảo" {
			f.Error(log)
		}
		// Whoever changes the address of a tenant does not agree in the tenant's name.
		update(lease.TenantUpdate{Email: change.To(new("new@example.com"))})
		err = ask(f.by, today, "Sold.")
		if f.refused(err, fault.InvalidTransition, ""); !strings.Contains(err.Error(), "another email address") {
			f.Error(err)
		}
		update(lease.TenantUpdate{Email: change.To(&signed)})
		f.ok(ask(f.by, today, " "+strings.Repeat("ñ", 500)+"\n"))
		f.refused(f.WithdrawEnding(f.Context(), other, f.lease.ID), fault.NoRecord, "")
		// A link holds for the address that it went to, for one tenant, and with a code.
		token := f.asked(signed)
		for what, wrong := range map[string]string{
			"another tenant's":    f.lease.Signers[0].ID + token[strings.Index(token, "."):],
			"a signing link":      f.token(1),
			"no signature":        f.lease.Signers[1].ID,
			"a changed signature": token[:len(token)-2],
		} {
			if _, err := f.EndingPage(f.Context(), wrong); !fault.Is(err, fault.NoRecord) {
				f.Errorf("%s: %v", what, err)
			}
		}
		agree := ceremony.EndingReply{Agree: true, Code: "000000", Name: f.name(1)}
		f.refused(f.AnswerEnding(f.Context(), token, agree, from), fault.InvalidField, "code")
		agree.Code, agree.Name = f.endingCode(token), "Somebody Else"
		f.refused(f.AnswerEnding(f.Context(), token, agree, from), fault.InvalidField, "name")
		update(lease.TenantUpdate{Email: change.To(new("newer@example.com"))})
		if _, err := f.EndingPage(f.Context(), token); !fault.Is(err, fault.NoRecord) {
			f.Errorf("the link to an earlier address opens: %v", err)
		}
	})
}

func TestOnlyCodeOfRequestItselfAnswersIt(t *testing.T) {
	onEach(t, func(f *fixture) {
		unused := f.code(0)
		if n := dbtest.Texts(f, f.db, "SELECT CAST(count(*) AS TEXT) FROM signing_codes")[0]; n != "1" {
			f.Fatalf("%s codes", n)
		}
		codes := dbtest.Texts(f, f.db, "SELECT mac FROM signing_codes")
		for i := range 3 {
			f.ok(f.records(i, scanned(f.name(i))))
		}
		if n := dbtest.Texts(f, f.db, "SELECT CAST(count(*) AS TEXT) FROM signing_codes")[0]; n != "0" {
			f.Errorf("%s codes of who has signed on paper", n)
		}
		f.ok(f.asks())
		answer := func(code string) error {
			return f.AnswerEnding(f.Context(), f.asked(f.address(0)), ceremony.EndingReply{
				Agree: true, Code: code, Name: f.name(0),
			}, from)
		}
		f.refused(answer(unused), fault.InvalidField, "code")
		put := func(mac string) {
			f.ok(portfoliostore.New(f.db).PutCode(f.Context(), f.by.Portfolio, onetimecode.Code{
				Subject: f.lease.Signers[0].ID, MAC: mac, ExpiresAt: clock.At(f.now.Add(time.Minute)), Tries: 5,
			}))
		}
		put(codes[0]) // as if it had stayed
		f.refused(answer(unused), fault.InvalidField, "code")
		first := f.endingCode(f.asked(f.address(0)))
		kept := dbtest.Texts(f, f.db, "SELECT mac FROM signing_codes")[0]
		f.ok(f.WithdrawEnding(f.Context(), f.by, f.lease.ID))
		f.ok(f.asks())
		f.refused(answer(first), fault.InvalidField, "code")
		put(kept)
		f.refused(answer(first), fault.InvalidField, "code")
		f.agrees(0)
		f.intact()
	})
}

func TestLinkToAnswerStaysEndedWhenAddressChangesBack(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.executes()
		f.ok(f.asks())
		token := f.asked(f.address(0))
		code := f.endingCode(token)
		for _, to := range []string{"other@example.com", f.address(0)} {
			_, err := f.rules.Tenants.UpdateTenant(f.Context(), f.by, change.Target{ID: *f.lease.Signers[0].TenantID},
				lease.TenantUpdate{Email: change.To(&to)})
			f.ok(err)
			if _, err := f.EndingPage(f.Context(), token); !fault.Is(err, fault.NoRecord) {
				f.Errorf("with the address %s the earlier link opens: %v", to, err)
			}
		}
		f.refused(f.AnswerEnding(f.Context(), token, ceremony.EndingReply{
			Agree: true, Code: code, Name: f.name(0),
		}, from), fault.NoRecord, "")
		f.ok(f.WithdrawEnding(f.Context(), f.by, f.lease.ID))
		f.ok(f.asks())
		f.agrees(0)
		f.agrees(1)
		if l := f.reread(); !l.NeverStarted() {
			f.Error(l.Status)
		}
		f.intact()
	})
}

func TestEmailOfWithdrawnRequestDoesNotLeave(t *testing.T) {
	onEach(t, func(f *fixture) {
		unsent := f.code(0)
		signing := f.latest(f.address(0))
		if !strings.Contains(signing.Text, unsent) {
			f.Fatal(signing.Text)
		}
		for i := range 3 {
			f.ok(f.records(i, scanned(f.name(i))))
		}
		f.ok(f.asks())
		link := f.latest(f.address(0))
		f.endingCode(f.asked(f.address(0)))
		code := f.latest(f.address(0))
		wants := func(what string, m mail.Message, want bool) {
			f.Helper()
			if wanted, err := f.wanted(m); err != nil || wanted != want {
				f.Errorf("%s is wanted: %t, %v", what, wanted, err)
			}
		}
		wants("the code to sign", signing, false)
		wants("the link", link, true)
		wants("the code", code, true)
		f.ok(f.WithdrawEnding(f.Context(), f.by, f.lease.ID))
		wants("the link of the withdrawn request", link, false)
		f.ok(f.asks())
		wants("the link of the earlier request", link, false)
		wants("the code of the earlier request", code, false)
		wants("the link of the new request", f.latest(f.address(0)), true)
	})
}

func TestOnlyOpenRequestIsWithdrawn(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(f *fixture)
		want ceremony.EndingStatus
	}{
		"agreed": {func(f *fixture) {
			f.agrees(0)
			f.agrees(1)
		}, ceremony.EndingAgreed},
		"refused": {func(f *fixture) {
			token := f.asked(f.address(0))
			f.ok(f.AnswerEnding(f.Context(), token, ceremony.EndingReply{
				Code: f.endingCode(token), Reason: "No.",
			}, from))
		}, ceremony.EndingRefused},
		"ended on paper": {func(f *fixture) {
			_, err := f.rules.Leases.UpdateLease(f.Context(), f.by, change.Target{ID: f.lease.ID}, lease.Update{
				Status:            change.To(portfolio.LeaseTerminated),
				TenantsAgreedOn:   change.To(clock.DateOf(f.now, f.by.Zone)),
				TerminationReason: change.To(new("On paper.")),
			})
			f.ok(err)
		}, ceremony.EndingOver},
		"on the first day": {func(f *fixture) {
			f.now = f.lease.StartDate.Std().Add(12 * time.Hour)
		}, ceremony.EndingOver},
		"started": {func(f *fixture) {
			f.now = f.lease.StartDate.Std().Add(12 * time.Hour)
			f.ok(f.rules.Calendar.RollOver(f.Context(), f.by.Portfolio, time.UTC))
		}, ceremony.EndingOver},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(f *fixture) {
				f.executes()
				f.ok(f.asks())
				c.end(f)
				log := f.log()
				f.refused(f.WithdrawEnding(f.Context(), f.by, f.lease.ID), fault.InvalidTransition, "")
				e, _, err := f.EndingOf(f.Context(), f.by, f.reread())
				if f.ok(err); e.Status != c.want || f.log() != log {
					f.Errorf("%s, want %s; the log is %s", e.Status, c.want, f.log())
				}
			})
		})
	}
}

func TestLastAnswerIsRefusedWholeWhileLeaseCannotEnd(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.executes()
		f.ok(f.asks())
		f.agrees(0)
		end := dbtest.Texts(f, f.db, "SELECT CAST(end_date AS TEXT) FROM leases")[0]
		dbtest.Exec(t, f.db, "UPDATE leases SET end_date = NULL") // which a lease of its type has: it cannot change
		token := f.asked(f.address(1))
		reply := ceremony.EndingReply{Agree: true, Code: f.endingCode(token), Name: f.name(1)}
		log, mails := f.log(), len(f.mails)
		for range 2 {
			err := f.AnswerEnding(f.Context(), token, reply, from)
			f.refused(err, fault.InvalidTransition, "")
			if said := fault.From(err).Message; !strings.Contains(said, "Your answer wasn’t recorded") ||
				strings.Contains(said, "end_date") {
				f.Error(said)
			}
		}
		told := f.mails[mails:]
		if len(told) != 1 || told[0].To != "dana@example.com" || !strings.Contains(told[0].Subject, "can't end yet") ||
			!strings.Contains(told[0].Text, "end_date") {
			f.Errorf("%+v", told)
		}
		p, err := f.EndingPage(f.Context(), token)
		f.ok(err)
		if l := f.reread(); l.Status != portfolio.LeaseSigned || p.Answer != nil || len(p.Request.Answers) != 1 ||
			p.Request.Status != ceremony.EndingOpen || f.log() != log {
			f.Errorf("%s, %+v, %s", l.Status, p, f.log())
		}
		f.intact()
		dbtest.Exec(t, f.db, "UPDATE leases SET end_date = "+end)
		f.ok(f.AnswerEnding(f.Context(), token, reply, from)) // with the same code
		if l := f.reread(); !l.NeverStarted() {
			f.Error(l.Status)
		}
		f.intact()
	})
}

// The last two tenants agree at once while the landlord ends the lease on paper: it ends once.
func TestLeaseEndsOnceWhateverHappensAtOnce(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.executes()
		f.ok(f.asks())
		var all sync.WaitGroup
		failed := make([]error, 3)
		for i := range 2 {
			token := f.asked(f.address(i))
			code := f.endingCode(token)
			all.Go(func() {
				failed[i] = f.AnswerEnding(
					f.Context(),
					token,
					ceremony.EndingReply{Agree: true, Code: code, Name: f.name(i)},
					from,
				)
			})
		}
		all.Go(func() {
			_, err := f.rules.Leases.UpdateLease(f.Context(), f.by, change.Target{ID: f.lease.ID}, lease.Update{
				Status:            change.To(portfolio.LeaseTerminated),
				TenantsAgreedOn:   change.To(clock.DateOf(f.now, f.by.Zone)),
				TerminationReason: change.To(new("On paper.")),
			})
			if !fault.Is(err, fault.InvalidField) && !fault.Is(err, fault.InvalidTransition) { // it has ended by then
				failed[2] = err
			}
		})
		all.Wait()
		f.ok(errors.Join(failed...))
		if n := strings.Count(f.log(), "ended"); n != 1 || !f.reread().NeverStarted() {
			f.Errorf("it has ended %d times: %s", n, f.log())
		}
		f.intact()
	})
}
