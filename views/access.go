package views

// Access is the page of an account's request for access to the API.
type Access struct {
	Frame
	State   Status
	Tone    Tone
	Words   string // what the state means, and what to do
	Reason  string // what the staff wrote, "" for nothing
	Request *Application
	Apply   *Form // to apply, nil where that cannot be done now
	Do      Link  // what comes next, "" for nothing
	Undo    string
	Past    []PastRequest
}

// Application is what an applicant has said.
type Application struct {
	ID, Company, Contact, UseCase, Calls, Kind, Website string
	Submitted, Reviewed                                 Time
}

// PastRequest is one that is no longer open.
type PastRequest struct {
	Moment
	Reason string
}
