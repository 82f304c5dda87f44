package portfolio

// Waiting is how many records of a portfolio wait for somebody, each up to the bound that was asked for.
type Waiting struct {
	Leases       int // out for signature
	Tickets      int // whose work has not ended
	Applications int // that nobody has decided on
}
