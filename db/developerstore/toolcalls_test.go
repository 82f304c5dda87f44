package developerstore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/db"
	"portal/db/dbtest"
)

var toolCalls = []promise{
	{"AToolCallIsReadAsItWasWritten", aToolCallIsReadAsItWasWritten},
	{"ToolCallsAreListedByWhatTheyAre", toolCallsAreListedByWhatTheyAre},
	{"AWalkThroughToolCallsVisitsEachOnceInEitherOrder", aWalkThroughToolCallsVisitsEachOnceInEitherOrder},
	{"NoToolCallOfAnotherPortfolioIsSeen", noToolCallOfAnotherPortfolioIsSeen},
	{"AToolCallIsThereIfAndOnlyIfItsTransactionIs", aToolCallIsThereIfAndOnlyIfItsTransactionIs},
	{"ToolCallsThatComeTwiceAreKeptOnce", toolCallsThatComeTwiceAreKeptOnce},
	{"ACallWithoutANameHasTheNameThatItsClientTold", aCallWithoutANameHasTheNameThatItsClientTold},
	{"OldToolCallsAreForgottenInPortions", oldToolCallsAreForgottenInPortions},
}

// call is one of a portfolio's, at a time.
func call(in access.Portfolio, at time.Time) developer.ToolCall {
	return developer.ToolCall{
		ID:            id.New(id.Call, at),
		At:            clock.At(at),
		AccountID:     "acct_1",
		PortfolioID:   in.ID,
		KeyID:         "key_1",
		RequestID:     "req_1",
		Client:        "Claude",
		ClientVersion: "1.0",
		Protocol:      "2025-06-18",
		UserAgent:     "node",
		Tool:          "list_properties",
		Arguments:     "{}",
		Outcome:       developer.Succeeded,
	}
}

func (r *fixture) calls(in access.Portfolio, f developer.CallFilter) []developer.ToolCall {
	r.Helper()
	found, err := r.Developer.ToolCalls(r.Context(), in, f)
	r.OK(err)
	return found
}

func (r *fixture) addCalls(all ...developer.ToolCall) {
	r.Helper()
	r.OK(r.Developer.AddToolCalls(r.Context(), all))
}

func aToolCallIsReadAsItWasWritten(r *fixture) {
	l := r.Landlord("dana")
	for i, s := range append(dbtest.Awkward, "") {
		var c developer.ToolCall
		(dbtest.NewFiller(rand.New(rand.NewPCG(41, uint64(i))), 0)).Fill(&c)
		c.ID = id.New(id.Call, dbtest.Now.Add(time.Duration(i)*time.Millisecond))
		c.PortfolioID = l.Live.ID
		c.Duration = 1234 * time.Microsecond
		c.Tool, c.Message, c.UserAgent, c.Arguments, c.Change = s, s, s, developer.JSON(s), developer.JSON(s)
		if s == "" {
			c = developer.ToolCall{ID: c.ID, PortfolioID: l.Live.ID}
		}
		r.addCalls(c)
		got, err := r.Developer.ToolCall(r.Context(), l.Live, c.ID)
		r.OK(err)
		r.Same(got, c)
		r.Want(got == c, "differs in what is not shown: %+v", got)
		r.Same(r.calls(l.Live, developer.CallFilter{})[:1], []developer.ToolCall{c})
	}
	r.Same(r.Text("count(*)", "tool_calls WHERE message IS NULL AND record_id IS NULL AND change IS NULL"), "1")
	r.OK(r.Developer.AddToolCalls(r.Context(), nil))
}

func toolCallsAreListedByWhatTheyAre(r *fixture) {
	l := r.Landlord("dana")
	all := make([]developer.ToolCall, 6)
	for i := range all {
		all[i] = call(l.Live, dbtest.Now.Add(time.Duration(i)*time.Minute))
	}
	read, preview, write, refused, refusedPreview, other := &all[0], &all[1], &all[2], &all[3], &all[4], &all[5]
	for _, c := range []*developer.ToolCall{preview, write, refused, refusedPreview} {
		c.Tool, c.DryRun = "update_lease", c == preview || c == refusedPreview
	}
	preview.Change, write.Change, write.RecordID = `[{"field":"a"}]`, `[{"field":"a"}]`, "lea_1"
	refused.Outcome, refused.Message, refusedPreview.Outcome = "stale_write", "It changed.", "not_found"
	other.KeyID, other.Replayed = "key_2", true
	r.addCalls(all...)
	at := func(d time.Duration) *clock.Time { return new(clock.At(dbtest.Now.Add(d))) }
	for i, c := range []struct {
		f    developer.CallFilter
		want []*developer.ToolCall
	}{
		{developer.CallFilter{}, []*developer.ToolCall{other, refusedPreview, refused, write, preview, read}},
		{developer.CallFilter{KeyID: "key_2"}, []*developer.ToolCall{other}},
		{developer.CallFilter{KeyID: "key"}, nil},
		{developer.CallFilter{Tool: "update_lease"}, []*developer.ToolCall{refusedPreview, refused, write, preview}},
		{developer.CallFilter{Tool: "update_lease", KeyID: "key_2"}, nil},
		{developer.CallFilter{Result: developer.OK}, []*developer.ToolCall{other, write, preview, read}},
		{developer.CallFilter{Result: developer.Failed}, []*developer.ToolCall{refusedPreview, refused}},
		{
			developer.CallFilter{
				Result: developer.Failed,
				Tool:   "update_lease",
				KeyID:  "key_1",
				DryRun: new(false),
			},
			[]*developer.ToolCall{refused},
		},
		{developer.CallFilter{DryRun: new(true)}, []*developer.ToolCall{refusedPreview, preview}},
		{developer.CallFilter{DryRun: new(true), Result: developer.OK}, []*developer.ToolCall{preview}},
		{developer.CallFilter{DryRun: new(false)}, []*developer.ToolCall{other, refused, write, read}},
		{developer.CallFilter{Saved: true}, []*developer.ToolCall{write}},
		{developer.CallFilter{Saved: true, DryRun: new(true)}, nil},
		{developer.CallFilter{StartingAfter: write.ID}, []*developer.ToolCall{preview, read}},
		{developer.CallFilter{StartingAfter: write.ID, Result: developer.Failed}, nil},
		{developer.CallFilter{From: at(4 * time.Minute)}, []*developer.ToolCall{other, refusedPreview}},
		{developer.CallFilter{From: at(time.Minute), To: at(3 * time.Minute)}, []*developer.ToolCall{write, preview}},
		{developer.CallFilter{To: at(3 * time.Minute), StartingAfter: preview.ID}, []*developer.ToolCall{read}},
	} {
		want := []developer.ToolCall{}
		for _, w := range c.want {
			want = append(want, *w)
		}
		c.f.Limit = 10
		got := r.calls(l.Live, c.f)
		r.Want(slices.Equal(got, want), "%d:\n got %s\nwant %s", i, dbtest.Show(got), dbtest.Show(want))
		none := r.calls(l.Test, c.f)
		r.Want(len(none) == 0, "%d: %s", i, dbtest.Show(none))
	}
}

func aWalkThroughToolCallsVisitsEachOnceInEitherOrder(r *fixture) {
	l := r.Landlord("dana")
	var want []string
	for i := range 25 {
		c := call(l.Live, dbtest.Now.Add(time.Duration(i/3)*time.Millisecond)) // several of one moment
		c.Tool = []string{"list_leases", "list_tenants"}[i%2]
		r.addCalls(c)
		want = append(want, c.ID)
	}
	slices.Sort(want) // ids of one moment ascend only while nobody asks for another
	slices.Reverse(want)
	walk := func(f developer.CallFilter) (got []string) {
		for {
			rows := r.calls(l.Live, f)
			r.Want(len(rows) <= f.Limit+1, "%d rows with limit %d", len(rows), f.Limit)
			for _, c := range rows[:min(f.Limit, len(rows))] {
				got = append(got, c.ID)
			}
			if len(rows) <= f.Limit {
				return got
			}
			f.StartingAfter = got[len(got)-1]
		}
	}
	for _, limit := range []int{1, 2, 7, 24, 25, 26} {
		r.Same(walk(developer.CallFilter{Limit: limit}), want)
		up := walk(developer.CallFilter{Limit: limit, Ascending: true})
		slices.Reverse(up)
		r.Same(up, want)
	}
	r.Raw("DELETE FROM tool_calls WHERE id = $1", want[9])
	rows := r.calls(l.Live, developer.CallFilter{Limit: 3, StartingAfter: want[9]})
	r.Want(len(rows) == 4 && rows[0].ID == want[10], "behind a call that is gone: %s", dbtest.Show(rows))
}

func noToolCallOfAnotherPortfolioIsSeen(r *fixture) {
	here, there := r.Landlord("dana"), r.Landlord("robin")
	mine, foreign := call(here.Live, dbtest.Now), call(there.Live, dbtest.Now)
	foreign.ID = mine.ID // as nothing keeps it from
	foreign.Client, foreign.Tool = "", "get_property"
	r.addCalls(mine, foreign)
	r.OK(r.Developer.SeeClients(r.Context(), []developer.Client{{
		PortfolioID: here.Live.ID,
		KeyID:       "key_1",
		UserAgent:   "node",
		Name:        "Mine",
	}}))
	for in, want := range map[access.Portfolio]developer.ToolCall{here.Live: mine, there.Live: foreign} {
		if want.Client == "" {
			want.ClientVersion = ""
		}
		got, err := r.Developer.ToolCall(r.Context(), in, mine.ID)
		r.OK(err)
		got.ClientVersion = want.ClientVersion
		r.Same(got, want)
		r.Want(len(r.calls(in, developer.CallFilter{Limit: 10})) == 1, "more than one")
	}
	for _, in := range []access.Portfolio{here.Test, there.Test} {
		_, err := r.Developer.ToolCall(r.Context(), in, mine.ID)
		r.Want(fault.Is(err, fault.NoRecord), "%v", err)
		r.Want(len(r.calls(in, developer.CallFilter{Limit: 10, KeyID: "key_1"})) == 0, "a call of another portfolio")
	}
}

func aToolCallIsThereIfAndOnlyIfItsTransactionIs(r *fixture) {
	l := r.Landlord("dana")
	kept, lost := call(l.Live, dbtest.Now), call(l.Live, dbtest.Now)
	write := func(c developer.ToolCall, city string, end error) error {
		return r.DB.Atomically(r.Context(), func(ctx context.Context) error {
			if err := r.Developer.AddToolCalls(ctx, []developer.ToolCall{c}); err != nil {
				return err
			}
			if found, err := r.Developer.ToolCalls(db.Outside(ctx), l.Live, developer.CallFilter{
				Limit:         10,
				KeyID:         c.KeyID,
				StartingAfter: c.ID + "~",
			}); err != nil || len(found) > 0 && found[0].ID == c.ID {
				r.Errorf("seen outside before its commit: %s, %v", dbtest.Show(found), err)
			}
			if _, err := r.Developer.ToolCall(ctx, l.Live, c.ID); err != nil {
				r.Errorf("not seen in its own transaction: %v", err)
			}
			return errors.Join(r.User(ctx, city), end)
		})
	}
	reason := errors.New("no")
	r.Want(errors.Is(write(lost, "lost", reason), reason), "let through")
	r.OK(write(kept, "kept", nil))
	r.Refused(write(call(l.Live, dbtest.Now), "kept", nil), "a user that is there already")
	r.Want(r.Known(r.Context(), "kept") && !r.Known(r.Context(), "lost"), "the changes differ")
	r.Same(r.calls(l.Live, developer.CallFilter{Limit: 10}), []developer.ToolCall{kept})
}

func toolCallsThatComeTwiceAreKeptOnce(r *fixture) {
	l := r.Landlord("dana")
	var batch []developer.ToolCall
	for i := range 250 {
		batch = append(batch, call(l.Live, dbtest.Now.Add(time.Duration(i)*time.Millisecond)))
	}
	r.addCalls(batch[:120]...)
	again := slices.Clone(batch)
	for i := range again {
		again[i].Tool = "another"
	}
	again[200].Tool = batch[200].Tool
	r.addCalls(again...)
	r.Same(r.Text("count(*)", "tool_calls"), "250")
	r.Same(r.Text("count(*)", "tool_calls WHERE tool = 'another'"), "129")
	r.Same(r.calls(l.Live, developer.CallFilter{Limit: 1, StartingAfter: batch[1].ID})[0], batch[0])
}

func aCallWithoutANameHasTheNameThatItsClientTold(r *fixture) {
	l := r.Landlord("dana")
	told := developer.Client{
		PortfolioID: l.Live.ID,
		KeyID:       "key_1",
		UserAgent:   "node",
		Name:        "Claude",
		Version:     "1.0",
		Protocol:    "2024-11-05",
		FirstSeenAt: clock.At(dbtest.Now),
		LastSeenAt:  clock.At(dbtest.Now),
	}
	minute := 0
	nameless := func(userAgent string) developer.ToolCall {
		minute++
		c := call(l.Live, dbtest.Now.Add(time.Duration(minute)*time.Minute))
		c.Client, c.ClientVersion, c.Protocol, c.UserAgent = "", "", "", userAgent
		return c
	}
	early, foreign := nameless("node"), nameless("node")
	foreign.KeyID = "key_2"
	r.addCalls(early, foreign)
	r.OK(r.Developer.SeeClients(r.Context(), []developer.Client{told}))
	late, deno, named := nameless("node"), nameless("deno"), nameless("node")
	named.Client, named.Protocol = "Cursor", "2025-11-25"
	r.addCalls(late, deno, named)
	told.Name, told.Version, told.LastSeenAt = "Claude Code", "2.0", told.LastSeenAt+1
	r.OK(r.Developer.SeeClients(r.Context(), []developer.Client{told}))
	var got []string
	for _, c := range r.calls(l.Live, developer.CallFilter{Limit: 10}) {
		got = append(got, fmt.Sprintf("%s %s %s %s %s", c.KeyID, c.UserAgent, c.Client, c.ClientVersion, c.Protocol))
	}
	r.Same(got, []string{
		"key_1 node Cursor  2025-11-25", "key_1 deno   ", "key_1 node Claude 1.0 2024-11-05",
		"key_2 node   ", "key_1 node Claude Code 2.0 ",
	})
}

func oldToolCallsAreForgottenInPortions(r *fixture) {
	here, there := r.Landlord("dana"), r.Landlord("robin")
	var batch []developer.ToolCall
	for i := range 25 {
		in := []access.Portfolio{here.Live, there.Test}[i%2]
		batch = append(batch, call(in, dbtest.Now.Add(time.Duration(i)*time.Millisecond)))
	}
	slices.Reverse(batch)
	r.addCalls(batch...)
	before := clock.At(dbtest.Now) + 17 // the call of that moment stays
	for _, step := range []struct{ most, gone, left int }{
		{10, 10, 15},
		{5, 5, 10},
		{0, 0, 10},
		{10, 2, 8},
		{10, 0, 8},
	} {
		n, err := r.Developer.ForgetToolCalls(r.Context(), before, step.most)
		r.OK(err)
		r.Want(n == int64(step.gone), "%d of at most %d, want %d", n, step.most, step.gone)
		r.Same(r.Text("count(*)", "tool_calls"), fmt.Sprint(step.left))
		r.Same(r.Text("min(at)", "tool_calls"), fmt.Sprint(int64(batch[step.left-1].At)))
	}
}
