package upload

import (
	"bytes"
	"context"
	"maps"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/portfolio/rentroll"
	"portal/api/quota"
)

// Say is what somebody says of a file with some columns: answers by question, nil to take one back.
type Say func([]rentroll.Heading) (map[string]*string, error)

// DraftWith is Draft with what its sender says of the file.
func (s *Service) DraftWith(
	ctx context.Context, by access.Actor, name string, content Content, say Say,
) (*Draft, error) {
	d, err := s.Draft(ctx, by, "", name, content)
	if err != nil {
		return nil, err
	}
	u, err := s.upload(d.Row)
	if err != nil {
		return nil, err
	}
	answers, err := merged(nil, u.Preview, say)
	if err != nil || len(answers) == 0 {
		return d, err
	}
	err = s.read(ctx, by, &d.Row, content, answers, false)
	return d, err
}

// merged are answers with those that somebody adds to them.
func merged(answers rentroll.Answers, of *Preview, say Say) (rentroll.Answers, error) {
	further, err := say(of.Headings)
	if err != nil {
		return nil, err
	}
	all := rentroll.Answers{}
	maps.Copy(all, answers)
	for question, answer := range further {
		if answer == nil {
			delete(all, question)
		} else {
			all[question] = *answer
		}
	}
	if err := all.Check(); err != nil {
		return nil, fault.From(err).At("answers")
	}
	return all, nil
}

// read has the preview of a file be as it is with some answers. Before tells whether something was said of its columns.
func (s *Service) read(
	ctx context.Context, by access.Actor, r *Row, content Content, answers rentroll.Answers, before bool,
) error {
	end, err := s.startLook(ctx)
	if err != nil {
		return err
	}
	defer end()
	p, err := s.look(ctx, by.Portfolio, by.Zone, content, answers)
	if err != nil {
		return err
	}
	p.TakenBack = before && len(answers.Mapping()) == 0
	r.Records = p.records()
	r.Preview, err = s.seal(p)
	return err
}

// Reading is an upload that was looked through anew, which is not kept yet.
type Reading struct {
	Row
	before []byte // its preview then
	say    Say
}

// Reread looks an upload through anew with what somebody says of it beside what was said before, which takes as long
// as Draft. It writes nothing.
func (s *Service) Reread(ctx context.Context, by access.Actor, id string, say Say) (*Reading, error) {
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	r, err := s.Store.Upload(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	if r.Status != Ready {
		return nil, underWay(nil)
	}
	u, err := s.upload(r)
	if err != nil {
		return nil, err
	}
	answers, err := merged(u.Preview.Answers, u.Preview, say)
	if err != nil {
		return nil, err
	}
	content, err := s.content(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	n := &Reading{Row: Row{ID: id, Status: Ready}, before: r.Preview, say: say}
	before := u.Preview.TakenBack || len(u.Preview.Answers.Mapping()) > 0
	return n, s.read(ctx, by, &n.Row, content, answers, before)
}

// rereadKey is under what a transaction that runs anew finds what was looked through since.
type rereadKey struct{}

// KeepReading keeps an upload as it was looked through. Where somebody else has said something of it since, it is
// looked through once more, so that nothing of either is lost.
func (s *Service) KeepReading(ctx context.Context, by access.Actor, n *Reading) error {
	return s.Store.Atomically(ctx, func(ctx context.Context) error {
		if again, is := ctx.Value(rereadKey{}).(*Reading); is && again.ID == n.ID {
			n = again
		}
		if err := s.Store.Lock(ctx, by.Portfolio); err != nil { // of two at a time one sees what the other has said
			return err
		}
		now, err := s.Store.Upload(ctx, by.Portfolio, n.ID)
		switch {
		case err != nil:
			return err
		case now.Status != Ready:
			return underWay(nil)
		case !bytes.Equal(now.Preview, n.before):
			return &change.Beforehand{Do: func(ctx context.Context) (context.Context, error) {
				again, err := s.Reread(ctx, by, n.ID, n.say)
				return context.WithValue(ctx, rereadKey{}, again), err
			}}
		}
		saved, err := s.Store.SaveUpload(ctx, by.Portfolio, &n.Row, Ready)
		if err != nil || !saved {
			return underWay(err)
		}
		return quota.Check(ctx, s.Store, by.Portfolio)
	})
}
