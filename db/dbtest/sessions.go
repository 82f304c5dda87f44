package dbtest

import (
	"time"

	"portal/api/account"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/id"
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
func (r *rig) session(userID, token string) account.NewSession {
	r.Helper()
	n := account.NewSession{ID: id.New(id.Session, noon), TokenHash: account.TokenHash(token), UserID: userID, AuthenticatedAt: clock.At(noon), CreatedAt: clock.At(noon),
		ExpiresAt: clock.At(noon.Add(48 * time.Hour)), IdleTime: clock.Time(time.Hour.Milliseconds()), Address: "203.0.113.7", UserAgent: "Firefox"}
	added, err := r.AddSession(r.Context(), &n)
	r.ok(err)
	r.want(added, "the token is in use")
	return n
}

func aSessionIsFoundWhileItLasts(r *rig) {
	dana := r.landlord("dana")
	n := r.session(dana.ID, "token")
	r.ok(r.Sessions(at(noon)).CommitCtx(r.Context(), n.TokenHash, []byte("kept"), noon.Add(time.Hour)))
	for _, c := range []struct {
		after time.Duration
		lasts bool
	}{{0, true}, {time.Hour - time.Millisecond, true}, {time.Hour, false}, {49 * time.Hour, false}} {
		now := noon.Add(c.after)
		_, found, err := r.Visitor(r.Context(), n.TokenHash, clock.At(now))
		r.ok(err)
		data, kept, err := r.Sessions(at(now)).FindCtx(r.Context(), n.TokenHash)
		r.ok(err)
		r.want(found == c.lasts && kept == c.lasts && (string(data) == "kept") == c.lasts, "after %s: %v, %v", c.after, found, kept)
	}
	r.ok(r.Seen(r.Context(), n.ID, clock.At(noon.Add(50*time.Minute)), "198.51.100.1", "Safari"))
	v, found, err := r.Visitor(r.Context(), n.TokenHash, clock.At(noon.Add(90*time.Minute)))
	r.ok(err)
	r.want(found && v.UserID == dana.ID && v.Account.Live == dana.live && v.Account.Test == dana.test && v.Account.Plan == dana.account.Plan, "it is that of %+v", v)
	all, err := r.SessionsOf(r.Context(), dana.ID, clock.At(noon.Add(90*time.Minute)))
	r.ok(err)
	r.want(len(all) == 1 && all[0].Address == "198.51.100.1" && all[0].UserAgent == "Safari" && all[0].CreatedAt == n.CreatedAt, "the list is %+v", all)
}

func theManagerDoesNotProlongASession(r *rig) {
	n := r.session(r.landlord("dana").ID, "token")
	s := r.Sessions(at(noon))
	r.ok(s.CommitCtx(r.Context(), n.TokenHash, []byte("kept"), noon.AddDate(1, 0, 0)))
	r.ok(r.Seen(r.Context(), n.ID, clock.At(noon.Add(47*time.Hour+30*time.Minute)), "", ""))
	_, found, err := r.Visitor(r.Context(), n.TokenHash, clock.At(noon.Add(48*time.Hour)))
	r.ok(err)
	r.want(!found, "a session outlasts its end")
	r.ok(s.CommitCtx(r.Context(), "nobody's", []byte("kept"), noon.AddDate(1, 0, 0)))
	_, found, err = r.Sessions(at(noon.Add(24*time.Hour))).FindCtx(r.Context(), "nobody's")
	r.ok(err)
	r.want(!found, "a session of nobody lasts longer than a day")
}

func whatHasEndedIsNotBroughtBack(r *rig) {
	s := r.Sessions(at(noon))
	dana, robin := r.landlord("dana"), r.landlord("robin")
	for name, end := range map[string]func(account.NewSession) error{
		"deleted": func(n account.NewSession) error { return s.DeleteCtx(r.Context(), n.TokenHash) },
		"revoked": func(n account.NewSession) error {
			_, err := r.RevokeSession(r.Context(), dana.ID, n.ID, clock.At(noon))
			return err
		},
		"revoked with all": func(account.NewSession) error { return r.RevokeSessions(r.Context(), dana.ID, "") },
	} {
		n, other := r.session(dana.ID, name), r.session(robin.ID, name+" of robin")
		r.ok(end(n))
		r.ok(s.CommitCtx(r.Context(), n.TokenHash, []byte("late"), noon.Add(time.Hour)))
		_, found, err := r.Visitor(r.Context(), n.TokenHash, clock.At(noon))
		r.ok(err)
		_, kept, err := s.FindCtx(r.Context(), n.TokenHash)
		r.ok(err)
		r.want(!found && !kept, "%s: %v, %v", name, found, kept)
		_, found, err = r.Visitor(r.Context(), other.TokenHash, clock.At(noon))
		r.ok(err)
		r.want(found, "%s: robin's has ended", name)
		there, err := r.RevokeSession(r.Context(), dana.ID, other.ID, clock.At(noon))
		r.ok(err)
		r.want(!there, "dana ends robin's")
	}
}

func aSessionBeginsWithATokenOfItsOwn(r *rig) {
	dana := r.landlord("dana")
	n := r.session(dana.ID, "token")
	r.ok(r.Sessions(at(noon)).CommitCtx(r.Context(), account.TokenHash("planted"), []byte("x"), noon.Add(time.Hour)))
	for _, token := range []string{"token", "planted"} {
		n.ID, n.TokenHash = id.New(id.Session, noon), account.TokenHash(token)
		added, err := r.AddSession(r.Context(), &n)
		r.ok(err)
		r.want(!added, "%s was taken", token)
	}
}

func aSessionContinuesOnce(r *rig) {
	dana := r.landlord("dana")
	n := r.session(dana.ID, "first")
	s := r.Sessions(at(noon))
	r.ok(s.DeleteCtx(r.Context(), n.TokenHash)) // as the manager does
	there, err := r.ContinueSession(r.Context(), n.ID, account.TokenHash("second"))
	r.ok(err)
	r.want(there, "it was not there")
	v, found, err := r.Visitor(r.Context(), account.TokenHash("second"), clock.At(noon))
	r.ok(err)
	r.want(found && v.SessionID == n.ID && v.AuthenticatedAt == n.AuthenticatedAt, "it is %+v", v)
	_, found, err = r.Visitor(r.Context(), n.TokenHash, clock.At(noon))
	r.ok(err)
	r.want(!found, "the first token works")
	_, err = r.RevokeSession(r.Context(), dana.ID, n.ID, clock.At(noon))
	r.ok(err)
	there, err = r.ContinueSession(r.Context(), n.ID, account.TokenHash("third"))
	r.ok(err)
	r.want(!there, "a revoked one continues")
}

func throttlesCountFromNowOn(r *rig) {
	now := clock.At(noon)
	for _, c := range []struct {
		now, span, want clock.Time
	}{{0, 10, 10}, {0, 10, 20}, {5, 10, 30}, {100, 10, 110}, {100, -10, 100}, {100, -10, 90}, {100, 10, 110}} {
		got, err := r.Throttle(r.Context(), "subject", now+c.now, c.span)
		r.ok(err)
		r.want(got == now+c.want, "at %d by %d it is %d, not %d", c.now, c.span, got-now, c.want)
	}
	got, err := r.Throttle(r.Context(), "another", now, 10)
	r.ok(err)
	r.want(got == now+10, "another is %d", got-now)
}

func whatHasExpiredIsForgotten(r *rig) {
	dana := r.landlord("dana")
	now := clock.At(noon)
	s := r.Sessions(at(noon))
	count := func() (n [6]string) {
		for i, table := range []string{"sessions", "sign_ups", "user_links", "ceremonies", "member_invitations", "throttles"} {
			n[i] = r.text("COUNT(*)", table)
		}
		return n
	}
	for i, until := range []clock.Time{now - 1, now, now + 1} {
		hash := []byte{byte(i)}
		r.ok(s.CommitCtx(r.Context(), string(rune('a'+i)), hash, until.Std()))
		r.ok(r.PutSignUp(r.Context(), &account.SigningUp{Email: string(rune('a' + i)), TokenHash: hash, ClaimHash: hash, ExpiresAt: until}))
		r.ok(r.AddLink(r.Context(), &account.Link{TokenHash: hash, UserID: dana.ID, Purpose: account.ResetPassword, ExpiresAt: until}))
		r.ok(r.AddCeremony(r.Context(), &account.Ceremony{IDHash: hash, Data: hash, ExpiresAt: until}))
		r.ok(r.PutInvitation(r.Context(), &account.Invitation{ID: id.New(id.TeamInvite, noon), AccountID: dana.account.ID, Email: string(rune('a' + i)), Role: "owner", InvitedBy: dana.ID, ExpiresAt: until}, hash))
		_, err := r.Throttle(r.Context(), string(rune('a'+i)), until-1, 1)
		r.ok(err)
	}
	for _, want := range []int64{1, 1, 0} {
		n, err := r.ForgetExpired(r.Context(), now, 1)
		r.ok(err)
		r.want(n == want, "%d were forgotten, not %d", n, want)
	}
	r.same(count(), [6]string{"1", "1", "1", "1", "1", "1"})
}

func theTrailIsOnlyAddedTo(r *rig) {
	dana := r.landlord("dana")
	e := audit.Entry{ID: id.New(id.Audit, noon), At: clock.At(noon), AccountID: &dana.account.ID, UserID: &dana.ID, Action: "key.created", Target: "key_1", Address: "203.0.113.7",
		RequestID: "req_1", Details: map[string]string{"name": "Sync"}}
	r.ok(r.AddAudit(r.Context(), &e))
	for _, change := range []string{"DELETE FROM audit", "UPDATE audit SET action = 'key.revoked'", "UPDATE audit SET user_id = NULL", "UPDATE audit SET at = at + 1",
		"UPDATE audit SET address = '192.0.2.1'", "UPDATE audit SET details = '{\"name\":\"other\"}'", "UPDATE audit SET account_id = 'acct_x'"} {
		r.refused(r.exec(change), change)
	}
	got, err := r.Audit(r.Context(), audit.Query{AccountID: dana.account.ID, Limit: 10})
	r.ok(err)
	e.Email = &dana.Email
	r.same(got, []audit.Entry{e})
	r.raw("UPDATE audit SET address = '', details = '{}'") // what may have to be forgotten
	got, err = r.Audit(r.Context(), audit.Query{UserID: dana.ID, Action: "key.created", Limit: 10})
	r.ok(err)
	e.Address, e.Details = "", map[string]string{}
	r.same(got, []audit.Entry{e})
}
