package dbtest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/mail"
)

var mails = []promise{
	{"AMailIsReadAsItWasWritten", aMailIsReadAsItWasWritten},
	{"MailsAreListedTheNewestFirst", mailsAreListedTheNewestFirst},
	{"OfClaimsAtOnceOneGetsTheMail", ofClaimsAtOnceOneGetsTheMail},
	{"AClaimEndsByItself", aClaimEndsByItself},
	{"WhatIsDoneWithIsNotClaimedOrNotedAgain", whatIsDoneWithIsNotClaimedOrNotedAgain},
	{"TheContentOfOldMailsIsForgotten", theContentOfOldMailsIsForgotten},
}

// queued adds a mail that waits.
func (r *rig) queued(at time.Time) mail.Entry {
	r.Helper()
	e := mail.Entry{ID: id.New(id.Mail, at), Mode: access.Live, Status: mail.Queued, To: "sam@example.com", Subject: "Apply now", CreatedAt: clock.At(at), Sealed: []byte{1, 0, 2}}
	r.ok(r.AddMail(r.Context(), &e))
	return e
}

func (r *rig) mail(id string) mail.Entry {
	r.Helper()
	e, err := r.Mail(r.Context(), id)
	r.ok(err)
	return e
}

func aMailIsReadAsItWasWritten(r *rig) {
	l := r.landlord("dana")
	for seed, nulls := range []float64{0, 1, 0.5, 0.5} {
		var e mail.Entry
		(&filler{rand.New(rand.NewPCG(31, uint64(seed))), nulls}).fill(&e)
		e.ID = id.New(id.Mail, noon)
		point(e.AccountID, l.account.ID)
		if e.PortfolioID != nil {
			*e.PortfolioID = l.live.ID
		}
		e.Sealed = bytes.Repeat([]byte{0, 255}, seed+1)
		r.ok(r.AddMail(r.Context(), &e))
		r.same(r.mail(e.ID), e)
	}
	_, err := r.Mail(r.Context(), id.New(id.Mail, noon))
	r.want(fault.Is(err, fault.NoRecord), "a mail that is not there: %v", err)
}

func mailsAreListedTheNewestFirst(r *rig) {
	dana, robin := r.landlord("dana"), r.landlord("robin")
	var all []string
	for n := range 12 {
		e := mail.Entry{ID: id.New(id.Mail, noon.Add(time.Duration(n)*time.Millisecond)), Mode: access.Live, To: "sam@example.com",
			Subject: fmt.Sprint(n), Status: []mail.Status{mail.Kept, mail.Sent}[n%2], Sealed: []byte("sealed")}
		e.AccountID = []*string{&dana.account.ID, &robin.account.ID, nil}[n%3]
		r.ok(r.AddMail(r.Context(), &e))
		all = append(all, e.ID)
	}
	slices.Reverse(all)
	for _, c := range []struct {
		mail.Filter
		want []string
	}{
		{mail.Filter{Limit: 20}, all},
		{mail.Filter{Limit: 5}, all[:5]},
		{mail.Filter{Limit: 5, Before: all[4]}, all[5:10]},
		{mail.Filter{Limit: 5, Before: all[11]}, nil},
		{mail.Filter{Limit: 20, AccountID: dana.account.ID}, []string{all[2], all[5], all[8], all[11]}},
		{mail.Filter{Limit: 20, AccountID: dana.account.ID, Status: mail.Kept}, []string{all[5], all[11]}},
		{mail.Filter{Limit: 2, Status: mail.Sent, Before: all[0]}, []string{all[2], all[4]}},
	} {
		mails, err := r.Mails(r.Context(), c.Filter)
		r.ok(err)
		var got []string
		for _, m := range mails {
			got = append(got, m.ID)
			r.want(m.Sealed == nil, "a list shows contents")
		}
		r.same(got, c.want)
	}
}

func ofClaimsAtOnceOneGetsTheMail(r *rig) {
	e := r.queued(noon)
	other := r.queued(noon)
	var claims atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			claimed, err := r.ClaimMail(r.Context(), e.ID, clock.At(noon), clock.At(noon)+1000)
			if err != nil {
				r.Error(err)
			}
			if claimed {
				claims.Add(1)
			}
		})
	}
	all.Wait()
	r.want(claims.Load() == 1, "%d got it", claims.Load())
	e.Attempts, e.ClaimedUntil = 1, new(clock.At(noon)+1000)
	r.same(r.mail(e.ID), e)
	r.same(r.mail(other.ID), other)
}

func aClaimEndsByItself(r *rig) {
	e, now := r.queued(noon), clock.At(noon)
	for _, step := range []struct {
		at   clock.Time
		gets bool
	}{{now, true}, {now + 999, false}, {now + 1000, true}, {now + 1999, false}, {now + 5000, true}} {
		gets, err := r.ClaimMail(r.Context(), e.ID, step.at, step.at+1000)
		r.ok(err)
		r.want(gets == step.gets, "at %d: %v", step.at-now, gets)
	}
	r.same(r.mail(e.ID).Attempts, 3)
	noted, err := r.NoteMail(r.Context(), e.ID, mail.Note{Status: mail.Queued, Error: new("busy")})
	r.ok(err)
	r.want(noted, "a claim did not end")
	got := r.mail(e.ID)
	r.same([]any{got.Status, got.LastError, got.ClaimedUntil}, []any{mail.Queued, new("busy"), (*clock.Time)(nil)})
	gets, err := r.ClaimMail(r.Context(), e.ID, now, now+1)
	r.ok(err)
	r.want(gets, "a mail whose claim ended is not to be had")
}

func whatIsDoneWithIsNotClaimedOrNotedAgain(r *rig) {
	now := clock.At(noon)
	for _, end := range []mail.Note{{Status: mail.Sent, SentAt: &now}, {Status: mail.Failed, Error: new("no such user")}, {Status: mail.Kept}} {
		e := r.queued(noon)
		noted, err := r.NoteMail(r.Context(), e.ID, end)
		r.ok(err)
		r.want(noted, "%s was not noted", end.Status)
		gets, err := r.ClaimMail(r.Context(), e.ID, now, now+1000)
		r.ok(err)
		r.want(!gets, "what is %s is to be had", end.Status)
		noted, err = r.NoteMail(r.Context(), e.ID, mail.Note{Status: mail.Queued})
		r.ok(err)
		r.want(!noted, "what is %s was noted again", end.Status)
		e.Status, e.LastError, e.SentAt = end.Status, end.Error, end.SentAt
		r.same(r.mail(e.ID), e)
	}
	noted, err := r.NoteMail(r.Context(), "mail_absent", mail.Note{Status: mail.Sent})
	r.ok(err)
	r.want(!noted, "a mail that is not there was noted")
}

func theContentOfOldMailsIsForgotten(r *rig) {
	limit := noon.AddDate(0, 0, -90)
	var old, kept []string
	for n := range 5 {
		e := r.queued(limit.Add(-time.Duration(n+1) * time.Millisecond))
		_, err := r.NoteMail(r.Context(), e.ID, mail.Note{Status: mail.Sent})
		r.ok(err)
		old = append(old, e.ID)
	}
	kept = append(kept, r.queued(limit.Add(-time.Hour)).ID) // it waits still
	young := r.queued(limit)
	_, err := r.NoteMail(r.Context(), young.ID, mail.Note{Status: mail.Sent})
	r.ok(err)
	kept = append(kept, young.ID)
	for _, want := range []int64{3, 2, 0} {
		n, err := r.ForgetMails(r.Context(), clock.At(limit), 3)
		r.ok(err)
		r.want(n == want, "%d were forgotten, not %d", n, want)
	}
	for _, id := range old {
		e := r.mail(id)
		r.want(e.Sealed == nil && e.To != "", "%s: %v", id, e)
	}
	for _, id := range kept {
		r.want(r.mail(id).Sealed != nil, "%s was forgotten", id)
	}
}
