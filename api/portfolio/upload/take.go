package upload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/intake"
	"portal/api/portfolio/rentroll"
	"portal/api/quota"
)

// firstLines is how many lines of a file a preview shows.
const firstLines = 10

// mostPlaces is how many properties of the portfolio are offered for lines that name none.
const mostPlaces = 100

// mostChanges is how many changes of records a preview shows.
const mostChanges = 500

// Draft is a file that was looked through and is not kept yet.
type Draft struct {
	Row
	content []byte // sealed
}

// Draft looks a file through, which takes up to a second for the largest ones. It writes
// nothing.
func (s *Service) Draft(ctx context.Context, by access.Actor, userID, name string, content Content) (*Draft, error) {
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	end, err := s.startLook(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	p, err := s.look(ctx, by.Portfolio, by.Zone, content, nil)
	if err != nil {
		return nil, err
	}
	if known, err := s.remembered(ctx, by, p.Header); err != nil {
		return nil, err
	} else if len(known) > 0 {
		if p, err = s.look(ctx, by.Portfolio, by.Zone, content, known); err != nil {
			return nil, err
		}
		p.Remembered = true
	}
	now := s.Clock(by.Portfolio.ID)
	d := &Draft{}
	if d.content, err = s.Box.SealStream(SealPurpose, content.Reader(), content.Size()); err != nil {
		return nil, err
	}
	d.Row = Row{
		ID:        id.New(id.Import, now),
		CreatedAt: clock.At(now),
		UserID:    userID,
		Name:      name,
		Size:      content.Size(),
		Status:    Ready,
		Records:   p.records(),
	}
	d.Row.Preview, err = s.seal(p)
	return d, err
}

// mostMappings is of how many headers an account remembers what their columns hold.
const mostMappings = 100

// remembered is what was said of the columns of an earlier file with a header.
func (s *Service) remembered(ctx context.Context, by access.Actor, header string) (known rentroll.Answers, err error) {
	sealed, err := s.Store.Mapping(ctx, by.AccountID, header)
	if err != nil || sealed == nil {
		return nil, err
	}
	text, err := s.Box.Open(SealPurpose, sealed)
	if err != nil {
		return nil, err
	}
	return known, json.Unmarshal([]byte(text), &known)
}

// remember keeps what was said of the columns of a file that is imported. What was taken back is forgotten.
func (s *Service) remember(ctx context.Context, by access.Actor, p *Preview) error {
	mapping := p.Answers.Mapping()
	switch {
	case p.Header != "" && p.TakenBack:
		return s.Store.ForgetMapping(ctx, by.AccountID, p.Header)
	case p.Header == "" || len(mapping) == 0:
		return nil
	}
	text, err := json.Marshal(mapping)
	if err != nil {
		return err
	}
	sealed := s.Box.Seal(SealPurpose, string(text))
	return s.Store.SaveMapping(ctx, by.AccountID, p.Header, sealed, clock.At(s.Clock(by.Portfolio.ID)), mostMappings)
}

// Keep keeps a file that was looked through. Of those that nobody imports the latest are
// kept, as far as the portfolio has room for them.
func (s *Service) Keep(ctx context.Context, by access.Actor, d *Draft) error {
	return s.Store.Atomically(ctx, func(ctx context.Context) error {
		if by.Portfolio.Mode == access.Test { // what it holds is counted until the transaction ends
			if err := s.Store.Lock(ctx, by.Portfolio); err != nil {
				return err
			}
		}
		added, err := s.Store.AddUpload(ctx, by.Portfolio, &d.Row, d.content, MostWaiting, MostKept)
		if err != nil {
			return err
		}
		if !added {
			return fault.New(
				fault.InvalidTransition,
				"The portfolio keeps at most %d MB of files that are not imported yet, "+
					"and with this one there would be more. Import or discard one of the earlier files, then "+
					"upload this one again.",
				MostKept>>20,
			)
		}
		return quota.Check(ctx, s.Store, by.Portfolio)
	})
}

// look tells what an import of a file would do at this moment. Its caller has called startLook.
func (s *Service) look(
	ctx context.Context, in access.Portfolio, zone *time.Location, content Content, answers rentroll.Answers,
) (*Preview, error) {
	p := &Preview{At: clock.At(s.Clock(in.ID)), Answers: answers}
	plan, err := s.plan(ctx, in, zone, content, answers, p)
	if err != nil || plan == nil {
		return p, err
	}
	p.Totals, p.Lines = totals(plan), plan.Lines(firstLines)
	p.Notes = append(p.Notes, plan.Notes...)
	p.Changes = plan.Changes[:min(mostChanges, len(plan.Changes))]
	p.Counts, p.Digest, p.Same, p.Missing = map[string]int{}, plan.Digest(), plan.Same, plan.Missing
	p.Approved = plan.Approved()
	for i := range plan.Changes {
		p.Counts[string(plan.Changes[i].Kind)]++
	}
	return p, nil
}

// plan settles what an import of a file would write at this moment, and notes in a preview what is to be known of the
// file. It is nil where the file has problems. Its caller has called startLook.
func (s *Service) plan(
	ctx context.Context,
	in access.Portfolio,
	zone *time.Location,
	content Content,
	answers rentroll.Answers,
	p *Preview,
) (*rentroll.Plan, error) {
	defer intake.Frugally(weight(content))()
	roll, _ := rentroll.ReadWith(content.Reader(), answers) // Plan tells its problems too
	existing, err := roll.Hold(ctx, s.Store, in)
	if err != nil {
		return nil, err
	}
	plan, problems := roll.Plan(existing, s.Clock(in.ID), zone)
	p.Totals = Totals{Units: roll.Units()}
	p.Notes, p.Headings, p.Problems = roll.Notes(), roll.Headings(), problems
	p.Places, p.Header = existing.Places(mostPlaces), roll.Header()
	return plan, nil
}

// Lines are the lines of an upload's plan, from an index on at most so many, of those that have all words of a search;
// and how many of them there are. There are none while the file has problems. Reading takes as long as Draft.
func (s *Service) Lines(
	ctx context.Context, by access.Actor, id, search string, from, most int,
) (lines []rentroll.Line, found int, err error) {
	end, err := s.startLook(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer end()
	answers, err := s.answers(ctx, by.Portfolio, id)
	if err != nil {
		return nil, 0, err
	}
	content, err := s.content(ctx, by.Portfolio, id)
	if err != nil {
		return nil, 0, err
	}
	plan, err := s.plan(ctx, by.Portfolio, by.Zone, content, answers, &Preview{})
	if err != nil || plan == nil {
		return nil, 0, err
	}
	lines, found = plan.Search(search, from, most)
	return lines, found, nil
}

func totals(p *rentroll.Plan) Totals {
	changed := 0
	for range p.Ticked() {
		changed++
	}
	return Totals{
		Properties: p.Properties,
		Joined:     len(p.Joined),
		Units:      p.Units,
		Tenants:    p.Tenants,
		Leases:     p.Leases,
		Balances:   p.Balances,
		Changed:    changed,
	}
}

// Upload is one upload, with the units that the portfolio has and may have at this moment.
func (s *Service) Upload(ctx context.Context, by access.Actor, id string) (*Upload, error) {
	r, err := s.Store.Upload(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	u, err := s.upload(r)
	if err != nil || u.Preview == nil {
		return u, err
	}
	u.Preview.Ceiling = by.Units
	u.Preview.Used, err = s.Store.UnitCount(ctx, by.Portfolio)
	u.Preview.Used -= u.UnitsLeft
	return u, err
}

// Uploads are the latest, without their previews.
func (s *Service) Uploads(ctx context.Context, by access.Actor, most int) ([]Upload, error) {
	rows, err := s.Store.Uploads(ctx, by.Portfolio, most)
	if err != nil {
		return nil, err
	}
	all := make([]Upload, len(rows))
	for i := range rows {
		rows[i].Preview = nil
		u, err := s.upload(rows[i])
		if err != nil {
			return nil, err
		}
		all[i] = *u
	}
	return all, nil
}

// Check looks an upload through anew: the portfolio may have changed since.
func (s *Service) Check(ctx context.Context, by access.Actor, id string) (*Upload, error) {
	return s.Answer(ctx, by, id, nil)
}

// Answer looks an upload through anew with what somebody has said of it beside what was said before. A nil answer takes
// back what was said. One that is none is fault.InvalidField. What somebody else says at the same time is kept.
func (s *Service) Answer(
	ctx context.Context, by access.Actor, id string, answers map[string]*string,
) (*Upload, error) {
	say := func([]rentroll.Heading) (map[string]*string, error) { return answers, nil }
	n, err := s.Reread(ctx, by, id, say)
	if err != nil {
		return nil, err
	}
	var changed *change.Beforehand
	for err = s.KeepReading(ctx, by, n); errors.As(err, &changed); err = s.KeepReading(ctx, by, n) {
		if n, err = s.Reread(ctx, by, id, say); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	return s.Upload(ctx, by, id)
}

// answers are those with which an upload was looked through last.
func (s *Service) answers(ctx context.Context, in access.Portfolio, id string) (rentroll.Answers, error) {
	r, err := s.Store.Upload(ctx, in, id)
	if err != nil {
		return nil, err
	}
	u, err := s.upload(r)
	if err != nil || u.Preview == nil || u.Preview.Answers == nil {
		return rentroll.Answers{}, err
	}
	return u.Preview.Answers, nil
}

// underWay is what is said of an upload that is not ready any more.
func underWay(err error) error {
	if err != nil {
		return err
	}
	return fault.New(fault.InvalidTransition, "This file is being imported or was already imported.")
}

func (s *Service) content(ctx context.Context, in access.Portfolio, id string) (Text, error) {
	sealed, err := s.Store.UploadContent(ctx, in, id)
	if err != nil {
		return "", err
	}
	text, err := s.Box.Open(SealPurpose, sealed)
	return Text(text), err
}

// Stamp names the reading of the file that the upload holds: another for each time that it was looked through, however
// little changed. The time would not do, which stands still in a portfolio with a clock of its own.
func (r *Row) Stamp() string {
	sum := sha256.Sum256(r.Preview) // sealed, which no two are alike
	return hex.EncodeToString(sum[:12])
}

// AsItIs is seen by who confirms an upload however it was read last.
const AsItIs = "*"

// Confirm has an upload imported, once however often it is confirmed: begun says whether this was the first time. What
// has problems or passes the ceiling of units is refused, and so is what was read anew since somebody saw its Stamp:
// another member may have answered something.
func (s *Service) Confirm(
	ctx context.Context, by access.Actor, userID, id, seen string,
) (begun bool, err error) {
	if err := by.Need(access.Write); err != nil {
		return false, err
	}
	err = s.Store.Atomically(ctx, func(ctx context.Context) error {
		begun = false
		if err := s.Store.Lock(ctx, by.Portfolio); err != nil { // nobody answers something meanwhile
			return err
		}
		u, err := s.Upload(ctx, by, id)
		switch {
		case err != nil:
			return err
		case u.Status != Ready:
			return nil
		case len(u.Preview.Problems) > 0:
			return fault.New(fault.InvalidTransition, "The file has problems. Fix them and upload it again.")
		case u.Preview.Over():
			return fault.New(fault.UnitLimitReached,
				"The portfolio has %d units and the file adds %d, but the plan's limit is %d.",
				u.Preview.Used, u.Preview.Units, *u.Preview.Ceiling)
		case seen != AsItIs && u.Row.Stamp() != seen:
			return fault.New(fault.InvalidTransition, "Somebody has changed how this file is read. Review it again.")
		}
		if err := quota.Room(ctx, s.Store, by.Portfolio, u.Row.Records); err != nil {
			return err
		}
		if begun, err = s.order(ctx, by, userID, &u.Row); err != nil || !begun {
			return err
		}
		return s.remember(ctx, by, u.Preview)
	})
	return begun, err
}

// order queues an upload.
func (s *Service) order(ctx context.Context, by access.Actor, userID string, r *Row) (bool, error) {
	o := Order{
		In:        by.Portfolio,
		ID:        r.ID,
		AccountID: by.AccountID,
		UserID:    userID,
		Ceiling:   by.Units,
		Zone:      by.Zone.String(),
		Scopes:    by.Scopes,
		KeyID:     by.KeyID,
		Role:      by.Role,
	}
	text, err := json.Marshal(o)
	if err != nil {
		return false, err
	}
	r.Status, r.Result, r.Written = Queued, text, 0
	if moved, err := s.Store.SaveUpload(ctx, by.Portfolio, r, Ready); err != nil || !moved {
		return false, err
	}
	if err := s.Trail.Record(ctx, audit.Event{
		AccountID: by.AccountID,
		Action:    "import.confirmed",
		Target:    r.ID,
		Details:   map[string]string{"mode": string(by.Portfolio.Mode)},
	}); err != nil {
		return false, err
	}
	return true, s.Queue.Import(ctx, o)
}

// Discard forgets an upload that was not confirmed.
func (s *Service) Discard(ctx context.Context, by access.Actor, id string) error {
	if err := by.Need(access.Write); err != nil {
		return err
	}
	if _, err := s.Store.Upload(ctx, by.Portfolio, id); err != nil {
		return err
	}
	if dropped, err := s.Store.DropUpload(ctx, by.Portfolio, id); err != nil || !dropped {
		return underWay(err)
	}
	return nil
}
