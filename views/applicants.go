package views

// Applicants are who was invited to apply.
type Applicants struct {
	Frame
	New        string
	Filters    Filters
	Filtered   bool
	Applicants []ApplicantLine
	Pages      Pages
}

// ApplicantLine is one of them in a list.
type ApplicantLine struct {
	Path    string
	Name    string
	Email   string
	Home    string
	City    string
	State   Status
	Mail    Status
	Invited Time
}

// Applicant is the page of one.
type Applicant struct {
	Frame
	ApplicantLine
	ID       string
	Back     Link
	Address  string
	Property string // address of its page, "" for none
	Expires  Time
	Message  string
	Phone    string // that the landlord knew
	Rent     string
	MoveIn   string
	Actions  []Link
	Answers  *Answers // nil: no application was sent
	Decided  Time
	Tenant   Link // who came of it; no name for nobody, no path where there is no page
}

// Answers are what an applicant said.
type Answers struct {
	Name, Email, Phone, MoveIn, Household, Income, Pets, Notes string
	Sent                                                       Time
}

// InvitedApplicant is shown once an invitation is made.
type InvitedApplicant struct {
	Frame
	Heading
	Warnings []string
	Mail     string // where the e-mail is, "" for nowhere
	Kept     string // address of the e-mails that are kept, "" where it is sent
	Secret   Secret
	Path     string // of the invitation
}

func applicantTable(a Applicants) Table {
	t := Table{Caption: "Applications", Columns: Columns("Applicant", "Home", "State", "E-mail", "Invited"), Rows: len(a.Applicants), Pages: a.Pages,
		Empty: Empty{"Nobody has been invited yet", "Whoever is invited gets a link to apply for a home. What they answer comes back here, and accepting it makes the tenant.", Link{"Invite somebody", a.New}}}
	if a.Filtered {
		t.Empty = Empty{"Nobody stands there", "Clear the filter to see more.", Link{"Show all applications", a.Filters.Clear}}
	}
	return t
}
