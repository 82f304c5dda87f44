package upload

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll"
)

// Fulfil imports an upload that was ordered. It may be asked for again and again, by several
// processes at once: the upload is imported once, in one transaction with the note that it
// was. Where the portfolio has changed so that it cannot be, nothing is written, and the
// upload says why.
func (s *Service) Fulfil(ctx context.Context, o Order) error {
	if _, busy := s.working.LoadOrStore(o.ID, true); busy {
		return nil
	}
	defer s.working.Delete(o.ID)
	refused, err := s.fulfil(ctx, o)
	var rule *refusal
	switch {
	case errors.As(err, &rule):
		return s.giveBack(ctx, o, rule.message)
	case err != nil || !refused:
		return err
	}
	return s.giveBack(ctx, o, "")
}

// fulfil imports an upload unless the portfolio refuses it. It takes many times the memory of the
// file, so a process imports one after the other.
func (s *Service) fulfil(ctx context.Context, o Order) (refused bool, err error) {
	end, err := s.startImport(ctx)
	if err != nil {
		return false, err
	}
	defer end()
	content, err := s.content(ctx, o.In, o.ID)
	if fault.Is(err, fault.NoRecord) {
		return false, nil // it was imported meanwhile, or its demo portfolio was reset
	}
	if err != nil {
		return false, err
	}
	by, err := o.actor()
	if err != nil {
		return false, err
	}
	u, err := s.Upload(ctx, by, o.ID)
	if err != nil || u.Preview == nil {
		return false, unlessGone(err)
	}
	roll, _ := rentroll.ReadWith(content.Reader(), u.Preview.Answers)
	ctx = audit.With(ctx, audit.By{UserID: o.UserID})
	err = s.Store.Atomically(ctx, func(ctx context.Context) error {
		if err := s.Store.Lock(ctx, o.In); err != nil {
			return err
		}
		refused = false
		r, err := s.Store.Upload(ctx, o.In, o.ID)
		if err != nil || r.Status != Queued || !bytes.Equal(r.Preview, u.Row.Preview) {
			return unlessGone(err) // what was confirmed anew meanwhile has an order of its own
		}
		store := &counting{Store: s.Store, of: o}
		plan, problems, err := roll.Import(
			ctx, store, s.Rules.By(by), o.In, ceiling(o.Ceiling), s.Clock(o.In.ID), by.Zone,
		)
		if err == nil && plan != nil && plan.Digest() != u.Preview.Digest {
			return errOtherChanges // what was written is rolled back
		}
		if fault.Is(err, fault.DemoLimitReached) {
			return err // what was written is rolled back
		}
		if refused = fault.Is(err, fault.UnitLimitReached) || len(problems) > 0; refused {
			return nil // nothing was written
		}
		if err != nil {
			return err
		}
		return s.finish(ctx, o, &r, plan)
	})
	if fault.Is(err, fault.DemoLimitReached) || errors.Is(err, errOtherChanges) {
		return true, nil
	}
	return refused, err
}

// errOtherChanges is that an import would change other records, or in another way, than its preview has said.
var errOtherChanges = errors.New("the changes are others than those that were confirmed")

func unlessGone(err error) error {
	if fault.Is(err, fault.NoRecord) {
		return nil
	}
	return err
}

// ceiling is the most units that a portfolio may have.
func ceiling(of *int) int {
	if of == nil {
		return math.MaxInt
	}
	return *of
}

// finish notes what was imported, in the transaction that imported it.
func (s *Service) finish(ctx context.Context, o Order, r *Row, plan *rentroll.Plan) error {
	t, now := totals(plan), clock.At(s.Clock(o.In.ID))
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	r.Status, r.Preview, r.Result, r.FinishedAt = Done, nil, text, &now
	r.Records, r.Written = t.records(), t.records()
	if saved, err := s.Store.SaveUpload(ctx, o.In, r, Queued); err != nil ||
		!saved { // it was given back meanwhile
		return underWay(err)
	}
	return s.Trail.Record(ctx, audit.Event{
		AccountID: o.AccountID,
		Action:    "import.done",
		Target:    o.ID,
		Details:   map[string]string{"mode": string(o.In.Mode)},
	})
}

// giveBack makes an upload ready again that could not be imported, and says why, where a rule of a record has said it.
func (s *Service) giveBack(ctx context.Context, o Order, why string) error {
	end, err := s.startLook(ctx)
	if err != nil {
		return err
	}
	defer end()
	content, err := s.content(ctx, o.In, o.ID)
	if err != nil {
		return unlessGone(err)
	}
	zone, err := clock.Zone(o.Zone)
	if err != nil {
		return err
	}
	answers, err := s.answers(ctx, o.In, o.ID)
	if err != nil {
		return unlessGone(err)
	}
	p, err := s.look(ctx, o.In, zone, content, answers)
	if err != nil {
		return err
	}
	p.Refused, p.Why = true, why
	r := Row{ID: o.ID, Status: Ready, Records: p.records()}
	if r.Preview, err = s.seal(p); err != nil {
		return err
	}
	_, err = s.Store.SaveUpload(ctx, o.In, &r, Queued)
	return err
}

// GiveUp makes an upload ready again whose import failed by an error of ours.
func (s *Service) GiveUp(ctx context.Context, o Order) error { return s.giveBack(ctx, o, "") }

// Resume imports whatever is ordered and nobody imports: what a killed process left. One
// that fails keeps no other back.
func (s *Service) Resume(ctx context.Context) error {
	orders, err := s.Store.QueuedUploads(ctx)
	failed := []error{err}
	for _, text := range orders {
		var o Order
		err := json.Unmarshal(text, &o)
		if err == nil {
			err = s.Fulfil(ctx, o)
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// counting notes how many records were written.
type counting struct {
	Store
	of      Order
	written int
}

// AddProperties is rentroll.Store.
func (c *counting) AddProperties(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	if err := c.Store.AddProperties(ctx, in, b); err != nil {
		return err
	}
	return c.note(ctx, in, len(b.Properties)+len(b.Units))
}

// AddPeople is rentroll.Store.
func (c *counting) AddPeople(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	if err := c.Store.AddPeople(ctx, in, b); err != nil {
		return err
	}
	return c.note(ctx, in, len(b.Tenants)+len(b.Leases))
}

// AddPayments is rentroll.Store.
func (c *counting) AddPayments(ctx context.Context, in access.Portfolio, all []portfolio.Payment) error {
	if err := c.Store.AddPayments(ctx, in, all); err != nil {
		return err
	}
	return c.note(ctx, in, len(all))
}

func (c *counting) note(ctx context.Context, in access.Portfolio, n int) error {
	c.written += n
	return c.NoteWritten(ctx, in, c.of.ID, c.written)
}
