package dbtest

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
func (r *rig) invitable(in access.Portfolio) portfolio.Unit {
	r.Helper()
	book := filled(in.Mode, &filler{rand.New(rand.NewPCG(21, rand.Uint64())), 0})
	r.ok(r.Add(r.Context(), in, book))
	return book.Units[0]
}

// invitation is one of a unit, open until tomorrow, with the hashes of its links.
func invitation(in access.Portfolio, u portfolio.Unit, nulls float64) (portfolio.Invitation, portfolio.Links) {
	var i portfolio.Invitation
	(&filler{rand.New(rand.NewPCG(22, rand.Uint64())), nulls}).fill(&i)
	i.ID, i.Object, i.Mode, i.Currency, i.ApplyURL = id.New(id.Invitation, noon), "tenant_invitation", in.Mode, portfolio.Currency, nil
	i.UnitID, i.PropertyID, i.Status, i.EmailStatus, i.ExpiresAt = u.ID, u.PropertyID, portfolio.InvitationSent, portfolio.EmailQueued, later
	return i, portfolio.Links{Apply: hashed("apply " + i.ID), Unsubscribe: hashed("unsubscribe " + i.ID)}
}

const day = clock.Time(24 * 60 * 60 * 1000)

var later = clock.At(noon) + day

func hashed(s string) []byte {
	sum := sha256.Sum256([]byte(s))
	return sum[:]
}

// invited adds an invitation.
func (r *rig) invited(in access.Portfolio, u portfolio.Unit) portfolio.Invitation {
	r.Helper()
	i, links := invitation(in, u, 0.5)
	r.ok(r.AddInvitation(r.Context(), in, &i, links))
	return i
}

func (r *rig) invitation(in access.Portfolio, id string) portfolio.Invitation {
	r.Helper()
	i, err := r.Invitation(r.Context(), in, id)
	r.ok(err)
	return i
}

func anInvitationIsReadAsItWasWritten(r *rig) {
	in := r.landlord("dana").test
	u := r.invitable(in)
	for _, nulls := range []float64{0, 1, 0.5, 0.5} {
		i, links := invitation(in, u, nulls)
		r.ok(r.AddInvitation(r.Context(), in, &i, links))
		r.same(r.invitation(in, i.ID), i)
	}
}

func aLinkOpensOneInvitation(r *rig) {
	here, there := r.landlord("dana").live, r.landlord("robin").test
	for _, in := range []access.Portfolio{here, there} {
		u := r.invitable(in)
		for range 3 {
			i, links := invitation(in, u, 0.5)
			r.ok(r.AddInvitation(r.Context(), in, &i, links))
			from, got, err := r.Applying(r.Context(), links.Apply)
			r.ok(err)
			r.same(from, in)
			r.same(got, i)
			from, email, err := r.Unsubscribing(r.Context(), links.Unsubscribe)
			r.ok(err)
			r.same(from, in)
			r.same(email, i.Email)
			_, _, err = r.Applying(r.Context(), links.Unsubscribe)
			r.want(fault.Is(err, fault.NoRecord), "the other link opens an application: %v", err)
			_, _, err = r.Unsubscribing(r.Context(), links.Apply)
			r.want(fault.Is(err, fault.NoRecord), "the other link unsubscribes: %v", err)
			again, _ := invitation(in, u, 0)
			r.refused(r.AddInvitation(r.Context(), in, &again, links), "a second invitation of one link")
		}
	}
	_, _, err := r.Applying(r.Context(), nil)
	r.want(fault.Is(err, fault.NoRecord), "no link: %v", err)
}

func noInvitationReachesIntoAnotherPortfolio(r *rig) {
	dana := r.landlord("dana")
	here, there := dana.live, r.landlord("robin").live
	u, foreign := r.invitable(here), r.invitable(there)
	i, links := invitation(here, foreign, 0.5)
	r.refused(r.AddInvitation(r.Context(), here, &i, links), "a unit of another portfolio")
	mine := r.invited(here, u)
	for _, in := range []access.Portfolio{there, dana.test} {
		_, err := r.Invitation(r.Context(), in, mine.ID)
		r.want(fault.Is(err, fault.NoRecord), "it is read: %v", err)
		moved, err := r.MoveInvitation(r.Context(), in, mine.ID, portfolio.InvitationApplied, clock.At(noon))
		r.ok(err)
		r.want(!moved, "it moved")
		r.ok(r.SetEmailStatus(r.Context(), in, mine.ID, portfolio.EmailSent, clock.At(noon)))
		n, err := r.ExpireInvitations(r.Context(), in, later+day)
		r.ok(err)
		r.want(n == 0, "%d expired", n)
		r.refused(r.AddApplication(r.Context(), in, mine.ID, &portfolio.Application{}), "an application")
		open, err := r.Invited(r.Context(), in, u.ID, mine.Email, clock.At(noon))
		r.ok(err)
		r.want(!open, "it counts there")
	}
	r.same(r.invitation(here, mine.ID), mine)
}

func onlyAnOpenInvitationMoves(r *rig) {
	in := r.landlord("dana").live
	u := r.invitable(in)
	now := clock.At(noon)
	for _, step := range []struct {
		from, to portfolio.InvitationStatus
		at       clock.Time
		moves    bool
	}{
		{portfolio.InvitationSent, portfolio.InvitationOpened, now, true},
		{portfolio.InvitationSent, portfolio.InvitationApplied, now, true},
		{portfolio.InvitationOpened, portfolio.InvitationApplied, later - 1, true},
		{portfolio.InvitationOpened, portfolio.InvitationCancelled, now, true},
		{portfolio.InvitationOpened, portfolio.InvitationOpened, now, false},
		{portfolio.InvitationOpened, portfolio.InvitationApplied, later, false},
		{portfolio.InvitationApplied, portfolio.InvitationOpened, now, false},
		{portfolio.InvitationApplied, portfolio.InvitationApplied, now, false},
		{portfolio.InvitationExpired, portfolio.InvitationApplied, now, false},
		{portfolio.InvitationCancelled, portfolio.InvitationApplied, now, false},
	} {
		i, links := invitation(in, u, 0.5)
		i.Status = step.from
		r.ok(r.AddInvitation(r.Context(), in, &i, links))
		beside := r.invited(in, u)
		open, err := r.Invited(r.Context(), in, u.ID, upper(i.Email), step.at)
		r.ok(err)
		r.same(open, step.at < later && (step.from == portfolio.InvitationSent || step.from == portfolio.InvitationOpened))
		moved, err := r.MoveInvitation(r.Context(), in, i.ID, step.to, step.at)
		r.ok(err)
		r.want(moved == step.moves, "%s to %s: %v", step.from, step.to, moved)
		if moved {
			i.Status, i.Version, i.UpdatedAt = step.to, i.Version+1, step.at
		}
		r.same(r.invitation(in, i.ID), i)
		r.same(r.invitation(in, beside.ID), beside)
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

func ofMovesAtOnceOneHappens(r *rig) {
	in := r.landlord("dana").live
	i := r.invited(in, r.invitable(in))
	var moved atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			did, err := r.MoveInvitation(r.Context(), in, i.ID, portfolio.InvitationApplied, clock.At(noon))
			if err != nil {
				r.Error(err)
			}
			if did {
				moved.Add(1)
			}
		})
	}
	all.Wait()
	r.want(moved.Load() == 1, "%d moved", moved.Load())
	r.same(r.invitation(in, i.ID).Version, i.Version+1)
}

func invitationsExpireInTheirPortfolio(r *rig) {
	in := r.landlord("dana").live
	u := r.invitable(in)
	var all []portfolio.Invitation
	for _, status := range invitationStatuses {
		for _, expires := range []clock.Time{later - 1, later, later + 1} {
			i, links := invitation(in, u, 0.5)
			i.Status, i.ExpiresAt = status, expires
			r.ok(r.AddInvitation(r.Context(), in, &i, links))
			all = append(all, i)
		}
	}
	for _, want := range []int64{4, 0} { // of those that are open, two each
		n, err := r.ExpireInvitations(r.Context(), in, later)
		r.ok(err)
		r.want(n == want, "%d expired, not %d", n, want)
	}
	for _, i := range all {
		if i.ExpiresAt <= later && slices.Contains([]portfolio.InvitationStatus{portfolio.InvitationSent, portfolio.InvitationOpened}, i.Status) {
			i.Status, i.Version, i.UpdatedAt = portfolio.InvitationExpired, i.Version+1, later
		}
		r.same(r.invitation(in, i.ID), i)
	}
}

var invitationStatuses = []portfolio.InvitationStatus{
	portfolio.InvitationSent, portfolio.InvitationOpened, portfolio.InvitationApplied, portfolio.InvitationExpired, portfolio.InvitationCancelled,
}

func anEMailStatusGrowsTheVersionOnce(r *rig) {
	in := r.landlord("dana").live
	i := r.invited(in, r.invitable(in))
	for n, to := range []portfolio.EmailStatus{portfolio.EmailQueued, portfolio.EmailSent, portfolio.EmailSent, portfolio.EmailFailed} {
		at := clock.At(noon) + clock.Time(n)
		r.ok(r.SetEmailStatus(r.Context(), in, i.ID, to, at))
		if to != i.EmailStatus {
			i.EmailStatus, i.Version, i.UpdatedAt = to, i.Version+1, at
		}
		r.same(r.invitation(in, i.ID), i)
	}
}

func anInvitationTakesOneApplication(r *rig) {
	in := r.landlord("dana").live
	u := r.invitable(in)
	for seed, nulls := range []float64{0, 1, 0.5} {
		i := r.invited(in, u)
		_, err := r.Application(r.Context(), in, i.ID)
		r.want(fault.Is(err, fault.NoRecord), "an application before there is one: %v", err)
		var a portfolio.Application
		(&filler{rand.New(rand.NewPCG(23, uint64(seed))), nulls}).fill(&a)
		a.Decision, a.DecidedAt, a.TenantID = "", nil, nil // nobody has decided yet
		r.ok(r.AddApplication(r.Context(), in, i.ID, &a))
		r.refused(r.AddApplication(r.Context(), in, i.ID, &portfolio.Application{}), "a second application")
		got, err := r.Application(r.Context(), in, i.ID)
		r.ok(err)
		r.same(got, a)
	}
}

func anAddressIsUnsubscribedFromOneLandlord(r *rig) {
	dana := r.landlord("dana")
	here, there := dana.live, r.landlord("robin").live
	for range 3 {
		r.ok(r.Unsubscribe(r.Context(), here, "Sam@Example.com", clock.At(noon)))
	}
	for _, ask := range []struct {
		in    access.Portfolio
		email string
		want  bool
	}{
		{here, "sam@example.com", true}, {here, "SAM@EXAMPLE.COM", true}, {here, "sam@example.co", false}, {here, "%", false},
		{there, "sam@example.com", false}, {dana.test, "sam@example.com", false},
	} {
		got, err := r.Unsubscribed(r.Context(), ask.in, ask.email)
		r.ok(err)
		r.want(got == ask.want, "%s in %d: %v", ask.email, ask.in.ID, got)
	}
}

func aLandlordIsKnownByTheirPortfolio(r *rig) {
	dana, robin, kim := r.landlord("dana"), r.landlord("robin"), r.landlord("kim")
	r.ok(r.SetMember(r.Context(), dana.account.ID, robin.ID, access.Owner, clock.At(noon)+1))
	r.ok(r.SetMember(r.Context(), dana.account.ID, kim.ID, access.Manager, clock.At(noon)+2))
	for _, in := range []access.Portfolio{dana.live, dana.test} {
		l, err := r.Landlord(r.Context(), in)
		r.ok(err)
		r.same(fmt.Sprintf("%s %s %s %v", l.AccountID, l.Name, l.Zone, l.Told(portfolio.Applications)), dana.account.ID+" dana America/Chicago [dana@example.com robin@example.com]")
	}
	_, err := r.Landlord(r.Context(), access.Portfolio{ID: 1 << 40})
	r.refused(err, "a portfolio that is not there")
}
