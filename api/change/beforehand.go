package change

import "context"

// Beforehand is an error by which a write asks for something slow that it needs, such as a rendered
// PDF. Nothing slow may happen in its transaction, in which nobody else writes: the transaction is
// rolled back, Do is called outside of it, and the write runs anew with the context that Do returns.
type Beforehand struct {
	Do func(context.Context) (context.Context, error)
}

// Error is seen by nobody but a transaction that cannot run the write anew.
func (*Beforehand) Error() string { return "the write needs something done before its transaction" }
