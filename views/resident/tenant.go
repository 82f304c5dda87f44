package resident

import "portal/views/kit"

// Tenant is what each page of a tenant has.
type Tenant struct {
	kit.GuestHeader
	Path  string // of the tenant's first page
	Query string // that keeps the language
	Said  kit.Toast
	// Record is the tenant's page in the dashboard, of a member who looks at this one as its tenant, Who, sees it;
	// "" for the tenant.
	Record string
	Who    string
}

// At is the address of another page of the tenant.
func (t Tenant) At(path string) string { return t.Path + path + t.Query }

// TenantHome is the first page of a tenant.
type TenantHome struct {
	Tenant
	Balance Balance
	Rows    []LedgerRow  // the next charge and the latest ones
	Tickets []TicketLine // that are not closed
	Report  ReportForm
}

// Balance is what a tenant owes today, as far as the reader may see it.
type Balance struct {
	Locked bool
	Amount string
	Owed   bool
	Late   string // for how long, "" where nothing is late
	Words  []string
}

// LedgerRow is a charge and what became of it.
type LedgerRow struct {
	Name   string
	About  string
	Amount string
	Status kit.Status
}

// TenantPayments is what was charged and paid.
type TenantPayments struct {
	Tenant
	Balance Balance
	Rows    []LedgerRow
}

// TenantLease is the leases of a tenant.
type TenantLease struct {
	Tenant
	Locked bool
	Leases []LeaseFacts
}

// LeaseFacts are those of a lease.
type LeaseFacts struct {
	Address  string
	Status   kit.Status
	Facts    []kit.Fact
	Document string // address of the PDF, "" for none
	Missing  bool   // there is none, as it was not signed here
}

// Unlock is where the code is typed that shows amounts and documents.
type Unlock struct {
	Tenant
	To    string // the page that it leads to
	Email string // where codes go, with all but its ends left out; "" where there is no address
	Sent  bool
	Send  string // where the form that asks for a code is posted
	Form  kit.Form
}
