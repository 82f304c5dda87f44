package accountstore_test

import (
	"time"

	"portal/api/account"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/id"
	"portal/db/accountstore"
	"portal/db/dbtest"
)

var sessions = []promise{
	{"ASessionIsFoundWhileItLasts", aSessionIsFoundWhileItLasts},
	{"TheManagerDoesNotProlongASession", theManagerDoesNotProlongASession},
	{"WhatHasEndedIsNotBroughtBack", whatHasEndedIsNotBroughtBack},
	{"ASessionBeginsWithATokenOfItsOwn", aSessionBeginsWithATokenOfItsOwn},
	{"ASessionContinuesOnce", aSessionContinuesOnce},
	{"ThrottlesCountFromNowOn", throttlesCountFromNowOn},
	{"WhatHasExpiredIsForgotten", whatHasExpiredIsForgotten},
	{"TheTrailIsOnlyAddedTo", theTrailIsOnlyAddedTo},
}

// at is a clock that stands.
func at(t time.Time) clock.Clock { return func() time.Time { return t } }

// session begins one of a user.
func (r *fixture) session(userID, token string) account.NewSession {
	r.Helper()
	n := account.NewSession{
		ID:              id.New(id.Session, dbtest.Now),
		TokenHash:       account.TokenHash(token),
		UserID:          userID,
		AuthenticatedAt: clock.At(dbtest.Now),
		CreatedAt:       clock.At(dbtest.Now),
		ExpiresAt:       clock.At(dbtest.Now.Add(48 * time.Hour)),
		IdleTime:        clock.Time(time.Hour.Milliseconds()),
		Address:         "203.0.113.7",
		UserAgent:       "Firefox",
	}
	added, err := r.Accounts.AddSession(r.Context(), &n)
	r.OK(err)
	r.Want(added, "the token is in use")
	return n
}

func aSessionIsFoundWhileItLasts(r *fixture) {
	dana := r.Landlord("dana")
	n := r.session(dana.ID, "token")
	r.OK(accountstore.NewPageSessions(r.DB, at(dbtest.Now)).CommitCtx(
		r.Context(),
		n.TokenHash,
		[]byte("kept"),
		dbtest.Now.Add(time.Hour),
	))
	for _, c := range []struct {
		after time.Duration
		lasts bool
	}{{0, true}, {time.Hour - time.Millisecond, true}, {time.Hour, false}, {49 * time.Hour, false}} {
		now := dbtest.Now.Add(c.after)
		_, found, err := r.Accounts.Visitor(r.Context(), n.TokenHash, clock.At(now))
		r.OK(err)
		data, kept, err := accountstore.NewPageSessions(r.DB, at(now)).FindCtx(r.Context(), n.TokenHash)
		r.OK(err)
		r.Want(found == c.lasts && kept == c.lasts &&
			(string(data) == "kept") == c.lasts, "after %s: %v, %v", c.after, found, kept)
		former, was, err := r.Accounts.FormerVisitor(r.Context(), n.TokenHash, clock.At(now))
		r.OK(err)
		r.Want(was != c.lasts &&
			(former.UserID == dana.ID &&
				former.Account.Live == dana.Live) == was, "after %s it was that of %+v", c.after, former)
	}
	r.OK(r.Accounts.Seen(r.Context(), n.ID, clock.At(dbtest.Now.Add(50*time.Minute)), "198.51.100.1", "Safari"))
	v, found, err := r.Accounts.Visitor(r.Context(), n.TokenHash, clock.At(dbtest.Now.Add(90*time.Minute)))
	r.OK(err)
	r.Want(found && v.UserID == dana.ID && v.Account.Live == dana.Live && v.Account.Test == dana.Test &&
		v.Account.Plan == dana.Account.Plan, "it is that of %+v", v)
	all, err := r.Accounts.SessionsOf(r.Context(), dana.ID, clock.At(dbtest.Now.Add(90*time.Minute)))
	r.OK(err)
	r.Want(len(all) == 1 && all[0].Address == "198.51.100.1" && all[0].UserAgent == "Safari" &&
		all[0].CreatedAt == n.CreatedAt, "the list is %+v", all)
}

func theManagerDoesNotProlongASession(r *fixture) {
	n := r.session(r.Landlord("dana").ID, "token")
	s := accountstore.NewPageSessions(r.DB, at(dbtest.Now))
	r.OK(s.CommitCtx(r.Context(), n.TokenHash, []byte("kept"), dbtest.Now.AddDate(1, 0, 0)))
	r.OK(r.Accounts.Seen(r.Context(), n.ID, clock.At(dbtest.Now.Add(47*time.Hour+30*time.Minute)), "", ""))
	_, found, err := r.Accounts.Visitor(r.Context(), n.TokenHash, clock.At(dbtest.Now.Add(48*time.Hour)))
	r.OK(err)
	r.Want(!found, "a session outlasts its end")
	r.OK(s.CommitCtx(r.Context(), "nobody's", []byte("kept"), dbtest.Now.AddDate(1, 0, 0)))
	_, found, err = accountstore.NewPageSessions(
		r.DB,
		at(dbtest.Now.Add(24*time.Hour)),
	).FindCtx(
		r.Context(),
		"nobody's",
	)
	r.OK(err)
	r.Want(!found, "a session of nobody lasts longer than a day")
	_, found, err = r.Accounts.FormerVisitor(r.Context(), "nobody's", clock.At(dbtest.Now.Add(24*time.Hour)))
	r.OK(err)
	r.Want(!found, "a session of nobody was somebody's")
}

func whatHasEndedIsNotBroughtBack(r *fixture) {
	s := accountstore.NewPageSessions(r.DB, at(dbtest.Now))
	dana, robin := r.Landlord("dana"), r.Landlord("robin")
	for name, end := range map[string]func(account.NewSession) error{
		"deleted": func(n account.NewSession) error { return s.DeleteCtx(r.Context(), n.TokenHash) },
		"revoked": func(n account.NewSession) error {
			_, err := r.Accounts.RevokeSession(r.Context(), dana.ID, n.ID, clock.At(dbtest.Now))
			return err
		},
		"revoked with all": func(account.NewSession) error {
			return r.Accounts.RevokeSessions(r.Context(), dana.ID,
				"")
		},
	} {
		n, other := r.session(dana.ID, name), r.session(robin.ID, name+" of robin")
		r.OK(end(n))
		r.OK(s.CommitCtx(r.Context(), n.TokenHash, []byte("late"), dbtest.Now.Add(time.Hour)))
		_, found, err := r.Accounts.Visitor(r.Context(), n.TokenHash, clock.At(dbtest.Now))
		r.OK(err)
		_, kept, err := s.FindCtx(r.Context(), n.TokenHash)
		r.OK(err)
		r.Want(!found && !kept, "%s: %v, %v", name, found, kept)
		former, was, err := r.Accounts.FormerVisitor(r.Context(), n.TokenHash, clock.At(dbtest.Now))
		r.OK(err)
		r.Want(was && former.UserID == dana.ID, "%s: it was that of %+v", name, former)
		_, found, err = r.Accounts.Visitor(r.Context(), other.TokenHash, clock.At(dbtest.Now))
		r.OK(err)
		r.Want(found, "%s: robin's has ended", name)
		there, err := r.Accounts.RevokeSession(r.Context(), dana.ID, other.ID, clock.At(dbtest.Now))
		r.OK(err)
		r.Want(!there, "dana ends robin's")
	}
}

func aSessionBeginsWithATokenOfItsOwn(r *fixture) {
	dana := r.Landlord("dana")
	n := r.session(dana.ID, "token")
	r.OK(accountstore.NewPageSessions(r.DB, at(dbtest.Now)).CommitCtx(
		r.Context(),
		account.TokenHash("planted"),
		[]byte("x"),
		dbtest.Now.Add(time.Hour),
	))
	for _, token := range []string{"token", "planted"} {
		n.ID, n.TokenHash = id.New(id.Session, dbtest.Now), account.TokenHash(token)
		added, err := r.Accounts.AddSession(r.Context(), &n)
		r.OK(err)
		r.Want(!added, "%s was taken", token)
	}
}

func aSessionContinuesOnce(r *fixture) {
	dana := r.Landlord("dana")
	n := r.session(dana.ID, "first")
	s := accountstore.NewPageSessions(r.DB, at(dbtest.Now))
	r.OK(s.DeleteCtx(r.Context(), n.TokenHash)) // as the manager does
	there, err := r.Accounts.ContinueSession(r.Context(), n.ID, account.TokenHash("second"))
	r.OK(err)
	r.Want(there, "it was not there")
	v, found, err := r.Accounts.Visitor(r.Context(), account.TokenHash("second"), clock.At(dbtest.Now))
	r.OK(err)
	r.Want(found && v.SessionID == n.ID && v.AuthenticatedAt == n.AuthenticatedAt, "it is %+v", v)
	_, found, err = r.Accounts.Visitor(r.Context(), n.TokenHash, clock.At(dbtest.Now))
	r.OK(err)
	r.Want(!found, "the first token works")
	_, err = r.Accounts.RevokeSession(r.Context(), dana.ID, n.ID, clock.At(dbtest.Now))
	r.OK(err)
	there, err = r.Accounts.ContinueSession(r.Context(), n.ID, account.TokenHash("third"))
	r.OK(err)
	r.Want(!there, "a revoked one continues")
}

func throttlesCountFromNowOn(r *fixture) {
	now := clock.At(dbtest.Now)
	for _, c := range []struct {
		now, span, want clock.Time
	}{{0, 10, 10}, {0, 10, 20}, {5, 10, 30}, {100, 10, 110}, {100, -10, 100}, {100, -10, 90}, {100, 10, 110}} {
		got, err := r.Accounts.Throttle(r.Context(), "subject", now+c.now, c.span)
		r.OK(err)
		r.Want(got == now+c.want, "at %d by %d it is %d, not %d", c.now, c.span, got-now, c.want)
	}
	got, err := r.Accounts.Throttle(r.Context(), "another", now, 10)
	r.OK(err)
	r.Want(got == now+10, "another is %d", got-now)
}

func whatHasExpiredIsForgotten(r *fixture) {
	dana := r.Landlord("dana")
	now := clock.At(dbtest.Now)
	s := accountstore.NewPageSessions(r.DB, at(dbtest.Now))
	count := func() (n [6]string) {
		for i, table := range []string{
			"sessions", "sign_ups", "user_links", "ceremonies", "member_invitations", "throttles",
		} {
			n[i] = r.Text("COUNT(*)", table)
		}
		return n
	}
	for i, until := range []clock.Time{now - 1, now, now + 1} {
		hash := []byte{byte(i)}
		r.OK(s.CommitCtx(r.Context(), string(rune('a'+i)), hash, until.Std()))
		r.OK(r.Accounts.PutSignUp(r.Context(), &account.SigningUp{
			Email:     string(rune('a' + i)),
			TokenHash: hash,
			ClaimHash: hash,
			ExpiresAt: until,
		}))
		r.OK(r.Accounts.AddLink(r.Context(), &account.Link{
			TokenHash: hash,
			UserID:    dana.ID,
			Purpose:   account.ResetPassword,
			ExpiresAt: until,
		}))
		r.OK(r.Accounts.AddCeremony(r.Context(), &account.Ceremony{IDHash: hash, Data: hash, ExpiresAt: until}))
		r.OK(r.Accounts.PutInvitation(r.Context(), &account.Invitation{
			ID:        id.New(id.TeamInvite, dbtest.Now),
			AccountID: dana.Account.ID,
			Email:     string(rune('a' + i)),
			Role:      "owner",
			InvitedBy: dana.ID,
			ExpiresAt: until,
		}, hash))
		_, err := r.Accounts.Throttle(r.Context(), string(rune('a'+i)), until-1, 1)
		r.OK(err)
	}
	for _, want := range []int64{1, 1, 0} {
		n, err := r.Retention.ForgetExpired(r.Context(), now, 1)
		r.OK(err)
		r.Want(n == want, "%d were forgotten, not %d", n, want)
	}
	r.Same(count(), [6]string{"1", "1", "1", "1", "1", "1"})
}

func theTrailIsOnlyAddedTo(r *fixture) {
	dana := r.Landlord("dana")
	e := audit.Entry{
		ID:        id.New(id.Audit, dbtest.Now),
		At:        clock.At(dbtest.Now),
		AccountID: &dana.Account.ID,
		UserID:    &dana.ID,
		Action:    "key.created",
		Target:    "key_1",
		Address:   "203.0.113.7",
		RequestID: "req_1",
		Details:   map[string]string{"name": "Sync"},
	}
	r.OK(r.Trail.AddAudit(r.Context(), &e))
	for _, change := range []string{
		"DELETE FROM audit", "UPDATE audit SET action = 'key.revoked'",
		"UPDATE audit SET user_id = NULL", "UPDATE audit SET at = at + 1",
		"UPDATE audit SET address = '192.0.2.1'",
		"UPDATE audit SET details = '{\"name\":\"other\"}'",
		"UPDATE audit SET account_id = 'acct_x'",
	} {
		r.Refused(r.Exec(change), change)
	}
	got, err := r.Trail.Audit(r.Context(), audit.Query{AccountID: dana.Account.ID, Limit: 10})
	r.OK(err)
	e.Email = &dana.Email
	r.Same(got, []audit.Entry{e})
	r.Raw("UPDATE audit SET address = '', details = '{}'") // what may have to be forgotten
	got, err = r.Trail.Audit(r.Context(), audit.Query{UserID: dana.ID, Action: "key.created", Limit: 10})
	r.OK(err)
	e.Address, e.Details = "", map[string]string{}
	r.Same(got, []audit.Entry{e})
}
