package tenantportal

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/attachment"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/ticket"
	"portal/api/quota"
	"portal/api/triage"
)

// What a link takes within a day.
const (
	MostTickets = 10
	MostPhotos  = 20
	// MostEmergencies is how many emergencies it takes beyond MostTickets.
	MostEmergencies = 50
	// mostFiles is how many pictures are looked at within a day, those among them that are refused or sent again:
	// converting one takes many times the work of sending it.
	mostFiles = 60
)

// day is what those limits count within, and for how long a photo waits for its ticket.
var day = clock.Time((24 * time.Hour).Milliseconds())

// mostListed is how many of a tenant's tickets a page shows, the newest ones.
const mostListed = 100

// Report is what a tenant says of something to be repaired.
type Report struct {
	// What is wrong.
	Description string `json:"description" format:"text" minlen:"1" maxlen:"10000"`
	// Whether the home may be entered.
	EntryPermission portfolio.EntryPermission `json:"entry_permission" default:"unknown"`
	// What to know before entering.
	EntryNotes *string `json:"entry_notes" format:"text" maxlen:"1000"`
	// Photos that wait for the ticket, by their ids.
	Photos []string `json:"-"`
}

// Comment is what a tenant adds to a ticket.
type Comment struct {
	// What to say.
	Words string `json:"words" format:"text" minlen:"1" maxlen:"5000"`
}

// Urgent reports whether triage takes a text for an emergency.
func (s *Service) Urgent(text string) bool { return s.Triage.Triage(text).Priority == triage.Emergency }

// Resides reports whether the tenant lives there today and can report what is to be repaired.
func (v *Visit) Resides() bool {
	home := v.Home()
	if home.Status != portfolio.LeaseActive {
		return false
	}
	for i := range home.Tenants {
		if home.Tenants[i].ID == v.Tenant.ID {
			return home.Tenants[i].Role != portfolio.PartyGuarantor
		}
	}
	return false
}

// Submit makes a ticket of a report, with the event that tells of it, in the transaction of the context or one of
// its own. The eleventh of a link within a day is fault.RateLimited, unless it is an emergency.
func (s *Service) Submit(ctx context.Context, v *Visit, r Report) (*portfolio.Ticket, error) {
	var made *portfolio.Ticket
	err := s.Tx.Exclusively(ctx, v.By.Portfolio, func(ctx context.Context) (err error) {
		if err := s.goesOn(ctx, v); err != nil {
			return err
		}
		err = s.count(ctx, v, "tickets", 1, MostTickets)
		if fault.Is(err, fault.RateLimited) && s.Urgent(r.Description) {
			err = s.count(ctx, v, "emergencies", 1, MostEmergencies)
		}
		if err != nil {
			return err
		}
		made, err = s.submit(ctx, v, r)
		return err
	})
	return made, err
}

// SubmitFor is Submit in a demo portfolio for a tenant whom nobody asks, as often as it happens.
func (s *Service) SubmitFor(
	ctx context.Context, by access.Actor, tenantID string, r Report,
) (made *portfolio.Ticket, err error) {
	err = s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		v, err := s.Preview(ctx, by, tenantID)
		if err != nil {
			return err
		}
		made, err = s.submit(ctx, v, r)
		return err
	})
	return made, err
}

func (s *Service) submit(ctx context.Context, v *Visit, r Report) (*portfolio.Ticket, error) {
	if !v.Resides() {
		return nil, fault.New(fault.InvalidTransition, "Only people who live in the home now can send tickets.")
	}
	made, err := s.rules.Tickets.SubmitTicket(ctx, v.By, ticket.Create{
		UnitID:          &v.Home().UnitID,
		Description:     r.Description,
		EntryPermission: r.EntryPermission,
		EntryNotes:      r.EntryNotes,
	}, r.Photos)
	if err != nil {
		return nil, err
	}
	return made.After, nil
}

// goesOn keeps the language of the form, and returns fault.NotFound where the link of a visit has ended since the
// visit began, or is gone: a form with photos may take minutes to come.
func (s *Service) goesOn(ctx context.Context, v *Visit) error {
	l, err := s.store.LinkByID(ctx, v.By.Portfolio, v.Link.ID)
	if err == nil && l.EndedAt != nil {
		err = fault.NotFound("page")
	}
	if err != nil {
		return err
	}
	return s.keepLanguage(ctx, v)
}

// Receive counts pictures before they are converted. More than 60 of a link within a day are fault.RateLimited.
func (s *Service) Receive(ctx context.Context, v *Visit, pictures int) error {
	if pictures == 0 {
		return nil
	}
	return s.Tx.Exclusively(ctx, v.By.Portfolio, func(ctx context.Context) error {
		return s.count(ctx, v, "files", pictures, mostFiles)
	})
}

// count counts what a link takes, and refuses what is more than so many within a day.
func (s *Service) count(ctx context.Context, v *Visit, what string, n, most int) error {
	now := clock.At(s.Now(v.By.Portfolio))
	for range n {
		wait, err := s.store.CountMail(ctx, what+" "+v.Link.ID, now, day, most)
		if err != nil {
			return err
		}
		if wait > 0 {
			f := fault.New(fault.RateLimited, "You can send at most %d %s per day.", most, what).At(what)
			f.Retry = int((wait + 999) / 1000)
			return f
		}
	}
	return nil
}

// KeepPhotos keeps photos until the ticket that they belong to is sent, for a day at most, and gives their ids; in
// the transaction of the context or one of its own. The 21st of a link within a day is fault.RateLimited.
func (s *Service) KeepPhotos(ctx context.Context, v *Visit, photos []attachment.Photo) (ids []string, err error) {
	err = s.Tx.Exclusively(ctx, v.By.Portfolio, func(ctx context.Context) error {
		ids = nil
		if err := s.goesOn(ctx, v); err != nil {
			return err
		}
		if err := s.count(ctx, v, "photos", len(photos), MostPhotos); err != nil {
			return err
		}
		now := s.Now(v.By.Portfolio)
		for i := range photos {
			p := ticket.Picture{
				Photo: portfolio.Photo{
					ID:     id.New(id.Photo, now),
					Width:  photos[i].Width,
					Height: photos[i].Height,
				},
				CreatedAt: clock.At(now),
				TenantID:  v.Tenant.ID,
				Content:   photos[i].Content,
				Thumbnail: photos[i].Thumbnail,
				ExpiresAt: new(clock.At(now) + day),
			}
			if err := s.store.AddPhoto(ctx, v.By.Portfolio, &p); err != nil {
				return err
			}
			ids = append(ids, p.ID)
		}
		return quota.Check(ctx, s.Tx, v.By.Portfolio) // they take room before any ticket has them
	})
	return ids, err
}

// Waiting are those photos of some ids that still wait for their ticket.
func (s *Service) Waiting(ctx context.Context, v *Visit, ids []string) (portfolio.Photos, error) {
	var known []string
	for _, p := range ids {
		if id.Valid(id.Photo, p) && len(known) < portfolio.MostPhotos {
			known = append(known, p)
		}
	}
	if len(known) == 0 {
		return portfolio.Photos{}, nil
	}
	return s.store.WaitingPhotos(ctx, v.By.Portfolio, v.Tenant.ID, known)
}

// Tickets are those that the tenant has submitted, the newest first.
func (s *Service) Tickets(ctx context.Context, v *Visit) ([]portfolio.Ticket, error) {
	found, err := s.rules.Tickets.Tickets(ctx, v.By, portfolio.TicketFilter{
		Query:    list.Query{Limit: mostListed, Newest: true},
		TenantID: v.Tenant.ID,
	})
	if err != nil {
		return nil, err
	}
	var own []portfolio.Ticket
	for i := range found.Data {
		if ticket.Followed(&found.Data[i]) {
			own = append(own, found.Data[i])
		}
	}
	return own, nil
}

// Ticket is one that the tenant has submitted, or fault.NotFound.
func (s *Service) Ticket(ctx context.Context, v *Visit, ticketID string) (*portfolio.Ticket, error) {
	if !id.Valid(id.Ticket, ticketID) {
		return nil, fault.NotFound("maintenance ticket")
	}
	t, err := s.rules.Tickets.Ticket(ctx, v.By, ticketID)
	if err == nil && (!ticket.Followed(t) || *t.TenantID != v.Tenant.ID) {
		err = fault.NotFound("maintenance ticket")
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// Activities are what happened to a ticket of the tenant, the first one first.
func (s *Service) Activities(ctx context.Context, v *Visit, ticketID string) ([]portfolio.TicketActivity, error) {
	if _, err := s.Ticket(ctx, v, ticketID); err != nil {
		return nil, err
	}
	return s.rules.Tickets.Activities(ctx, v.By, ticketID)
}

// Photo is a photo of a ticket of the tenant as JPEG, or its thumbnail, or fault.NotFound.
func (s *Service) Photo(
	ctx context.Context, v *Visit, ticketID, photoID string, thumbnail bool,
) ([]byte, error) {
	if _, err := s.Ticket(ctx, v, ticketID); err != nil {
		return nil, err
	}
	return s.rules.Tickets.Photo(ctx, v.By, ticketID, photoID, thumbnail)
}

// Add adds words and photos that wait to a ticket of the tenant, "" and none for nothing; in the transaction of
// the context or one of its own.
func (s *Service) Add(ctx context.Context, v *Visit, ticketID, words string, photos []string) error {
	return s.Tx.Exclusively(ctx, v.By.Portfolio, func(ctx context.Context) error {
		if err := s.goesOn(ctx, v); err != nil {
			return err
		}
		if err := s.count(ctx, v, "comments", 1, mostComments); err != nil {
			return err
		}
		if words != "" {
			if _, err := s.rules.Tickets.Comment(ctx, v.By, ticketID, v.Tenant.Name, words); err != nil {
				return err
			}
		}
		if len(photos) == 0 {
			return nil
		}
		_, err := s.rules.Tickets.AddPhotos(ctx, v.By, ticketID, photos)
		return err
	})
}

// mostComments is how often a link adds something to its tickets within a day.
const mostComments = 50

// Cancellable reports whether the tenant can cancel a ticket: nobody has begun.
func Cancellable(t *portfolio.Ticket) bool { return t.Status == portfolio.TicketOpen }

// Cancel cancels a ticket of the tenant that nobody has begun.
func (s *Service) Cancel(ctx context.Context, v *Visit, ticketID string) error {
	return s.Tx.Exclusively(ctx, v.By.Portfolio, func(ctx context.Context) error {
		if err := s.goesOn(ctx, v); err != nil {
			return err
		}
		t, err := s.Ticket(ctx, v, ticketID)
		switch {
		case err != nil:
			return err
		case t.Status == portfolio.TicketCancelled:
			return nil
		case !Cancellable(t):
			return fault.New(fault.InvalidTransition, "Work on it has started. Send a message instead.")
		}
		_, err = s.rules.Tickets.UpdateTicket(ctx, v.By, change.Target{ID: t.ID},
			ticket.Update{Status: change.To(portfolio.TicketCancelled)})
		return err
	})
}

// Phone is the landlord's number for everyday matters and emergencies, "" where none is known.
func (s *Service) Phone(ctx context.Context, v *Visit) (string, error) {
	d, err := s.agreements.Details(ctx, v.By)
	if err != nil || d.Phone == nil {
		return "", err
	}
	return *d.Phone, nil
}
