package page

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/http"

	"portal/api/access"
	"portal/api/clock"
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
	// taken before it tells false, with where the first answer led to and what to say there.
	ClaimForm(ctx context.Context, name []byte, at clock.Time) (first bool, to, said string, err error)
	// KeepForm notes where the answer to a form led to, in the transaction that claimed it.
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
	name := formName(v)
	if name == nil {
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
		return claim(ctx, v, name)
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

// formName names the form that was sent, for this reader and this address alone; nil where
// it does not say which one it is.
func formName(v *Request) []byte {
	once := v.Request().PostForm.Get(kit.OnceField)
	if once == "" || len(once) > 64 {
		return nil
	}
	of := v.Person.UserID
	if v.Person.Account != nil {
		of += "\n" + v.Person.Account.AccountID
	}
	sum := sha256.Sum256([]byte(of + "\n" + v.Request().URL.Path + "\n" + once))
	return sum[:]
}

// errNothingMade rolls the transaction of a form back that was refused.
var errNothingMade = errors.New("the form was refused")

func claim(ctx context.Context, v *Request, name []byte) error {
	v.once = &onceResult{said: sentBefore}
	first, to, said, err := v.Shell.Forms.ClaimForm(ctx, name, clock.At(v.Shell.Now()))
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
	return v.Shell.Forms.KeepForm(ctx, name, m.to, m.said)
}

// SeenAt says where it is seen what a form has made, for an answer that shows it by
// itself, and what to say to somebody who sends the form again.
func (v *Request) SeenAt(to, said string) {
	if v.once != nil {
		v.once.to, v.once.said = to, said
	}
}

// RefuseAt leads back to a page that says why nothing was done, so the form may be sent
// again.
func (v *Request) RefuseAt(to, why string) error {
	if v.once != nil {
		v.once.undo = true
	}
	v.Say(kit.Failed, why)
	return v.SeeOther(to)
}
