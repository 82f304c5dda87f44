package ticket

import (
	"context"
	"slices"
	"strconv"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/quota"
)

// Picture is a photo of a tenant with its content.
type Picture struct {
	portfolio.Photo
	CreatedAt clock.Time
	TenantID  string
	TicketID  *string // nil while it waits for its ticket
	Content   []byte  // JPEG
	Thumbnail []byte  // JPEG
	ExpiresAt *clock.Time
}

// Followed reports whether tenant and landlord follow a ticket together: a tenant has submitted it.
func Followed(t *portfolio.Ticket) bool { return t.Source == portfolio.FromTenant && t.TenantID != nil }

// Activities are what happened to a ticket, the first one first.
func (s *Tickets) Activities(
	ctx context.Context, by access.Actor, ticketID string,
) ([]portfolio.TicketActivity, error) {
	return s.store.Activities(ctx, by.Portfolio, ticketID, 0)
}

// Look notes that a member of the account has looked at a ticket that has something new for them. What its tenant has
// written since it was read stays new.
func (s *Tickets) Look(ctx context.Context, by access.Actor, t *portfolio.Ticket) error {
	if !t.New() {
		return nil
	}
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		return s.store.SeeTicket(ctx, by.Portfolio, t.ID, *t.TenantWroteAt)
	})
}

// Comment adds words to a ticket that both follow; the tenant where the actor is one, else the landlord, by their
// name.
func (s *Tickets) Comment(
	ctx context.Context, by access.Actor, ticketID, author, words string,
) (*portfolio.Ticket, error) {
	return s.add(ctx, by, ticketID, func(*portfolio.Ticket) (*portfolio.TicketActivity, error) {
		return &portfolio.TicketActivity{Kind: portfolio.ActivityComment, Author: author, Words: words}, nil
	})
}

// AddPhotos gives photos that wait to a ticket of the tenant who asks.
func (s *Tickets) AddPhotos(
	ctx context.Context, by access.Actor, ticketID string, ids []string,
) (*portfolio.Ticket, error) {
	return s.add(ctx, by, ticketID, func(t *portfolio.Ticket) (*portfolio.TicketActivity, error) {
		photos, err := s.waiting(ctx, by, ids, portfolio.MostPhotos-len(t.Photos))
		if err != nil {
			return nil, err
		}
		t.Photos = append(slices.Clip(t.Photos), photos...)
		t.Revise(clock.At(s.Now(by.Portfolio)))
		if err := s.store.SaveTicket(ctx, by.Portfolio, t); err != nil {
			return nil, err
		}
		if err := s.store.AttachPhotos(ctx, by.Portfolio, by.TenantID, t.ID, ids); err != nil {
			return nil, err
		}
		return &portfolio.TicketActivity{Kind: portfolio.ActivityPhotos, Words: strconv.Itoa(len(photos))}, nil
	})
}

// waiting are photos of the tenant who asks that wait for a ticket, of which there is room for so many.
func (s *Tickets) waiting(ctx context.Context, by access.Actor, ids []string, room int) (portfolio.Photos, error) {
	if len(ids) > room {
		return nil, fault.New(fault.InvalidField, "A ticket takes at most %d photos.", portfolio.MostPhotos).At(
			"photos",
		)
	}
	if len(ids) == 0 {
		return portfolio.Photos{}, nil
	}
	photos, err := s.store.WaitingPhotos(ctx, by.Portfolio, by.TenantID, ids)
	if err == nil && len(photos) != len(ids) {
		err = fault.New(fault.InvalidField, "A photo is gone. Add your photos again.").At("photos")
	}
	return photos, err
}

// add writes what happened to a ticket that both follow, and tells the other one.
func (s *Tickets) add(
	ctx context.Context, by access.Actor, ticketID string,
	what func(*portfolio.Ticket) (*portfolio.TicketActivity, error),
) (t *portfolio.Ticket, err error) {
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	err = s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		found, err := s.store.Ticket(ctx, by.Portfolio, ticketID)
		if err != nil {
			return err
		}
		t = &found
		if !Followed(t) || by.TenantID != "" && *t.TenantID != by.TenantID {
			return fault.NotFound("maintenance ticket")
		}
		a, err := what(t)
		if err != nil {
			return err
		}
		if err := s.happened(ctx, by, t, a); err != nil {
			return err
		}
		if err := s.tell(ctx, by, t, a.Reader()); err != nil {
			return err
		}
		return quota.Check(ctx, s.Tx, by.Portfolio)
	})
	return t, err
}

// happened writes what happened to a ticket.
func (s *Tickets) happened(
	ctx context.Context, by access.Actor, t *portfolio.Ticket, a *portfolio.TicketActivity,
) error {
	now := s.Now(by.Portfolio)
	a.ID, a.CreatedAt, a.TicketID = id.New(id.Activity, now), clock.At(now), t.ID
	a.ByTenant = by.TenantID != ""
	if err := s.store.AddActivity(ctx, by.Portfolio, a); err != nil {
		return err
	}
	if !a.ByTenant {
		return nil
	}
	return s.store.TenantWrote(ctx, by.Portfolio, t.ID, a.CreatedAt)
}

// tell has somebody emailed about a ticket.
func (s *Tickets) tell(ctx context.Context, by access.Actor, t *portfolio.Ticket, to portfolio.TicketReader) error {
	if s.Notices == nil {
		return nil
	}
	return s.Notices.TicketChanged(ctx, by, t, to)
}

// followUpdate writes down for tenant and landlord what an update has changed that both follow, and tells the one who
// did not do it of all of it.
func (s *Tickets) followUpdate(ctx context.Context, by access.Actor, m *change.Result[portfolio.Ticket]) error {
	if !Followed(m.After) {
		return nil
	}
	all := updated(m)
	for i := range all {
		if err := s.happened(ctx, by, m.After, &all[i]); err != nil {
			return err
		}
	}
	if len(all) == 0 {
		return nil
	}
	return s.tell(ctx, by, m.After, all[0].Reader())
}

// updated is what an update has changed that tenant and landlord follow.
func updated(m *change.Result[portfolio.Ticket]) (all []portfolio.TicketActivity) {
	if m.Before.Status != m.After.Status {
		all = append(all, portfolio.TicketActivity{Kind: portfolio.ActivityStatus, Status: m.After.Status})
	}
	if !change.Same(m.Before.ScheduledStart, m.After.ScheduledStart) ||
		!change.Same(m.Before.ScheduledEnd, m.After.ScheduledEnd) {
		all = append(all, portfolio.TicketActivity{
			Kind:  portfolio.ActivityVisit,
			Start: m.After.ScheduledStart,
			End:   m.After.ScheduledEnd,
		})
	}
	return all
}

// link gives the photos of tickets the addresses that open them for an hour.
func (s *Tickets) link(t *portfolio.Ticket, now time.Time) {
	if s.Photos == nil {
		return
	}
	t.Link(func(photoID string) string { return s.Photos.PhotoLink(photoID, now) })
}

// Photo is a photo of a ticket as JPEG, or its thumbnail.
func (s *Tickets) Photo(
	ctx context.Context, by access.Actor, ticketID, photoID string, thumbnail bool,
) ([]byte, error) {
	if !id.Valid(id.Ticket, ticketID) || !id.Valid(id.Photo, photoID) {
		return nil, fault.NotFound("photo")
	}
	return s.store.Photo(ctx, by.Portfolio, ticketID, photoID, thumbnail)
}
