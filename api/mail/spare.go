package mail

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
)

// mostToOne is how many emails with a link a portfolio sends to one recipient within an hour.
const mostToOne = 5

// Counter counts emails.
type Counter interface {
	// CountMail counts an email to a subject in the transaction of the context, unless so many were counted within a
	// span before now: then it tells for how long the next one has to wait.
	CountMail(ctx context.Context, subject string, now, span clock.Time, most int) (wait clock.Time, err error)
}

// SpareRecipient counts an email with a link that somebody has a portfolio send to a recipient, whatever the case of
// the address, and refuses the sixth within an hour with fault.RateLimited. Those of test mode, which are kept
// instead of sent, count alike.
func SpareRecipient(ctx context.Context, c Counter, in access.Portfolio, to string, now clock.Time) error {
	sum := sha256.Sum256([]byte(strings.ToLower(to)))
	subject := fmt.Sprintf("portfolio %d %x", in.ID, sum[:16])
	wait, err := c.CountMail(ctx, subject, now, clock.Time(time.Hour.Milliseconds()), mostToOne)
	if err != nil || wait == 0 {
		return err
	}
	f := fault.New(
		fault.RateLimited,
		"This portfolio has sent %d emails to %s within an hour, the most that one recipient gets.",
		mostToOne,
		to,
	)
	f.Retry = int((wait + 999) / 1000)
	return f
}
