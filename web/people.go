package web

import (
	"context"
	"net/netip"
	"time"

	"portal/api/access"
	"portal/api/fault"
)

// People tells who a session stands for.
type People interface {
	// Person is who is signed in by the session of a token, and notes that they were
	// here. fault.NoRecord: nobody is.
	Person(ctx context.Context, token string, from From) (*Person, error)
}

// Person is who is signed in.
type Person struct {
	ID      string
	Email   string
	Staff   bool
	Pending bool     // has yet to show the second factor, and may do nothing else
	Account *Account // that they look at, nil where they have none
}

// Account is that of a landlord, for one of its members.
type Account struct {
	ID    string
	Name  string
	Role  access.Role
	Zone  *time.Location // in which times are shown and days begin
	Live  access.Portfolio
	Test  access.Portfolio
	Units *int // ceiling of live units, nil where none holds
}

// From is where a request comes from.
type From struct {
	Address   netip.Addr // of the client
	UserAgent string
	RequestID string
	Device    string // of the cookie that tells a known device, "" for none
}

const deviceCookie = "device"

func (v *visit) from() From {
	f := From{UserAgent: v.Request().UserAgent(), RequestID: v.id}
	if a, err := netip.ParseAddr(v.RealIP()); err == nil {
		f.Address = a
	}
	if c, err := v.Cookie(v.pages.cookie(deviceCookie)); err == nil {
		f.Device = c.Value
	}
	return f
}

// aYear is how long a device is known.
const aYear = 365 * 24 * time.Hour

// remember keeps what tells this device from others, for the next time somebody signs
// in with it.
func (v *visit) remember(device string) {
	v.SetCookie(v.pages.biscuit(deviceCookie, device, int(aYear.Seconds())))
}

// recognize finds who asks.
func (v *visit) recognize() error {
	if err := v.load(); err != nil || !v.loaded {
		return err
	}
	token := v.pages.sessions.Token(v.ctx())
	if token == "" {
		return nil
	}
	who, err := v.pages.People.Person(v.ctx(), token, v.from())
	if fault.Is(err, fault.NoRecord) {
		return nil
	}
	v.person = who
	return err
}

// zone is where the reader's days begin.
func (v *visit) zone() *time.Location {
	if v.person == nil || v.person.Account == nil || v.person.Account.Zone == nil {
		return time.UTC
	}
	return v.person.Account.Zone
}
