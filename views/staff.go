package views

// Queue is the list of requests for API access.
type Queue struct {
	Frame
	Filters Filters
	Cases   []Case
	Pages   Pages
	Empty   Empty
}

// Case is a request as a reviewer sees it.
type Case struct {
	ID, AccountID, Account, Applicant, UseCase string
	State                                      Status
	Submitted                                  Time
}

// CaseView is the page on which a request is reviewed.
type CaseView struct {
	Frame
	Case
	Application Application
	Reviewer    string
	Reason      string
	Notes       string
	Pending     bool
	Approved    bool
}

// Holders are accounts by the people who take part in them.
type Holders struct {
	Frame
	Filters Filters
	Asked   bool
	Holders []Holder
}

// Holder is a person and an account.
type Holder struct{ Email, Role, AccountID, Account, Plan string }

// Holding is the page of an account for the staff.
type Holding struct {
	Frame
	ID, Name, Zone, Plan, Rate, Units string
	Created                           Time
	Holders                           []Holder
	Form                              Form
}

// LookUp is the page on which a request of the log is found.
type LookUp struct {
	Frame
	Filters Filters
	Trouble string
	Line    *LogLine
	Sent    Exchange       // with the line
	Minute  *UnkeyedMinute // of a request without a row of its own
}

// UnkeyedMinute is what the log has of the requests without a valid key of a minute.
type UnkeyedMinute struct {
	From     Time
	Requests []LogLine
	Counts   []UnkeyedCount
}

// UnkeyedCount is how many of them a client sent that have no row of their own.
type UnkeyedCount struct {
	Client string // "" for all that are not counted alone
	Total  string
	Codes  string
}

// LogLine is a request as it is logged, without what is secret.
type LogLine struct {
	ID, Operation, Method, Path, Query, Code, Param, Took, Size, Address, Agent, AccountID, KeyID, Idempotency string
	Status                                                                                                     int
	At                                                                                                         Time
}

// Jobs is the page of the work behind the requests.
type Jobs struct {
	Frame
	Counts  []Count
	Filters Filters
	Jobs    []Job
	Pages   Pages
}

// Count is how many jobs there are in a state.
type Count struct {
	State Status
	Name  string
	Many  string
}

// Job is a job.
type Job struct {
	ID, Kind, Queue, Attempts, Args, Error string
	State                                  Status
	Created, Due, Begun, Ended             Time
	Retry                                  bool
	Failures                               []Failure
}

// Failure is an attempt at a job that failed.
type Failure struct {
	Moment
	Error string
}

// JobView is the page of a job.
type JobView struct {
	Frame
	Job
}
