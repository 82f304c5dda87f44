package views

// Webhooks are the endpoints of a portfolio.
type Webhooks struct {
	Frame
	Tabs      []Place
	New       string // address of the form that makes one
	Endpoints []EndpointLine
	Pages     Pages
	Live      bool
}

// EndpointLine is an endpoint in a list.
type EndpointLine struct {
	Path         string
	URL          string
	Description  string
	Events       string
	Status       Status
	Retrying     string // how many deliveries are retried, "" for none
	FailingSince Time   // since when nothing but failures came of it; zero where that is not so
	Response     Response
	Success      string // of the last days, "" where nothing was sent
	Of           string // how many attempts that is of
	LastDelivery Time
}

// Response is what came of the last attempt that ended: zero where none has.
type Response struct {
	Code  int    // status, 0 where no answer came
	Fault string // what went wrong, "" where it was acknowledged
}

// Endpoint is the page of one.
type Endpoint struct {
	Frame
	EndpointLine
	ID          string
	Back        Link
	Notice      Notified
	Created     Time
	Disabled    Time // zero where it is enabled
	LastSuccess Time
	Secret      string // the first characters of it
	Previous    Time   // until when the secret before still signs; zero where none does
	Actions     []Link // that ask first
	Test        string // address of the test, "" where none can be sent
	Attempts    Chart
	Latency     Chart
	Deliveries  []DeliveryLine
	Log         string // address of all its deliveries
}

// Notified is a notice on a page; without words there is none.
type Notified struct {
	Tone  Tone
	Words string
}

// EndpointSecret shows a signing secret this one time.
type EndpointSecret struct {
	Frame
	Heading  Heading
	Warnings []string
	Secret   Secret
	Endpoint string // address of the endpoint's page
	Test     string // address of the test, "" where none can be sent
	Docs     string // address of how to verify, "" where it is not served
}

// Deliveries are the log of what was sent.
type Deliveries struct {
	Frame
	Tabs       []Place
	Filters    Filters
	Deliveries []DeliveryLine
	Pages      Pages
	Filtered   bool
	Webhooks   string // address of the endpoints
}

// DeliveryLine is a delivery in a list.
type DeliveryLine struct {
	Path     string
	ID       string
	Type     string
	Endpoint Link
	Status   Status
	Attempts int
	Response Response
	Created  Time
	Next     Time // zero where none is planned
}

// Delivery is the page of one.
type Delivery struct {
	Frame
	DeliveryLine
	Back      Link
	Event     Link
	Redeliver string // address that asks, "" where it cannot be sent again
	Why       string // why it cannot
	Running   bool
	Tries     []Attempt // the latest first
	Body      Body      // that every attempt sent
}

// Body is what was sent or answered, made fit to be shown.
type Body struct {
	Text   string // indented where it is JSON
	Exact  string // as it is, "" where Text is that
	Note   string // what has to be known of it, "" for nothing
	Absent string // why there is none, "" where there is
}

// Attempt is one try at a delivery.
type Attempt struct {
	Moment
	Fault    string // "" where it was acknowledged
	Request  string // the headers, "" once they have been forgotten
	Code     int    // status of the answer, 0 for none
	Response string // the headers
	Answer   Body
}

// deliveryTable is what stands around deliveries.
func deliveryTable(t Table, rows int, with bool) Table {
	t.Rows = rows
	t.Columns = []Column{{Name: "Event"}, {Name: "State"}, {Name: "Last response"}, {Name: "Attempts", Right: true}, {Name: "Next attempt"}, {Name: "Created"}}
	if with {
		t.Columns = append([]Column{{Name: "Event"}, {Name: "Endpoint"}}, t.Columns[1:]...)
	}
	return t
}
