package views

import (
	"strconv"
	"strings"
)

// SignIn is a page on which people show who they are.
type SignIn struct {
	Frame
	Email   string // of who is known already
	Form    Form
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
}

func (p Passkey) kind() string {
	if p.Create {
		return "create"
	}
	return "get"
}

// Words is a page that says what comes next.
type Words struct {
	Frame
	Words []string
	Links []Link
}

// Settings are those of the account, as far as the reader may see them.
type Settings struct {
	Frame
	Tabs    []Place
	Email   string
	Form    *Form  // nil for who is no owner
	Account string // its name, "" where the reader has none
	Zone    string
}

// Security is what the reader has for signing in.
type Security struct {
	Frame
	Tabs     []Place
	Email    string
	App      bool
	AppSince Time
	Second   bool // the password alone does not do
	Codes    int  // recovery codes that are left
	Possible bool // there can be passkeys
	Passkeys []HeldPasskey
}

// codes is how many recovery codes are left.
func (s Security) codes() Status {
	switch {
	case s.Codes == 0:
		return Status{Failed, "None left"}
	case s.Codes < 4:
		return Status{Warned, strconv.Itoa(s.Codes) + " left"}
	}
	return Status{Done, strconv.Itoa(s.Codes) + " left"}
}

// HeldPasskey is one of the reader's passkeys.
type HeldPasskey struct {
	ID, Name       string
	Copied         bool // is refused
	Added, LastUse Time
}

// App is what an authenticator app needs.
type App struct {
	Frame
	Back   Link
	Secret string // to be typed
	URI    string // for an app on this device
	Code   QR
	Form   Form
}

// QR is a code for cameras: a path within a square.
type QR struct {
	Size int
	Path string
}

// Codes are recovery codes, shown this one time.
type Codes struct {
	Frame
	Back  Link
	Codes []string
}

// NewPasskey is the form of a passkey that is to be.
type NewPasskey struct {
	Frame
	Back    Link
	Form    Form
	Passkey Passkey
}

// Sessions are where the reader is signed in.
type Sessions struct {
	Frame
	Tabs     []Place
	Sessions []Session
}

// Session is a browser in which somebody is signed in.
type Session struct {
	ID, Browser, Address string
	Current              bool
	Began, Seen          Time
}

// Team is who takes part in an account.
type Team struct {
	Frame
	Account string
	Owner   bool // the reader is
	Members []Member
	Invited []Invited
}

// Member is somebody of a team.
type Member struct {
	ID, Email, Role string
	You, Second     bool
	Since           Time
}

func (m Member) second() Status {
	if m.Second {
		return Status{Done, "On"}
	}
	return Status{Idle, "Off"}
}

// Invited is somebody who has not joined yet.
type Invited struct {
	ID, Email, Role, By string
	Until               Time
}

// Accounts are those that the reader can look at.
type Accounts struct {
	Frame
	Several bool
	Form    Form
}

// Join is what an invitation shows.
type Join struct {
	Frame
	Account, Inviter, Role, Email string
	Form                          *Form  // nil where the reader cannot join as they are
	SignIn                        string // where the invited person signs in
	Other                         string // who is signed in instead
}

// noPasskeys says how to get one, where there can be some.
func (s Security) noPasskeys() Empty {
	if !s.Possible {
		return Empty{Title: "There are no passkeys here", Words: "Passkeys need a host name, and this service is reached by an IP address."}
	}
	return Empty{Title: "No passkeys yet", Words: "A passkey signs you in with a touch of your device, without a password.", Action: Link{"Add a passkey", "/settings/security/passkeys/new"}}
}

// nobody says who can invite.
func (t Team) nobody() Empty {
	if !t.Owner {
		return Empty{Title: "No open invitations", Words: "An owner can invite people."}
	}
	return Empty{Title: "No open invitations", Words: "They’ll get an email with a link that works for 7 days."}
}

// lines is one text of several.
func lines(all []string) string { return strings.Join(all, "\n") }

// Notices are the letters that a reader may do without.
type Notices struct {
	Frame
	Tabs  []Place
	Email string // where they go
	Form  Form
}
