package upload

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/intake"
	"portal/api/portfolio/rentroll"
	"portal/api/quota"
)

// Fulfil imports an upload that was ordered, if all of it can be imported. It commits in parts, so that others
// can write meanwhile, and notes in each how far it is: whoever calls it again, in whichever process, goes on
// from there, and what two processes import at once is imported once. A small file is one part. Where the
// portfolio has changed so that the rest cannot be imported, it is not, and the upload says why.
func (s *Service) Fulfil(ctx context.Context, o Order) error {
	if _, busy := s.working.LoadOrStore(o.ID, true); busy {
		return nil
	}
	defer s.working.Delete(o.ID)
	seen, refused, err := s.fulfil(ctx, o)
	var rule *refusal
	switch {
	case errors.As(err, &rule):
		return s.giveBack(ctx, o, seen, rule.message)
	case err != nil || !refused:
		return err
	}
	return s.giveBack(ctx, o, seen, "")
}

// A transaction of an import writes at most mostLines lines of the file, bookLines at once, until it has taken
// mostTime. A line takes 0.1 to 0.5 ms.
const (
	mostLines = 64
	bookLines = 16
	mostTime  = 6 * time.Millisecond
)

// mostPlans is how often an import is planned anew for one part of it.
const mostPlans = 20

// fulfil imports an upload unless the portfolio refuses it, and tells what it has seen of it. It takes many times the
// memory of the file, so a process imports one after the other.
func (s *Service) fulfil(ctx context.Context, o Order) (seen *Row, refused bool, err error) {
	end, err := s.startImport(ctx)
	if err != nil {
		return nil, false, err
	}
	defer end()
	w, err := s.workOn(ctx, o)
	if err != nil {
		return nil, false, unlessGone(err) // it was imported meanwhile, or its demo portfolio was reset
	}
	refused, err = s.write(ctx, w)
	return &w.row, refused, err
}

// write writes what is left of an import, part by part, unless the portfolio refuses it.
func (s *Service) write(ctx context.Context, w *work) (refused bool, err error) {
	ctx = change.WithUnhurried(audit.With(ctx, audit.By{UserID: w.order.UserID}))
	for plans := 0; ; {
		if w.plan == nil {
			if plans++; plans > mostPlans {
				return false, rentroll.ErrOutOfDate
			}
			if refused, err := s.replan(ctx, w); refused || err != nil {
				return refused, err
			}
		}
		lines := w.writing.Lines
		done, err := s.part(ctx, w)
		switch {
		case errors.Is(err, rentroll.ErrOutOfDate):
			w.plan = nil
		case errors.Is(err, errTaken):
			return false, nil
		case fault.Is(err, fault.DemoLimitReached), fault.Is(err, fault.UnitLimitReached):
			return true, nil // what the part has written is rolled back
		case done || err != nil:
			return false, err
		case w.writing.Lines > lines:
			plans = 0
		}
	}
}

// work is an import under way.
type work struct {
	order   Order
	row     Row
	by      access.Actor
	preview *Preview
	weight  int // memory that it takes to read the file, in bytes
	roll    *rentroll.Roll
	names   *rentroll.Names
	at      clock.Time // when it began
	plan    *rentroll.Plan
	writing rentroll.Writing
}

// workOn reads an upload that is to be imported, or is being imported. It is fault.NotFound where it is not to be.
func (s *Service) workOn(ctx context.Context, o Order) (*work, error) {
	by, err := o.actor()
	if err != nil {
		return nil, err
	}
	w := &work{by: by, at: clock.At(s.Clock(o.In.ID))}
	u, err := s.Upload(ctx, by, o.ID)
	if err == nil && (u.Status != Queued || u.Preview == nil) {
		err = fault.NotFound("import")
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(u.Result, &w.order); err != nil {
		return nil, err
	}
	w.row, w.preview = u.Row, u.Preview
	content, err := s.content(ctx, o.In, o.ID)
	if err != nil {
		return nil, err
	}
	w.weight = weight(content)
	defer intake.Frugally(w.weight)()
	w.roll, _ = rentroll.ReadWith(content.Reader(), u.Preview.Answers)
	if w.order.Begun != nil {
		w.at = *w.order.Begun
		w.roll.Approve(u.Preview.Approved)
	}
	w.names = w.roll.Names(o.ID+w.row.Stamp(), w.at.Std()) // others when it is confirmed once more
	return w, nil
}

// replan plans what an import has to write in the portfolio as it is now, beside what it has written itself.
func (s *Service) replan(ctx context.Context, w *work) (refused bool, err error) {
	defer intake.Frugally(w.weight)()
	existing, err := w.roll.HoldOthers(ctx, s.Store, w.order.In, w.names)
	if err != nil {
		return errors.Is(err, rentroll.ErrTaken), unless(rentroll.ErrTaken, err)
	}
	plan, problems := w.roll.Plan(existing, w.at.Std(), w.by.Zone)
	begun := w.order.Begun != nil
	if len(problems) > 0 || !begun && plan.Digest() != w.preview.Digest {
		return true, nil
	}
	plan.Name(w.names)
	w.plan, w.writing = plan, plan.Begin(s.Store, s.Rules.By(w.by), w.order.In, bookLines)
	w.writing.Progress = w.order.Done
	if !begun && w.writing.Length() > mostLines {
		return false, s.rehearse(ctx, w, plan)
	}
	return false, nil
}

// errRehearsed rolls back what was tried.
var errRehearsed = errors.New("tried")

// rehearse makes the changes of a plan in transactions that are rolled back, so that one that a rule of its record
// refuses is known before the first part is written.
func (s *Service) rehearse(ctx context.Context, w *work, plan *rentroll.Plan) error {
	for some := range plan.Rehearsal(mostLines) {
		err := s.Store.Atomically(ctx, func(ctx context.Context) error {
			if err := s.Store.Lock(ctx, w.order.In); err != nil {
				return err
			}
			rules := s.Rules.By(w.by)
			for _, c := range some {
				if err := rules.Change(ctx, c); err != nil {
					return err
				}
			}
			return errRehearsed
		})
		if !errors.Is(err, errRehearsed) {
			return err
		}
	}
	return nil
}

// errTaken is that somebody else imports an upload, has imported it or has given it back.
var errTaken = errors.New("the import is somebody else's")

// part writes the next part of an import, and notes how far it is or that it is done.
func (s *Service) part(ctx context.Context, w *work) (done bool, err error) {
	var next work
	err = s.Store.Atomically(ctx, func(ctx context.Context) error {
		next = *w
		in := w.order.In
		if err := s.Store.Lock(ctx, in); err != nil {
			return err
		}
		r, err := s.Store.Upload(ctx, in, w.row.ID)
		if err != nil || r.Status != Queued || !r.same(&w.row) {
			return errors.Join(unlessGone(err), errTaken)
		}
		if next.order.Begun == nil {
			if err := w.plan.Fits(ctx, s.Store, in, ceiling(w.order.Ceiling)); err != nil {
				return err
			}
			next.order.Begun = &next.at
		}
		var more bool
		began := time.Now() //nolint:forbidigo // a measured span, not a moment anybody sees
		enough := func() bool { return time.Since(began) >= mostTime }
		if next.writing, more, err = w.writing.Write(ctx, mostLines, enough); err != nil {
			return err
		}
		if err := quota.Check(ctx, s.Store, in); err != nil {
			return err
		}
		next.order.Done = next.writing.Progress
		if done = !more; done {
			return s.finish(ctx, &next)
		}
		if next.row.Result, err = json.Marshal(next.order); err != nil {
			return err
		}
		next.row.Written, next.row.UnitsLeft = next.order.Done.Records, max(w.plan.Units-next.order.Done.Units, 0)
		return s.Store.SaveProgress(ctx, in, &next.row)
	})
	if err != nil {
		return false, err
	}
	if w.order.Begun == nil {
		next.roll.Approve(w.preview.Approved)
	}
	*w = next
	return done, nil
}

// same reports whether an import is as far as it was seen: with each part it notes where it is, and what was confirmed
// anew has another preview.
func (r *Row) same(seen *Row) bool {
	return bytes.Equal(r.Result, seen.Result) && bytes.Equal(r.Preview, seen.Preview)
}

// unless is an error but for one.
func unless(expected, err error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

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

// finish notes what was imported, in the transaction of the last part.
func (s *Service) finish(ctx context.Context, w *work) error {
	t, now := totals(w.plan), clock.At(s.Clock(w.order.In.ID))
	t.Changed = w.order.Done.Changes
	t.Skipped = max(len(w.preview.Approved)-t.Changed, 0)
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	r := &w.row
	r.Status, r.Preview, r.Result, r.FinishedAt = Done, nil, text, &now
	r.Records, r.Written = t.records(), t.records()
	if saved, err := s.Store.SaveUpload(ctx, w.order.In, r, Queued); err != nil || !saved {
		return underWay(err)
	}
	return s.Trail.Record(ctx, audit.Event{
		AccountID: w.order.AccountID,
		Action:    "import.done",
		Target:    r.ID,
		Details:   map[string]string{"mode": string(w.order.In.Mode)},
	})
}

// giveBack makes an upload ready again that could not be imported, and says why, where a rule of a record has said it.
// Where another process has gone on with it since it was seen, what looked like a change of the portfolio may be what
// that one has written: the import stays its.
func (s *Service) giveBack(ctx context.Context, o Order, seen *Row, why string) error {
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
	was, err := s.Store.Upload(ctx, o.In, o.ID)
	if err != nil {
		return unlessGone(err)
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
	p.Imported, p.Of = was.Written, was.Records
	r := Row{ID: o.ID, Status: Ready, Records: p.records()}
	if r.Preview, err = s.seal(p); err != nil {
		return err
	}
	return s.Store.Atomically(ctx, func(ctx context.Context) error {
		if err := s.Store.Lock(ctx, o.In); err != nil {
			return err
		}
		now, err := s.Store.Upload(ctx, o.In, o.ID)
		if err != nil || seen != nil && !now.same(seen) {
			return unlessGone(err)
		}
		_, err = s.Store.SaveUpload(ctx, o.In, &r, Queued)
		return err
	})
}

// GiveUp makes an upload ready again whose import failed by an error of ours.
func (s *Service) GiveUp(ctx context.Context, o Order) error { return s.giveBack(ctx, o, nil, "") }

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
