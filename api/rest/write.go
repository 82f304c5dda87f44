package rest

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/idempotency"
	"portal/api/operation"
)

// The headers that every write understands.
const (
	idempotencyKey = "Idempotency-Key"
	dryRun         = "Dry-Run"
)

// write answers an operation that changes something: once for each Idempotency-Key,
// or as a preview.
func (x *request) write(ctx context.Context, d *operation.Decoded) error {
	ctx = change.WithRefusable(ctx)
	if x.op.Before != nil && d.Missing == nil {
		if err := x.api.Store.Admit(ctx, access.From(ctx).Portfolio); err != nil {
			return err
		}
		ctx = x.op.Before(ctx, d.Input)
	}
	preview, err := x.isDryRun()
	if err != nil {
		return err
	}
	if preview {
		return x.dryRun(ctx, d)
	}
	key, err := x.key()
	if err != nil {
		return err
	}
	a, err := x.once(ctx, d, key)
	if err != nil {
		return err
	}
	x.deliverWrite(a)
	return nil
}

// isDryRun reports whether the caller asks for a preview.
func (x *request) isDryRun() (bool, error) {
	switch v := x.req.HTTP.Header.Values(dryRun); {
	case len(v) == 0, len(v) == 1 && v[0] == "false":
		return false, nil
	case len(v) == 1 && v[0] == "true":
		return true, nil
	}
	return false, fault.New(fault.InvalidField, "Dry-Run must be true or false, once.").At(dryRun)
}

// dryRun answers with the record as it would be, and what would change of it. An
// Idempotency-Key is not looked at then, and the ETag is of the record as it is: the
// one to write with.
func (x *request) dryRun(ctx context.Context, d *operation.Decoded) error {
	var w change.Outcome
	err := change.DryRun(ctx, x.api.Store, func(ctx context.Context) (err error) {
		w, err = x.call(ctx, d)
		return err
	})
	if err != nil {
		return err
	}
	x.dry = true
	x.deliverWrite(idempotency.Answer{
		Status:   http.StatusOK,
		Revision: revision(w.Earlier()),
		Body:     x.op.AppendWrite(nil, w, x.op.Preview(w)),
	})
	return nil
}

// call runs the operation on what was decoded; an identifier that cannot exist is not
// found now.
func (x *request) call(ctx context.Context, d *operation.Decoded) (change.Outcome, error) {
	if d.Missing != nil {
		return nil, d.Missing
	}
	out, err := x.op.Call(ctx, d.Input)
	if err != nil {
		return nil, err
	}
	return out.(change.Outcome), nil
}

// once runs the operation, at most once for each Idempotency-Key.
func (x *request) once(ctx context.Context, d *operation.Decoded, key string) (idempotency.Answer, error) {
	perform := func(ctx context.Context) (idempotency.Answer, error) {
		w, err := x.call(ctx, d)
		if err != nil {
			return idempotency.Answer{}, err
		}
		a := idempotency.Answer{Status: x.op.Status, Revision: revision(w.Shown())}
		if a.Status != http.StatusNoContent {
			a.Body = x.op.AppendWrite(nil, w, nil)
		}
		return a, nil
	}
	if key == "" {
		return perform(ctx)
	}
	r, actor := x.req.HTTP, access.From(ctx)
	return x.api.Idempotency.Once(ctx, actor.Portfolio, idempotency.Claim{
		KeyID: actor.KeyID, Key: key,
		Fingerprint: idempotency.Fingerprint(r.Method, r.URL.EscapedPath(), r.URL.RawQuery, r.Header.Get("If-Match"),
			string(d.Body)),
	}, perform)
}

// key is the Idempotency-Key of the request, "" where it has none.
func (x *request) key() (string, error) {
	switch keys := x.req.HTTP.Header.Values(idempotencyKey); len(keys) {
	case 0:
		return "", nil
	case 1:
		return keys[0], idempotency.Check(keys[0])
	}
	return "", fault.New(fault.InvalidIdempotencyKey, "Idempotency-Key is given more than once; send it once.").
		At(idempotencyKey)
}

func revision(record any) int64 {
	if v, is := record.(operation.Versioned); is {
		return v.Revision()
	}
	return 0
}

// deliverWrite writes the answer of a write, a recorded one too.
func (x *request) deliverWrite(a idempotency.Answer) {
	h := x.req.Writer.Header()
	if a.Revision > 0 && a.Status != http.StatusNoContent {
		h["ETag"] = []string{`"` + strconv.FormatInt(a.Revision, 10) + `"`}
	}
	if a.Replayed {
		x.replayed = true
		h["Idempotent-Replayed"] = []string{"true"}
	}
	x.req.Send(a.Status, a.Body)
}

// target is the record that a PATCH changes.
type target struct {
	// Identifier of the record.
	ID string `in:"path" name:"id" format:"id"`
	seen
}

func (t target) aim() change.Target { return t.of(t.ID) }

// seen is the version of a record that the caller has seen.
type seen struct {
	// The ETag of the record as you read it. If the record has changed since, nothing is saved
	// and you get 409 stale_write.
	IfMatch string `in:"header" name:"If-Match" format:"etag" example:"\"3\""`
}

func (s seen) of(id string) change.Target {
	t := change.Target{ID: id}
	if n, err := strconv.ParseInt(strings.Trim(s.IfMatch, `"`), 10, 64); err == nil {
		t.Version = &n
	}
	return t
}

// targeted is a PATCH's input.
type targeted interface{ aim() change.Target }

// updates makes the entry of a PATCH from the rule that answers it.
func updates[I targeted, U, T any](
	s operation.Spec,
	update func(*I) U,
	call func(context.Context, access.Actor, change.Target, U) (*change.Result[T], error),
) *operation.Operation {
	s.Method, s.Scope, s.Status = http.MethodPatch, access.Write, http.StatusOK
	return operation.Write(s, func(ctx context.Context, in *I) (*change.Result[T], error) {
		return call(ctx, access.From(ctx), (*in).aim(), update(in))
	})
}

// acts makes the entry of what is done to a single record from the rule that does it.
func acts[P identified, T any](
	s operation.Spec, call func(context.Context, access.Actor, string) (*change.Result[T], error),
) *operation.Operation {
	s.Scope = access.Write
	return operation.Write(s, func(ctx context.Context, in *P) (*change.Result[T], error) {
		return call(ctx, access.From(ctx), (*in).record())
	})
}

// creates makes the entry of a POST that makes a record.
func creates[I, T any](
	s operation.Spec, call func(context.Context, access.Actor, I) (*change.Result[T], error),
) *operation.Operation {
	s.Method, s.Scope, s.Status = http.MethodPost, access.Write, http.StatusCreated
	return operation.Write(s, func(ctx context.Context, in *I) (*change.Result[T], error) {
		return call(ctx, access.From(ctx), *in)
	})
}
