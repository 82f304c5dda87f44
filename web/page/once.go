package page

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/secret"
	"portal/views/kit"
)

// Forms remembers which forms were sent that create something.
type Forms interface {
	// Atomically runs do in one transaction, which what do calls joins through its context.
	// It may run do again after a failure that was not do's own.
	Atomically(ctx context.Context, do func(context.Context) error) error
	// Exclusively is Atomically where no other change of the portfolio comes between.
	Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error
	// ClaimForm notes in the transaction of the context that a form is taken. Another
	// transaction that claims the same form waits until this one ends. Where the form was
	// taken before it tells false, with what KeepForm has kept.
	ClaimForm(ctx context.Context, name []byte, at clock.Time) (first bool, to, said string, err error)
	// KeepForm notes where the answer to a form led to and what to say there, both sealed, in the transaction
	// that claimed it.
	KeepForm(ctx context.Context, name []byte, to, said string) error
}

// onceResult is a form that creates something while its transaction runs.
type onceResult struct {
	reply *reply
	to    string // where it is seen what the form made
	said  string // to somebody who sends the form again
	undo  bool   // nothing was made, although the answer leads on
}

// sentBefore is what is said to somebody who sends a form again, unless its page knows better.
const sentBefore = "That form was sent before. This is the result."

// noOnce refuses a form that does not say which one it is.
var noOnce = newRefusal(http.StatusBadRequest, staleTitle, staleWords)

// handleOnce takes a form that creates something: its handler and the note that the form
// was sent are one transaction. A form that is refused may be sent again.
func handleOnce(v *Request) error {
	form := sentFormOf(v)
	if form == nil {
		return noOnce
	}
	if v.route.prepare != nil {
		if err := v.route.prepare(v); err != nil {
			return err
		}
	}
	outside, waiting := v.Request(), v.Session.Kept(saidKey)
	restore := func() { v.once = nil; v.SetRequest(outside) }
	defer restore() // after a panic, too, whose page is not part of the transaction
	err := atomically(v, func(ctx context.Context) error {
		r := outside.WithContext(ctx)
		r.PostForm = maps.Clone(outside.PostForm) // a run that is rolled back may have written into its own
		v.SetRequest(r)
		forget(v, waiting)
		return claim(ctx, v, form)
	})
	made := v.once
	restore()
	if err != nil && !errors.Is(err, errNothingMade) {
		return err
	}
	return v.answer(*made.reply)
}

// atomically runs do in one transaction. The forms of a portfolio take turns with its other
// changes, whose commit they may share.
func atomically(v *Request, do func(context.Context) error) error {
	if v.Mode() == "" {
		return v.Shell.Forms.Atomically(v.Ctx(), do)
	}
	return v.Shell.Forms.Exclusively(v.Ctx(), v.Actor().Portfolio, do)
}

// forget takes back what a run that was rolled back has said.
func forget(v *Request, waiting string) {
	v.Response().Header().Del("Retry-After")
	if v.Session.Kept(saidKey) != waiting {
		v.Session.Keep(saidKey, waiting)
	}
}

// sentFormOf is the form that was sent; nil where it does not say which one it is.
func sentFormOf(v *Request) *SentForm {
	of := v.Person.UserID
	if v.Person.Account != nil {
		of += "\n" + v.Person.Account.AccountID
	}
	return v.SentForm(of, v.Request().PostForm.Get(kit.OnceField))
}

// SentForm is a form that was sent once by one reader to one address.
type SentForm struct {
	shell *Shell
	name  []byte
	// box seals what is kept of the answer, which may lead to an address that opens a page to whoever has it.
	// Its key is made of what the form holds and the database does not.
	box *secret.Box
}

// SentForm is the form of a reader that was sent to this address; nil where it does not say which one it is.
func (v *Request) SentForm(reader, once string) *SentForm {
	if once == "" || len(once) > 64 {
		return nil
	}
	is := reader + "\n" + v.Request().URL.Path + "\n" + once
	name, key := sha256.Sum256([]byte(is)), sha256.Sum256([]byte("key\n"+is))
	box, err := secret.NewBox(key[:])
	if err != nil {
		panic(err) // the key has the right size
	}
	return &SentForm{v.Shell, name[:], box}
}

const (
	leadsPurpose = "where a form leads"
	saidPurpose  = "what is said of a form"
)

// Claim notes in the transaction of the context that the form is taken. Where it was taken before it tells false,
// with where the first answer led to and what to say there.
func (f *SentForm) Claim(ctx context.Context) (first bool, to, said string, err error) {
	first, to, said, err = f.shell.Forms.ClaimForm(ctx, f.name, clock.At(f.shell.Now()))
	if err != nil || first || strings.HasPrefix(to, "/") { // the version before kept both in clear, for a day
		return first, to, said, err
	}
	for purpose, text := range map[string]*string{leadsPurpose: &to, saidPurpose: &said} {
		sealed, err := base64.RawURLEncoding.DecodeString(*text)
		if err != nil {
			return false, "", "", err
		}
		if *text, err = f.box.Open(purpose, sealed); err != nil {
			return false, "", "", err
		}
	}
	return false, to, said, nil
}

// Keep notes where the answer to the form led to and what to say there to somebody who sends it again, in the
// transaction that claimed it.
func (f *SentForm) Keep(ctx context.Context, to, said string) error {
	return f.shell.Forms.KeepForm(
		ctx,
		f.name,
		base64.RawURLEncoding.EncodeToString(f.box.Seal(leadsPurpose, to)),
		base64.RawURLEncoding.EncodeToString(f.box.Seal(saidPurpose, said)),
	)
}

// errNothingMade rolls the transaction of a form back that was refused.
var errNothingMade = errors.New("the form was refused")

func claim(ctx context.Context, v *Request, form *SentForm) error {
	v.once = &onceResult{said: sentBefore}
	first, to, said, err := form.Claim(ctx)
	if err != nil {
		return err
	}
	if !first {
		v.Say(kit.Waiting, said)
		return v.SeeOther(to)
	}
	if err := v.route.handle(v); err != nil {
		return err
	}
	m := v.once
	switch {
	case m.reply == nil:
		return fmt.Errorf("%s answered by itself, which no form that is taken once does", v.route.Path)
	case m.undo || m.reply.status >= http.StatusBadRequest:
		return errNothingMade
	case m.to == "" && m.reply.to == "":
		return fmt.Errorf("%s does not say where it is seen what it made", v.route.Path)
	case m.to == "":
		m.to = m.reply.to
	}
	return form.Keep(ctx, m.to, m.said)
}

// TakesOnce reports whether what is done is one transaction with the note that the form was sent.
func (v *Request) TakesOnce() bool { return v.once != nil }

// SeenAt says where it is seen what a form has made, for an answer that shows it by
// itself, and what to say to somebody who sends the form again.
func (v *Request) SeenAt(to, said string) {
	if v.once != nil {
		v.once.to, v.once.said = to, said
	}
}

// NothingMade says that an answer shows the form again and nothing was made, so the form may be sent again.
func (v *Request) NothingMade() {
	if v.once != nil {
		v.once.undo = true
	}
}

// RefuseAt leads back to a page that says why nothing was done, so the form may be sent
// again.
func (v *Request) RefuseAt(to, why string) error {
	v.NothingMade()
	v.Say(kit.Failed, why)
	return v.SeeOther(to)
}
