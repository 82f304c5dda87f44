// Package account draws the pages of signing in, of a member’s settings and of the team.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package account

import (
	"strconv"
	"strings"

	"portal/views/kit"
)

// SignIn is a page on which people show who they are.
type SignIn struct {
	kit.Frame
	Title   string // what is asked for; "" where the page says it
	Email   string // of the person, where it is known already
	Form    kit.Form
	Passkey *Passkey // nil where none can be asked for
}

// Passkey is a button by which a script asks the browser for a passkey.
type Passkey struct {
	Start  string // address that tells what to ask for
	Action string // where the answer is posted
	Button string
	Create bool   // a new one is made
	Next   string // where the reader wanted to go
	Held   string // the form that waits for it, "" for none
	Keeps  bool   // the reader chooses whether the session outlasts the browser
}

func (p Passkey) kind() string {
	if p.Create {
		return "create"
	}
	return "get"
}

// Words is a page that says what comes next.
type Words struct {
	kit.Frame
	Words []string
	Links []kit.Link
}

// Settings are those of the account, as far as the reader may see them.
type Settings struct {
	kit.Frame
	Tabs    []kit.NavItem
	Email   string
	Form    *kit.Form // nil for somebody who is no owner
	About   string    // what the form is for, "" where the page says it
	Account string    // its name, "" where the reader has none
	Zone    string
}

// Security is what the reader has for signing in.
type Security struct {
	kit.Frame
	Tabs     []kit.NavItem
	Email    string
	App      bool
	AppSince kit.Time
	Second   bool // the password alone does not do
	Codes    int  // recovery codes that are left
	Possible bool // there can be passkeys
	Passkeys []HeldPasskey
}

// codes is how many recovery codes are left.
func (s Security) codes() kit.Status {
	switch {
	case s.Codes == 0:
		return kit.Status{Tone: kit.Failed, Text: "None left"}
	case s.Codes < 4:
		return kit.Status{Tone: kit.Warned, Text: strconv.Itoa(s.Codes) + " left"}
	}
	return kit.Status{Tone: kit.Done, Text: strconv.Itoa(s.Codes) + " left"}
}

// HeldPasskey is one of the reader's passkeys.
type HeldPasskey struct {
	ID, Name       string
	Copied         bool // is refused
	Added, LastUse kit.Time
}

// App is what an authenticator app needs.
type App struct {
	kit.Frame
	Back   kit.Link
	Secret string // to be typed
	URI    string // for an app on this device
	Code   QR
	Form   kit.Form
}

// QR is a code for cameras: a path within a square.
type QR struct {
	Size int
	Path string
}

// Codes are recovery codes, shown this one time.
type Codes struct {
	kit.Frame
	Back  kit.Link
	Codes []string
}

// NewPasskey is the form of a passkey that is to be.
type NewPasskey struct {
	kit.Frame
	Back    kit.Link
	Form    kit.Form
	Passkey Passkey
}

// Sessions are where the reader is signed in.
type Sessions struct {
	kit.Frame
	Tabs     []kit.NavItem
	Sessions []Session
}

// Session is a browser in which somebody is signed in.
type Session struct {
	ID, Browser, Address string
	Current              bool
	Began, Seen          kit.Time
}

// Accounts are those that the reader can look at.
type Accounts struct {
	kit.Frame
	Several bool
	Form    kit.Form
}

// Join is what an invitation shows.
type Join struct {
	kit.Frame
	Account, Inviter, Role, Email string
	Form                          *kit.Form // nil where the reader cannot join as they are
	SignIn                        string    // where the invited person signs in
	Other                         string    // who is signed in instead
}

// noPasskeys says how to get one, where there can be some.
func (s Security) noPasskeys() kit.Empty {
	if !s.Possible {
		return kit.Empty{
			Title: "There are no passkeys here",
			Words: "Passkeys need a host name, and this service is reached by an IP address.",
		}
	}
	return kit.Empty{
		Title:  "No passkeys yet",
		Words:  "A passkey signs you in with a touch of your device, without a password.",
		Action: kit.Link{Name: "Add passkey", Path: "/settings/security/passkeys/new"},
	}
}

// addPasskey is how to get another one, where there is one already.
func (s Security) addPasskey() []kit.Action {
	if !s.Possible || len(s.Passkeys) == 0 {
		return nil
	}
	return []kit.Action{{Name: "Add passkey", Path: "/settings/security/passkeys/new", Icon: "plus"}}
}

// endOthers ends the sessions in all other browsers, where there are some.
func (s Sessions) endOthers() []kit.Action {
	if len(s.Sessions) < 2 {
		return nil
	}
	return []kit.Action{{Name: "End all other sessions", Path: "/settings/sessions/others", How: kit.Asks}}
}

// lines is one text of several.
func lines(all []string) string { return strings.Join(all, "\n") }

// Notices are the emails that a reader may do without.
type Notices struct {
	kit.Frame
	Tabs  []kit.NavItem
	Email string // where they go
	Form  kit.Form

	LeaseRecords *kit.Form // nil for who is not asked
}

// Rent is whether rent is charged automatically.
type Rent struct {
	kit.Frame
	Tabs        []kit.NavItem
	Demo        bool // which always does
	Owner       bool // the reader can change it
	On          bool
	Since       string // the day
	Live        string // address of the page of the live portfolio
	Start, Stop string // addresses that ask
	Emails      *kit.Form
	EmailsOn    bool // tenants get emails about rent
}

// emailStatus says whether tenants get emails about rent.
func (r Rent) emailStatus() kit.Status { return Rent{On: r.EmailsOn}.status() }

// emailMeaning says which emails tenants get about rent.
var emailMeaning = []struct{ Name, Text string }{
	{"Before it’s due", "5 days before a charge is due, and on its day, while something of it is unpaid."},
	{"Payments", "A receipt for each payment. If one fails or is returned, the email says why."},
	{"Late fees", "When one is charged."},
	{
		"At most one a day",
		"One email says all that happened on a day, and leaves after 8 a.m. It goes to each tenant of the lease who has an email address, " +
			"in the language of their page, and says the balance. Guarantors get none. Each tenant can stop these emails.",
	},
}

func (r Rent) status() kit.Status {
	if r.On {
		return kit.Status{Tone: kit.Done, Text: "On"}
	}
	return kit.Status{Tone: kit.Idle, Text: "Off"}
}

// rentMeaning says what is charged automatically, and when.
var rentMeaning = []struct{ Name, Text string }{
	{"At the last signature", "Everything that the lease calls due at move-in: the first rent, the deposit, and fees."},
	{"Each month", "Rent and monthly fees of each lease that everyone has signed, 30 days before they are due. " +
		"First and last months are prorated as the lease says."},
	{
		"Late fees",
		"The day after the days of grace, for rent with a balance and no payment in progress. A late fee is " +
			"never more than the state allows, and goes away if you record a payment that came in time.",
	},
	{"Returned payments", "The lease’s fee, when you record that the bank returned a payment."},
	{"Changes", "When a lease ends, is renewed, or changes its rent, unpaid charges follow. What was paid too much " +
		"becomes a credit that pays the next charges."},
	{"Not retroactive", "Turning it on charges only what is due after that day. Rent from before is never added, " +
		"and has no late fees."},
}

// RentPreview is what would be charged first.
type RentPreview struct {
	kit.Frame
	Back    kit.Link
	Sums    []kit.Term
	Form    kit.Form
	Rows    Previewed
	Changed *Previewed // nil where no row would change
	Skipped Previewed
}

// Previewed is a table of a preview.
type Previewed struct {
	kit.Card
	Grid kit.Grid
}

// Payments is whether tenants of the live portfolio can pay online.
type Payments struct {
	kit.Frame
	Tabs        []kit.NavItem
	Demo        bool
	Live        string // address of the page of the live portfolio
	Status      kit.Status
	Words       string
	Due         []string // what the processor still asks for
	Connect     string   // where an owner sets it up, or goes on; "" where nobody can
	Submit      string
	Ask         bool // an owner could set it up
	Compared    string
	Differences []string
	Facts       []kit.Term
	Fee         string    // that tenants pay for each online payment
	FeeForm     *kit.Form // nil for who cannot change it
}

// Leave goes on to a page of another service.
type Leave struct {
	kit.Frame
	Address string
}
