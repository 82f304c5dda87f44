package mailstore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"portal/api/clock"
)

// CountMail counts an email of a sender to a recipient, in the transaction of the context,
// unless so many were counted within a span before now: then it tells for how long the next
// one has to wait. Another transaction that counts for the same two waits until this one
// ends.
func (s Store) CountMail(
	ctx context.Context, subject string, now, span clock.Time, most int,
) (wait clock.Time, err error) {
	err = s.db.Atomically(ctx, func(ctx context.Context) error {
		var kept string
		_, err := s.db.One(ctx, `INSERT INTO sent_mails (subject, times, expires_at)
			VALUES ($1, '', 0)
			ON CONFLICT (subject) DO UPDATE SET times = sent_mails.times
			RETURNING times`, []any{subject}, &kept)
		if err != nil {
			return err
		}
		times := slices.DeleteFunc(strings.Fields(kept), func(s string) bool {
			at, err := strconv.ParseInt(s, 10, 64)
			return err != nil || clock.Time(at) <= now-span
		})
		if len(times) >= most {
			first, _ := strconv.ParseInt(times[len(times)-most], 10, 64) // was read above
			wait = clock.Time(first) + span - now
			return nil
		}
		times = append(times, strconv.FormatInt(int64(now), 10))
		_, err = s.db.Exec(
			ctx,
			"UPDATE sent_mails SET times = $2, expires_at = $3 WHERE subject = $1",
			subject,
			strings.Join(times, " "),
			now+span,
		)
		return err
	})
	return wait, err
}
