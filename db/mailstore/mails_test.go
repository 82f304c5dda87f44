package mailstore_test

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
	"portal/db/dbtest"
)

var mails = []promise{
	{"AMailIsReadAsItWasWritten", aMailIsReadAsItWasWritten},
	{"MailsAreListedInEitherOrder", mailsAreListedInEitherOrder},
	{"OfClaimsAtOnceOneGetsTheMail", ofClaimsAtOnceOneGetsTheMail},
	{"AClaimEndsByItself", aClaimEndsByItself},
	{"WhatIsDoneWithIsNotClaimedOrNotedAgain", whatIsDoneWithIsNotClaimedOrNotedAgain},
	{"TheContentOfOldMailsIsForgotten", theContentOfOldMailsIsForgotten},
}

// queued adds a mail that waits.
func (r *fixture) queued(at time.Time) mail.Entry {
	r.Helper()
	e := mail.Entry{
		ID:        id.New(id.Mail, at),
		Mode:      access.Live,
		Status:    mail.Queued,
		To:        "sam@example.com",
		Subject:   "Apply now",
		CreatedAt: clock.At(at),
		Sealed:    []byte{1, 0, 2},
	}
	r.OK(r.Mails.AddMail(r.Context(), &e))
	return e
}

func (r *fixture) mail(id string) mail.Entry {
	r.Helper()
	e, err := r.Mails.Mail(r.Context(), id)
	r.OK(err)
	return e
}

func aMailIsReadAsItWasWritten(r *fixture) {
	l := r.Landlord("dana")
	for seed, nulls := range []float64{0, 1, 0.5, 0.5} {
		var e mail.Entry
		(dbtest.NewFiller(rand.New(rand.NewPCG(31, uint64(seed))), nulls)).Fill(&e)
		e.ID = id.New(id.Mail, dbtest.Now)
		dbtest.Point(e.AccountID, l.Account.ID)
		if e.PortfolioID != nil {
			*e.PortfolioID = l.Live.ID
		}
		e.Sealed = bytes.Repeat([]byte{0, 255}, seed+1)
		r.OK(r.Mails.AddMail(r.Context(), &e))
		r.Same(r.mail(e.ID), e)
	}
	_, err := r.Mails.Mail(r.Context(), id.New(id.Mail, dbtest.Now))
	r.Want(fault.Is(err, fault.NoRecord), "a mail that is not there: %v", err)
}

func mailsAreListedInEitherOrder(r *fixture) {
	dana, robin := r.Landlord("dana"), r.Landlord("robin")
	var all []string
	for n := range 12 {
		e := mail.Entry{
			ID:      id.New(id.Mail, dbtest.Now.Add(time.Duration(n)*time.Millisecond)),
			Mode:    access.Live,
			To:      "sam@example.com",
			Subject: fmt.Sprint(n),
			Status:  []mail.Status{mail.Kept, mail.Sent}[n%2],
			Sealed:  []byte("sealed"),
		}
		e.AccountID = []*string{&dana.Account.ID, &robin.Account.ID, nil}[n%3]
		r.OK(r.Mails.AddMail(r.Context(), &e))
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
		{mail.Filter{Limit: 20, AccountID: dana.Account.ID}, []string{all[2], all[5], all[8], all[11]}},
		{mail.Filter{Limit: 20, AccountID: dana.Account.ID, Status: mail.Kept}, []string{all[5], all[11]}},
		{mail.Filter{Limit: 2, Status: mail.Sent, Before: all[0]}, []string{all[2], all[4]}},
		{mail.Filter{Limit: 3, Ascending: true}, []string{all[11], all[10], all[9]}},
		{mail.Filter{Limit: 2, Ascending: true, Before: all[9]}, []string{all[8], all[7]}},
		{mail.Filter{Limit: 5, Ascending: true, Before: all[0]}, nil},
		{mail.Filter{Limit: 2, Ascending: true, Status: mail.Sent, Before: all[4]}, []string{all[2], all[0]}},
	} {
		mails, err := r.Mails.Mails(r.Context(), c.Filter)
		r.OK(err)
		var got []string
		for _, m := range mails {
			got = append(got, m.ID)
			r.Want(m.Sealed == nil, "a list shows contents")
		}
		r.Same(got, c.want)
	}
}

func ofClaimsAtOnceOneGetsTheMail(r *fixture) {
	e := r.queued(dbtest.Now)
	other := r.queued(dbtest.Now)
	var claims atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			claimed, err := r.Mails.ClaimMail(r.Context(), e.ID, clock.At(dbtest.Now), clock.At(dbtest.Now)+1000)
			if err != nil {
				r.Error(err)
			}
			if claimed {
				claims.Add(1)
			}
		})
	}
	all.Wait()
	r.Want(claims.Load() == 1, "%d got it", claims.Load())
	e.Attempts, e.ClaimedUntil = 1, new(clock.At(dbtest.Now)+1000)
	r.Same(r.mail(e.ID), e)
	r.Same(r.mail(other.ID), other)
}

func aClaimEndsByItself(r *fixture) {
	e, now := r.queued(dbtest.Now), clock.At(dbtest.Now)
	for _, step := range []struct {
		at   clock.Time
		gets bool
	}{{now, true}, {now + 999, false}, {now + 1000, true}, {now + 1999, false}, {now + 5000, true}} {
		gets, err := r.Mails.ClaimMail(r.Context(), e.ID, step.at, step.at+1000)
		r.OK(err)
		r.Want(gets == step.gets, "at %d: %v", step.at-now, gets)
	}
	r.Same(r.mail(e.ID).Attempts, 3)
	noted, err := r.Mails.NoteMail(r.Context(), e.ID, mail.Note{Status: mail.Queued, Error: new("busy")})
	r.OK(err)
	r.Want(noted, "a claim did not end")
	got := r.mail(e.ID)
	r.Same([]any{got.Status, got.LastError, got.ClaimedUntil}, []any{mail.Queued, new("busy"), (*clock.Time)(nil)})
	gets, err := r.Mails.ClaimMail(r.Context(), e.ID, now, now+1)
	r.OK(err)
	r.Want(gets, "a mail whose claim ended is not to be had")
}

func whatIsDoneWithIsNotClaimedOrNotedAgain(r *fixture) {
	now := clock.At(dbtest.Now)
	for _, end := range []mail.Note{
		{Status: mail.Sent, SentAt: &now},
		{Status: mail.Failed, Error: new("no such user")},
		{Status: mail.Kept},
	} {
		e := r.queued(dbtest.Now)
		noted, err := r.Mails.NoteMail(r.Context(), e.ID, end)
		r.OK(err)
		r.Want(noted, "%s was not noted", end.Status)
		gets, err := r.Mails.ClaimMail(r.Context(), e.ID, now, now+1000)
		r.OK(err)
		r.Want(!gets, "what is %s is to be had", end.Status)
		noted, err = r.Mails.NoteMail(r.Context(), e.ID, mail.Note{Status: mail.Queued})
		r.OK(err)
		r.Want(!noted, "what is %s was noted again", end.Status)
		e.Status, e.LastError, e.SentAt = end.Status, end.Error, end.SentAt
		r.Same(r.mail(e.ID), e)
	}
	noted, err := r.Mails.NoteMail(r.Context(), "mail_absent", mail.Note{Status: mail.Sent})
	r.OK(err)
	r.Want(!noted, "a mail that is not there was noted")
}

func theContentOfOldMailsIsForgotten(r *fixture) {
	limit := dbtest.Now.AddDate(0, 0, -90)
	var old, kept []string
	for n := range 5 {
		e := r.queued(limit.Add(-time.Duration(n+1) * time.Millisecond))
		_, err := r.Mails.NoteMail(r.Context(), e.ID, mail.Note{Status: mail.Sent})
		r.OK(err)
		old = append(old, e.ID)
	}
	kept = append(kept, r.queued(limit.Add(-time.Hour)).ID) // it waits still
	young := r.queued(limit)
	_, err := r.Mails.NoteMail(r.Context(), young.ID, mail.Note{Status: mail.Sent})
	r.OK(err)
	kept = append(kept, young.ID)
	for _, want := range []int64{3, 2, 0} {
		n, err := r.Mails.ForgetMails(r.Context(), clock.At(limit), 3)
		r.OK(err)
		r.Want(n == want, "%d were forgotten, not %d", n, want)
	}
	for _, id := range old {
		e := r.mail(id)
		r.Want(e.Sealed == nil && e.To != "", "%s: %v", id, e)
	}
	for _, id := range kept {
		r.Want(r.mail(id).Sealed != nil, "%s was forgotten", id)
	}
}
