package lease

import "portal/views/kit"

// Applicants are who was invited to apply.
type Applicants struct {
	kit.Frame
	New        string
	Filters    kit.Filters
	Filtered   bool
	Applicants []ApplicantLine
	Pages      kit.Pages
}

// ApplicantLine is one of them in a list.
type ApplicantLine struct {
	Path    string
	Name    string
	Email   string
	Home    string
	City    string
	State   kit.Status
	Mail    kit.Status
	Invited kit.Time
}

// Applicant is the page of one.
type Applicant struct {
	kit.Frame
	ApplicantLine
	ID       string
	Back     kit.Link
	Address  string
	Property string // address of its page, "" for none
	Expires  kit.Time
	Message  string
	Phone    string // that the landlord knew
	Rent     string
	MoveIn   string
	Actions  []kit.Link
	Answers  *Answers // nil: no application was sent
	Decided  kit.Time
	Tenant   kit.Link // who came of it; no name for nobody, no path where there is no page
}

// Answers are what an applicant said.
type Answers struct {
	Name, Email, Phone, MoveIn, Household, Income, Pets, Notes string
	Sent                                                       kit.Time
}

// InvitedApplicant is shown once an invitation is made.
type InvitedApplicant struct {
	kit.Frame
	kit.Heading
	Warnings []string
	Mail     string // where the email is, "" for nowhere
	Kept     string // address of the emails that are kept, "" where it is sent
	Secret   kit.Secret
	Path     string // of the invitation
}

func applicantTable(a Applicants) kit.Table {
	t := kit.Table{
		Caption: "Applications",
		Columns: kit.Columns("Applicant", "Home", "Status", "Email", "Invited"),
		Rows:    len(a.Applicants),
		Pages:   a.Pages,
		Empty: kit.Empty{
			Title:  "Nobody has been invited yet",
			Words:  "Each person that you invite gets a link to apply for a home. What they answer comes back here, and accepting it makes the tenant.",
			Action: kit.Link{Name: "Invite somebody", Path: a.New},
		},
	}
	if a.Filtered {
		t.Empty = kit.Empty{
			Title:  "No applications match this filter",
			Words:  "Clear the filter to see more.",
			Action: kit.Link{Name: "Show all applications", Path: a.Filters.Clear},
		}
	}
	return t
}
