package kit

import "context"

// The hidden fields of every form that is posted.
const (
	TokenField = "token"     // shows that the form is ours and this reader's
	OnceField  = "once"      // names this very form, so that one which is sent twice is taken once
	HeldField  = "held_form" // a form that waits until its reader has confirmed who they are
)

// Hidden is what the hidden fields of a form hold. Each is asked for when a form is drawn,
// so a page without one has none.
type Hidden struct {
	Token, Once func() string
	Address     string // path and query of the page
}

type hiddenKey struct{}

// With lets the forms of a page carry what is hidden in them.
func With(ctx context.Context, h Hidden) context.Context {
	return context.WithValue(ctx, hiddenKey{}, h)
}

func formToken(ctx context.Context) string {
	if h, ok := ctx.Value(hiddenKey{}).(Hidden); ok {
		return h.Token()
	}
	return ""
}

func formOnce(ctx context.Context) string {
	if h, ok := ctx.Value(hiddenKey{}).(Hidden); ok {
		return h.Once()
	}
	return ""
}

// Address is the path and the query of the page. A form that is posted to its own page names them:
// an empty action keeps the fragment of a link that was followed on the page, and the browser then
// focuses what the fragment names instead of what is wrong.
func Address(ctx context.Context) string {
	if h, ok := ctx.Value(hiddenKey{}).(Hidden); ok {
		return h.Address
	}
	return ""
}
