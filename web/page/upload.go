package page

import (
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"time"

	"portal/api/access"
	"portal/api/intake"
)

const (
	// uploadsAtOnce is how many forms with files are read at a time, and uploadWait how long
	// others wait for their turn.
	uploadsAtOnce = 2
	uploadWait    = 10 * time.Second
	// uploadTime is how long sending one may take, from its turn on.
	uploadTime = 30 * time.Second
	// guestTime is that of people without an account. One address may send ten a minute (limit.go), which is
	// less than all of them that are read at a time take.
	guestTime = 10 * time.Second
	// linkUploads, linkWait and linkTime are those of people with a link, of whom nobody else has any: a phone
	// sends several photos, and slowly. Bytes go to the disk, so it costs little that many send at a time.
	linkUploads = 8
	linkWait    = 20 * time.Second
	linkTime    = 2 * time.Minute
	// ownUploads is how many forms with files one link sends at a time: no tenant keeps others from reporting.
	ownUploads = 2
	// linkWork and linkAnswer are for how long the work on such a form and its answer go on once it was sent.
	linkWork   = 45 * time.Second
	linkAnswer = 60 * time.Second
	// partCost is what each part of a form counts beside what it holds, in bytes.
	partCost = 64
)

// intakes are what all forms with files of a shell share. People without an account wait for one another
// alone: however slowly they send, members do not wait for them.
type intakes struct {
	gate   *intake.Gate
	guests *intake.Gate
	links  *intake.Gate   // of live portfolios
	demos  *intake.Gate   // of demo portfolios
	own    *intake.Queues // of each link
	spool  *intake.Spool
}

// newIntakes reads files into a spool, nil for the folder of the system.
func newIntakes(spool *intake.Spool) intakes {
	if spool == nil {
		spool = &intake.Spool{}
	}
	return intakes{
		gate:   intake.NewGate(uploadsAtOnce, uploadWait),
		guests: intake.NewGate(uploadsAtOnce, uploadWait),
		links:  intake.NewGate(linkUploads, linkWait),
		demos:  intake.NewGate(linkUploads, linkWait),
		own:    intake.NewQueues(ownUploads, linkWait),
		spool:  spool,
	}
}

// Upload is the file that a form holds, until its request is answered.
type Upload struct {
	*intake.File                // nil where the form holds none
	Name         string         // of the file, as its sender wrote it
	Others       []*intake.File // behind the first one, of a form that may hold several
	Fields       []string       // that hold the files, in the order of Files
	leave        func()         // lets the next one in, nil where this one was not let in
}

// Files are all that the form holds.
func (u *Upload) Files() []*intake.File {
	if u.File == nil {
		return nil
	}
	return append([]*intake.File{u.File}, u.Others...)
}

// ReadFiles is ReadForm for somebody who has shown that their link is good: before that, nothing of a form with
// files is read. The link is named by what all its addresses have in common.
func (v *Request) ReadFiles(in access.Portfolio, link string) (status int, err error) {
	if err := v.Upload.enterLink(v, in, link); err != nil {
		return 0, err
	}
	return v.ReadForm(), nil
}

// enter waits for the turn of a form with files, before anything of it is read. One whose turn
// does not come is read nevertheless, and kept nowhere: browsers show no answer that comes
// while they send.
func (u *Upload) enter(v *Request) error {
	if v.route.Audience == Guest {
		return u.pass(v, v.Shell.intakes.guests, guestTime)
	}
	return u.pass(v, v.Shell.intakes.gate, uploadTime)
}

// enterLink is enter for the holder of a link.
func (u *Upload) enterLink(v *Request, in access.Portfolio, link string) error {
	all, gate := &v.Shell.intakes, v.Shell.intakes.links
	if in.Mode == access.Test {
		gate = all.demos
	}
	leave, err := all.own.Enter(v.Ctx(), link)
	if err != nil {
		discard(v)
		return err
	}
	if err := u.pass(v, gate, linkTime); err != nil {
		leave()
		return err
	}
	inner, cancel := u.leave, prolong(v)
	u.leave = func() { cancel(); inner(); leave() }
	return nil
}

// pass waits for the turn of a form at a gate. From then on, sending it may take so long.
func (u *Upload) pass(v *Request, gate *intake.Gate, most time.Duration) (err error) {
	if u.leave, err = gate.Enter(v.Ctx()); err != nil {
		discard(v)
		return err
	}
	// What it has waited does not count. Where there is no connection there is no deadline.
	_ = http.NewResponseController(v.Response()).SetReadDeadline(v.Shell.Now().Add(most))
	return nil
}

// discard reads what is refused in any case, unless its sender waits for word to send it.
func discard(v *Request) {
	if r := v.Request(); r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, v.route.most)
	}
}

// prolong has the time for the work on a form and for its answer begin once it was sent. A sender who goes away ends
// the work as ever.
func prolong(v *Request) context.CancelFunc {
	_ = http.NewResponseController(v.Response()).SetWriteDeadline(v.Shell.Now().Add(linkTime + linkAnswer))
	from := v.Ctx()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(from), linkTime+linkWork)
	stop := context.AfterFunc(from, func() {
		if errors.Is(from.Err(), context.Canceled) {
			cancel()
		}
	})
	v.SetRequest(v.Request().WithContext(ctx))
	return func() { stop(); cancel() }
}

// end removes the files and lets the next one in.
func (u *Upload) end() {
	for _, f := range u.Files() {
		_ = f.Close() // it has no name any more, and is gone in any case
	}
	if u.leave != nil {
		u.leave()
	}
}

// read reads a form part by part: the fields into memory, no more of them than the route takes, the file onto the
// disk.
func (u *Upload) read(v *Request) error {
	parts, err := v.Request().MultipartReader()
	if err != nil {
		return err
	}
	values, room := url.Values{}, v.route.texts
	v.Request().Form, v.Request().PostForm = values, values // those before a file that is too large are known
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			room -= partCost + int64(len(part.FormName())+len(part.FileName()))
			err = u.readPart(v, part, values, &room)
		}
		if err != nil {
			return err
		}
	}
}

// readPart reads a field or a file. Files beyond those that the form may have are read and not kept.
func (u *Upload) readPart(v *Request, part *multipart.Part, values url.Values, room *int64) (err error) {
	switch name := part.FormName(); {
	case name == "":
	case part.FileName() != "" && u.File == nil:
		u.Name = part.FileName()
		u.File, err = v.Shell.intakes.spool.Take(part)
		u.Fields = []string{name}
	case part.FileName() != "" && len(u.Others) < v.route.others:
		var f *intake.File
		if f, err = v.Shell.intakes.spool.Take(part); err == nil {
			u.Others, u.Fields = append(u.Others, f), append(u.Fields, name)
		}
	case part.FileName() == "":
		text, err := io.ReadAll(io.LimitReader(part, max(*room, 0)+1))
		if err != nil {
			return err
		}
		*room -= int64(len(text))
		values.Add(name, string(text))
	}
	if *room < 0 {
		return &http.MaxBytesError{Limit: v.route.texts}
	}
	return err
}
