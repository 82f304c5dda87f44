package upload_test

import (
	"maps"
	"testing"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/upload"
)

const unclear = "address,unit,tenant,start,rent\n\"9 Pine St, Austin, TX 78701\",1,Ann Lee,1/2/2026,900\n" +
	"\"9 Pine St, Austin, TX 78701\",2,Bo Day,3/4/2026,900\n"

// saying are answers whatever the columns are.
func saying(pairs ...string) upload.Say {
	return func([]rentroll.Heading) (map[string]*string, error) {
		all := map[string]*string{}
		for i := 0; i < len(pairs); i += 2 {
			all[pairs[i]] = nil
			if pairs[i+1] != "null" {
				all[pairs[i]] = &pairs[i+1]
			}
		}
		return all, nil
	}
}

func TestFileIsReadWithWhatItsSenderSays(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		d, err := o.DraftWith(
			o.Context(),
			by,
			"roll.csv",
			upload.Text(unclear),
			saying("dates:lease_start", "day_first"),
		)
		o.ok(err)
		o.ok(o.Keep(o.Context(), by, d))
		u := o.reads(by, d.ID)
		if !u.Preview.Fits() || u.Records == 0 || u.Preview.Lines[0].Start.String() != "2026-02-01" {
			o.Errorf("%+v", u.Preview)
		}
		_, err = o.DraftWith(o.Context(), by, "roll.csv", upload.Text(unclear), saying("dates:rent", "day_first"))
		if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "answers" {
			o.Errorf("an answer to no question: %v", err)
		}
	})
}

func TestReadingKeepsWhatWasSaidMeanwhile(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		id := o.takes(by, []byte(unclear)).ID
		first, err := o.Reread(o.Context(), by, id, saying("dates:lease_start", "month_first"))
		o.ok(err)
		second, err := o.Reread(o.Context(), by, id, saying("line:3", rentroll.LeaveOut))
		o.ok(err)
		if len(o.reads(by, id).Preview.Answers) != 0 {
			o.Error("reading anew has written something")
		}
		o.ok(o.KeepReading(o.Context(), by, first))
		o.ok(o.KeepReading(o.Context(), by, second))
		want := rentroll.Answers{"dates:lease_start": "month_first", "line:3": rentroll.LeaveOut}
		if got := o.reads(by, id).Preview.Answers; !maps.Equal(got, want) {
			o.Errorf("said %v", got)
		}
		back, err := o.Reread(o.Context(), by, id, saying("line:3", "null"))
		o.ok(err)
		o.ok(o.KeepReading(o.Context(), by, back))
		late, err := o.Reread(o.Context(), by, id, saying("line:2", rentroll.LeaveOut))
		o.ok(err)
		_, err = o.Confirm(o.Context(), by, "user_1", id, upload.AsItIs)
		o.ok(err)
		if err := o.KeepReading(o.Context(), by, late); !fault.Is(err, fault.InvalidTransition) {
			o.Errorf("of one that is being imported: %v", err)
		}
		if _, err = o.Reread(o.Context(), by, id, saying()); !fault.Is(err, fault.InvalidTransition) {
			o.Errorf("of one that is being imported: %v", err)
		}
	})
}
