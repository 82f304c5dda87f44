package kit

// Exchange is what was sent with a request and with its answer, without secrets.
type Exchange struct {
	Absent  string // why there is none, "" where there is
	Command string // that sends the request again, "" where none can
	Trouble string // why none can
	Request Message
	Answer  Message
}

// LoggedRequest is a request of the log.
type LoggedRequest struct {
	Title  string // method and path
	About  string // when it was, and how long it took
	Status int
	Facts  []Facts
	Sent   Exchange
}

// Message is a request or an answer.
type Message struct {
	Headers []HeaderLine
	Notes   []string // on the body
	Body    Body
}

// HeaderLine is a header.
type HeaderLine struct {
	Name, Value string
	Hidden, Cut bool
}
