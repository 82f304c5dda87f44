package portfoliostore_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/db/dbtest"
)

var invitations = []promise{
	{"AnInvitationIsReadAsItWasWritten", anInvitationIsReadAsItWasWritten},
	{"ALinkOpensOneInvitation", aLinkOpensOneInvitation},
	{"NoInvitationReachesIntoAnotherPortfolio", noInvitationReachesIntoAnotherPortfolio},
	{"OnlyAnOpenInvitationMoves", onlyAnOpenInvitationMoves},
	{"OfMovesAtOnceOneHappens", ofMovesAtOnceOneHappens},
	{"InvitationsExpireInTheirPortfolio", invitationsExpireInTheirPortfolio},
	{"AnEMailStatusGrowsTheVersionOnce", anEMailStatusGrowsTheVersionOnce},
	{"AnInvitationTakesOneApplication", anInvitationTakesOneApplication},
	{"AnAddressIsUnsubscribedFromOneLandlord", anAddressIsUnsubscribedFromOneLandlord},
	{"ALandlordIsKnownByTheirPortfolio", aLandlordIsKnownByTheirPortfolio},
}

// invitable is a portfolio with a unit to invite to.
func (r *fixture) invitable(in access.Portfolio) portfolio.Unit {
	r.Helper()
	book := dbtest.Filled(in.Mode, dbtest.NewFiller(rand.New(rand.NewPCG(21, rand.Uint64())), 0))
	r.OK(r.Portfolio.Add(r.Context(), in, book))
	return book.Units[0]
}

// invitation is one of a unit, open until tomorrow, with the hashes of its links.
func invitation(in access.Portfolio, u portfolio.Unit, nulls float64) (application.Invitation, application.Links) {
	var i application.Invitation
	(dbtest.NewFiller(rand.New(rand.NewPCG(22, rand.Uint64())), nulls)).Fill(&i)
	i.ID = id.New(id.Invitation, dbtest.Now)
	i.Object = "tenant_invitation"
	i.Mode = in.Mode
	i.Currency = portfolio.Currency
	i.ApplyURL = nil
	i.UnitID = u.ID
	i.PropertyID = u.PropertyID
	i.Status = application.InvitationSent
	i.EmailStatus = application.EmailQueued
	i.ExpiresAt = later
	return i, application.Links{Apply: hashed("apply " + i.ID), Unsubscribe: hashed("unsubscribe " + i.ID)}
}

const day = clock.Time(24 * 60 * 60 * 1000)

var later = clock.At(dbtest.Now) + day

func hashed(s string) []byte {
	sum := sha256.Sum256([]byte(s))
	return sum[:]
}

// invited adds an invitation.
func (r *fixture) invited(in access.Portfolio, u portfolio.Unit) application.Invitation {
	r.Helper()
	i, links := invitation(in, u, 0.5)
	r.OK(r.Portfolio.AddInvitation(r.Context(), in, &i, links))
	return i
}

func (r *fixture) invitation(in access.Portfolio, id string) application.Invitation {
	r.Helper()
	i, err := r.Portfolio.Invitation(r.Context(), in, id)
	r.OK(err)
	return i
}

func anInvitationIsReadAsItWasWritten(r *fixture) {
	in := r.Landlord("dana").Test
	u := r.invitable(in)
	for _, nulls := range []float64{0, 1, 0.5, 0.5} {
		i, links := invitation(in, u, nulls)
		r.OK(r.Portfolio.AddInvitation(r.Context(), in, &i, links))
		r.Same(r.invitation(in, i.ID), i)
	}
}

func aLinkOpensOneInvitation(r *fixture) {
	here, there := r.Landlord("dana").Live, r.Landlord("robin").Test
	for _, in := range []access.Portfolio{here, there} {
		u := r.invitable(in)
		for range 3 {
			i, links := invitation(in, u, 0.5)
			r.OK(r.Portfolio.AddInvitation(r.Context(), in, &i, links))
			from, got, err := r.Portfolio.Applying(r.Context(), links.Apply)
			r.OK(err)
			r.Same(from, in)
			r.Same(got, i)
			from, email, err := r.Portfolio.Unsubscribing(r.Context(), links.Unsubscribe)
			r.OK(err)
			r.Same(from, in)
			r.Same(email, i.Email)
			_, _, err = r.Portfolio.Applying(r.Context(), links.Unsubscribe)
			r.Want(fault.Is(err, fault.NoRecord), "the other link opens an application: %v", err)
			_, _, err = r.Portfolio.Unsubscribing(r.Context(), links.Apply)
			r.Want(fault.Is(err, fault.NoRecord), "the other link unsubscribes: %v", err)
			again, _ := invitation(in, u, 0)
			r.Refused(r.Portfolio.AddInvitation(r.Context(), in, &again, links), "a second invitation of one link")
		}
	}
	_, _, err := r.Portfolio.Applying(r.Context(), nil)
	r.Want(fault.Is(err, fault.NoRecord), "no link: %v", err)
}

func noInvitationReachesIntoAnotherPortfolio(r *fixture) {
	dana := r.Landlord("dana")
	here, there := dana.Live, r.Landlord("robin").Live
	u, foreign := r.invitable(here), r.invitable(there)
	i, links := invitation(here, foreign, 0.5)
	r.Refused(r.Portfolio.AddInvitation(r.Context(), here, &i, links), "a unit of another portfolio")
	mine := r.invited(here, u)
	for _, in := range []access.Portfolio{there, dana.Test} {
		_, err := r.Portfolio.Invitation(r.Context(), in, mine.ID)
		r.Want(fault.Is(err, fault.NoRecord), "it is read: %v", err)
		moved, err := r.Portfolio.MoveInvitation(
			r.Context(),
			in,
			mine.ID,
			application.InvitationApplied,
			clock.At(dbtest.Now),
		)
		r.OK(err)
		r.Want(!moved, "it moved")
		r.OK(r.Portfolio.SetEmailStatus(r.Context(), in, mine.ID, application.EmailSent, clock.At(dbtest.Now)))
		n, err := r.Portfolio.ExpireInvitations(r.Context(), in, later+day)
		r.OK(err)
		r.Want(n == 0, "%d expired", n)
		r.Refused(r.Portfolio.AddApplication(r.Context(), in, mine.ID, &application.Application{}), "an application")
		open, err := r.Portfolio.Invited(r.Context(), in, u.ID, mine.Email, clock.At(dbtest.Now))
		r.OK(err)
		r.Want(!open, "it counts there")
	}
	r.Same(r.invitation(here, mine.ID), mine)
}

func onlyAnOpenInvitationMoves(r *fixture) {
	in := r.Landlord("dana").Live
	u := r.invitable(in)
	now := clock.At(dbtest.Now)
	for _, step := range []struct {
		from, to application.InvitationStatus
		at       clock.Time
		moves    bool
	}{
		{application.InvitationSent, application.InvitationOpened, now, true},
		{application.InvitationSent, application.InvitationApplied, now, true},
		{application.InvitationOpened, application.InvitationApplied, later - 1, true},
		{application.InvitationOpened, application.InvitationCancelled, now, true},
		{application.InvitationOpened, application.InvitationOpened, now, false},
		{application.InvitationOpened, application.InvitationApplied, later, false},
		{application.InvitationApplied, application.InvitationOpened, now, false},
		{application.InvitationApplied, application.InvitationApplied, now, false},
		{application.InvitationExpired, application.InvitationApplied, now, false},
		{application.InvitationCancelled, application.InvitationApplied, now, false},
	} {
		i, links := invitation(in, u, 0.5)
		i.Status = step.from
		r.OK(r.Portfolio.AddInvitation(r.Context(), in, &i, links))
		beside := r.invited(in, u)
		open, err := r.Portfolio.Invited(r.Context(), in, u.ID, upper(i.Email), step.at)
		r.OK(err)
		r.Same(open, step.at < later &&
			(step.from == application.InvitationSent || step.from == application.InvitationOpened))
		moved, err := r.Portfolio.MoveInvitation(r.Context(), in, i.ID, step.to, step.at)
		r.OK(err)
		r.Want(moved == step.moves, "%s to %s: %v", step.from, step.to, moved)
		if moved {
			i.Status, i.Version, i.UpdatedAt = step.to, i.Version+1, step.at
		}
		r.Same(r.invitation(in, i.ID), i)
		r.Same(r.invitation(in, beside.ID), beside)
	}
}

func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

func ofMovesAtOnceOneHappens(r *fixture) {
	in := r.Landlord("dana").Live
	i := r.invited(in, r.invitable(in))
	var moved atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			did, err := r.Portfolio.MoveInvitation(
				r.Context(),
				in,
				i.ID,
				application.InvitationApplied,
				clock.At(dbtest.Now),
			)
			if err != nil {
				r.Error(err)
			}
			if did {
				moved.Add(1)
			}
		})
	}
	all.Wait()
	r.Want(moved.Load() == 1, "%d moved", moved.Load())
	r.Same(r.invitation(in, i.ID).Version, i.Version+1)
}

func invitationsExpireInTheirPortfolio(r *fixture) {
	in := r.Landlord("dana").Live
	u := r.invitable(in)
	var all []application.Invitation
	for _, status := range invitationStatuses {
		for _, expires := range []clock.Time{later - 1, later, later + 1} {
			i, links := invitation(in, u, 0.5)
			i.Status, i.ExpiresAt = status, expires
			r.OK(r.Portfolio.AddInvitation(r.Context(), in, &i, links))
			all = append(all, i)
		}
	}
	for _, want := range []int64{4, 0} { // of those that are open, two each
		n, err := r.Portfolio.ExpireInvitations(r.Context(), in, later)
		r.OK(err)
		r.Want(n == want, "%d expired, not %d", n, want)
	}
	for _, i := range all {
		if i.ExpiresAt <= later && slices.Contains([]application.InvitationStatus{
			application.InvitationSent, application.InvitationOpened,
		}, i.Status) {
			i.Status, i.Version, i.UpdatedAt = application.InvitationExpired, i.Version+1, later
		}
		r.Same(r.invitation(in, i.ID), i)
	}
}

var invitationStatuses = []application.InvitationStatus{
	application.InvitationSent,
	application.InvitationOpened,
	application.InvitationApplied,
	application.InvitationExpired,
	application.InvitationCancelled,
}

func anEMailStatusGrowsTheVersionOnce(r *fixture) {
	in := r.Landlord("dana").Live
	i := r.invited(in, r.invitable(in))
	for n, to := range []application.EmailStatus{
		application.EmailQueued, application.EmailSent, application.EmailSent,
		application.EmailFailed,
	} {
		at := clock.At(dbtest.Now) + clock.Time(n)
		r.OK(r.Portfolio.SetEmailStatus(r.Context(), in, i.ID, to, at))
		if to != i.EmailStatus {
			i.EmailStatus, i.Version, i.UpdatedAt = to, i.Version+1, at
		}
		r.Same(r.invitation(in, i.ID), i)
	}
}

func anInvitationTakesOneApplication(r *fixture) {
	in := r.Landlord("dana").Live
	u := r.invitable(in)
	for seed, nulls := range []float64{0, 1, 0.5} {
		i := r.invited(in, u)
		_, err := r.Portfolio.Application(r.Context(), in, i.ID)
		r.Want(fault.Is(err, fault.NoRecord), "an application before there is one: %v", err)
		var a application.Application
		(dbtest.NewFiller(rand.New(rand.NewPCG(23, uint64(seed))), nulls)).Fill(&a)
		a.Decision, a.DecidedAt, a.TenantID = application.Undecided, nil, nil
		r.OK(r.Portfolio.AddApplication(r.Context(), in, i.ID, &a))
		r.Refused(
			r.Portfolio.AddApplication(r.Context(), in, i.ID, &application.Application{}),
			"a second application",
		)
		got, err := r.Portfolio.Application(r.Context(), in, i.ID)
		r.OK(err)
		r.Same(got, a)
	}
}

func anAddressIsUnsubscribedFromOneLandlord(r *fixture) {
	dana := r.Landlord("dana")
	here, there := dana.Live, r.Landlord("robin").Live
	for range 3 {
		r.OK(r.Portfolio.Unsubscribe(r.Context(), here, "Sam@Example.com", clock.At(dbtest.Now)))
	}
	for _, ask := range []struct {
		in    access.Portfolio
		email string
		want  bool
	}{
		{here, "sam@example.com", true},
		{here, "SAM@EXAMPLE.COM", true},
		{here, "sam@example.co", false},
		{here, "%", false},
		{there, "sam@example.com", false},
		{dana.Test, "sam@example.com", false},
	} {
		got, err := r.Portfolio.Unsubscribed(r.Context(), ask.in, ask.email)
		r.OK(err)
		r.Want(got == ask.want, "%s in %d: %v", ask.email, ask.in.ID, got)
	}
}

func aLandlordIsKnownByTheirPortfolio(r *fixture) {
	dana, robin, kim := r.Landlord("dana"), r.Landlord("robin"), r.Landlord("kim")
	r.OK(r.Accounts.SetMember(r.Context(), dana.Account.ID, robin.ID, access.Owner, clock.At(dbtest.Now)+1))
	r.OK(r.Accounts.SetMember(r.Context(), dana.Account.ID, kim.ID, access.Manager, clock.At(dbtest.Now)+2))
	for _, in := range []access.Portfolio{dana.Live, dana.Test} {
		l, err := r.Portfolio.Landlord(r.Context(), in)
		r.OK(err)
		r.Same(fmt.Sprintf("%s %s %s %v", l.AccountID, l.Name, l.Zone,
			l.Recipients(portfolio.ApplicationNotice)), dana.Account.ID+
			" dana America/Chicago [dana@example.com robin@example.com]")
	}
	_, err := r.Portfolio.Landlord(r.Context(), access.Portfolio{ID: 1 << 40})
	r.Refused(err, "a portfolio that is not there")
}
