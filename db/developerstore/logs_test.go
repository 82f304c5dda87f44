package developerstore_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/secret"
	"portal/db/dbtest"
)

var logs = []promise{
	{"WhatCameOfRequestsIsSummedUpBySpansOfTime", whatCameOfRequestsIsSummedUpBySpansOfTime},
	{"ALineOfTheLogIsKeptWhole", aLineOfTheLogIsKeptWhole},
	{"TheLogOfAPortfolioIsReadByWhatItsLinesAre", theLogOfAPortfolioIsReadByWhatItsLinesAre},
	{"ASearchOfALongLogGoesOnBehindWhatItHasReached", aSearchOfALongLogGoesOnBehindWhatItHasReached},
	{"TheLongestLineIsKeptAndFound", theLongestLineIsKeptAndFound},
	{"ABatchThatComesTwiceIsKeptOnce", aBatchThatComesTwiceIsKeptOnce},
	{"WhatWasSentIsCountedOnce", whatWasSentIsCountedOnce},
	{"AKeyWasLastUsedByItsLatestRequest", aKeyWasLastUsedByItsLatestRequest},
	{"BatchesOfTheSameKeysAtOnceAllArrive", batchesOfTheSameKeysAtOnceAllArrive},
	{"OldLinesAreForgottenInPortions", oldLinesAreForgottenInPortions},
	{"OldCountsAreForgottenInPortions", oldCountsAreForgottenInPortions},
	{"ARowWithoutAKeyTakesAtMost300Bytes", aRowWithoutAKeyTakesAtMost300Bytes},
	{"TheLimiterIsKeptToTheByte", theLimiterIsKeptToTheByte},
}

// line is a request of a key at a time.
func line(key string, at time.Time) developer.Request {
	return developer.Request{
		ID:      id.New(id.Request, at),
		At:      clock.At(at),
		KeyID:   key,
		Method:  "GET",
		Path:    "/api/v1/external/me",
		Status:  200,
		Address: "192.0.2.1",
	}
}

// logged are the ids of the lines that are stored, in ascending order.
func (r *fixture) logged() []string {
	r.Helper()
	var ids []string
	for {
		after := ""
		if len(ids) > 0 {
			after = ids[len(ids)-1]
		}
		id := r.Text("min(id)", "requests WHERE id > $1", after)
		if id == "" {
			return ids
		}
		ids = append(ids, id)
	}
}

func aLineOfTheLogIsKeptWhole(r *fixture) {
	l := r.Landlord("dana")
	full := developer.Request{
		ID:             id.New(id.Request, dbtest.Now),
		At:             clock.At(dbtest.Now),
		AccountID:      l.Account.ID,
		KeyID:          "key_1",
		PortfolioID:    l.Live.ID,
		Operation:      "list_properties",
		Method:         "GET",
		Path:           "/api/v1/external/properties",
		Query:          "city=O'Brien&x=é",
		Status:         400,
		Code:           "invalid_field",
		Param:          "city",
		Duration:       1234567 * time.Nanosecond,
		Bytes:          1 << 40,
		Address:        "2001:db8::1",
		UserAgent:      strings.Repeat("ü", 300),
		IdempotencyKey: "invoice 7",
		Replayed:       true,
	}
	bare := developer.Request{
		ID:     id.New(id.Request, dbtest.Now),
		At:     clock.At(dbtest.Now),
		Method: "PUT",
		Path:   "/",
	}
	r.OK(r.Developer.AddRequests(r.Context(), []developer.Request{full, bare}))
	columns := "id at account_id key_id portfolio_id operation method path query status code param duration_us " +
		"bytes address user_agent idempotency_key"
	for i, want := range [][]any{
		{
			full.ID,
			full.At.Std().UnixMilli(),
			full.AccountID,
			"key_1",
			l.Live.ID,
			"list_properties",
			"GET",
			full.Path,
			full.Query,
			400,
			"invalid_field",
			"city",
			1234,
			full.Bytes,
			full.Address,
			full.UserAgent,
			"invoice 7",
		},
		{bare.ID, bare.At.Std().UnixMilli(), "", "", "", "", "PUT", "/", "", 0, "", "", 0, 0, "", "", ""},
	} {
		for c, column := range strings.Fields(columns) {
			got := r.Text(column, "requests WHERE id = $1", []string{full.ID, bare.ID}[i])
			r.Want(got == fmt.Sprint(want[c]), "%s is %q, want %v", column, got, want[c])
		}
	}
	for column := range strings.FieldsSeq("account_id key_id portfolio_id code param idempotency_key") {
		r.Same(r.Text("count(*)", "requests WHERE "+column+" IS NULL"), "1")
	}
	r.Same(r.Text("count(*)", "requests WHERE replayed AND NOT dry_run"), "1")
	r.OK(r.Developer.AddRequests(r.Context(), nil))
}

// A recorder that heard an error writes the batch again, and may have been heard
// the first time: a connection can break behind the commit.
func aBatchThatComesTwiceIsKeptOnce(r *fixture) {
	var batch []developer.Request
	for i := range 250 {
		batch = append(batch, line("", dbtest.Now.Add(time.Duration(i)*time.Millisecond)))
	}
	r.OK(r.Developer.AddRequests(r.Context(), batch[:120]))
	r.OK(r.Developer.AddRequests(r.Context(), batch))
	r.Want(len(r.logged()) == len(batch), "%d lines", len(r.logged()))
}

// What was sent with requests is counted in a demo portfolio once, also where a batch brings some of it again.
func whatWasSentIsCountedOnce(r *fixture) {
	in := r.Landlord("dana").Test
	dbtest.Exec(r, r.DB, "INSERT INTO demo_usage (portfolio_id, records, bytes) VALUES ($1, 0, 0)", in.ID)
	sent := func(sizes ...int) (b developer.LogBatch) {
		for i, size := range sizes {
			l := line("", dbtest.Now.Add(time.Duration(i)*time.Millisecond))
			b.Requests = append(b.Requests, l)
			b.Exchanges = append(b.Exchanges, developer.SealedExchange{
				RequestID:   l.ID,
				PortfolioID: in.ID,
				Sealed:      make([]byte, size),
			})
		}
		return b
	}
	all := sent(10, 20, 30)
	part := developer.LogBatch{Requests: all.Requests[:2], Exchanges: all.Exchanges[:2]}
	for _, b := range []developer.LogBatch{part, all, all} {
		r.OK(r.Developer.AddLog(r.Context(), b))
	}
	grown := dbtest.Texts(r, r.DB, "SELECT CAST(sum(bytes) AS TEXT) FROM demo_growth")
	r.Want(len(grown) == 1 && grown[0] == "960", "grown by %v bytes", grown)
}

func aKeyWasLastUsedByItsLatestRequest(r *fixture) {
	l := r.Landlord("dana")
	used, idle := r.Key(l, l.Live, 1), r.Key(l, l.Test, 1)
	last := func(k developer.Key) *clock.Time {
		c, _, err := r.Developer.Caller(r.Context(), k.Hash)
		r.OK(err)
		return c.Key.LastUsedAt
	}
	for _, step := range []struct {
		seconds []int
		want    int
	}{{[]int{5, 9, 7}, 9}, {[]int{3}, 9}, {[]int{9}, 9}, {[]int{10}, 10}} {
		batch := []developer.Request{line("key_unknown", dbtest.Now), line("", dbtest.Now)}
		for _, s := range step.seconds {
			batch = append(batch, line(used.ID, dbtest.Now.Add(time.Duration(s)*time.Second)))
		}
		r.OK(r.Developer.AddRequests(r.Context(), batch))
		r.Same(last(used), new(clock.At(dbtest.Now.Add(time.Duration(step.want)*time.Second))))
	}
	r.Want(last(idle) == nil, "an idle key was used")
}

// Several nodes write what the same keys did, each in an order of its own making.
func batchesOfTheSameKeysAtOnceAllArrive(r *fixture) {
	l := r.Landlord("dana")
	var ids []string
	for range 40 {
		ids = append(ids, r.Key(l, l.Live, 1).ID)
	}
	errs := make([]error, 8)
	var all sync.WaitGroup
	for w := range errs {
		all.Go(func() {
			for i := range 5 {
				var batch []developer.Request
				for _, k := range ids {
					batch = append(batch, line(k, dbtest.Now.Add(time.Duration(5*i+w)*time.Second)))
				}
				errs[w] = errors.Join(errs[w], r.Developer.AddRequests(r.Context(), batch))
			}
		})
	}
	all.Wait()
	r.OK(errors.Join(errs...))
	r.Same(r.Text("count(*)", "requests"), fmt.Sprint(len(errs)*5*len(ids)))
}

func oldLinesAreForgottenInPortions(r *fixture) {
	var batch []developer.Request
	for i := range 25 {
		batch = append(batch, line("", dbtest.Now.Add(time.Duration(i)*time.Millisecond)))
	}
	ids := make([]string, len(batch))
	for i := range batch {
		ids[i] = batch[i].ID
	}
	slices.Reverse(batch)
	r.OK(r.Developer.AddRequests(r.Context(), batch))
	before := clock.At(dbtest.Now) + 17 // the line of that moment stays
	for _, step := range []struct{ most, gone, left int }{
		{10, 10, 15},
		{5, 5, 10},
		{0, 0, 10},
		{10, 2, 8},
		{10, 0, 8},
	} {
		n, err := r.Developer.ForgetRequests(r.Context(), before, step.most)
		r.OK(err)
		r.Want(n == int64(step.gone), "%d of at most %d, want %d", n, step.most, step.gone)
		r.Same(r.logged(), ids[len(ids)-step.left:])
	}
}

func oldCountsAreForgottenInPortions(r *fixture) {
	var b developer.LogBatch
	for i := range 5 {
		at := dbtest.Now.Add(time.Duration(i) * time.Millisecond)
		b.Requests = append(b.Requests, line("", at))
		b.Counts = append(b.Counts, developer.RequestCount{
			ID:     id.New(id.Request, at),
			Client: "192.0.2.1",
			Total:  2,
			Codes:  []developer.CodeCount{{Code: "missing_api_key", Count: 2}},
		})
	}
	r.OK(r.Developer.AddLog(r.Context(), b))
	before := clock.At(dbtest.Now) + 4
	for _, step := range []struct{ most, gone, left int }{{3, 3, 7}, {3, 3, 4}, {3, 2, 2}, {3, 0, 2}} {
		n, err := r.Developer.ForgetRequests(r.Context(), before, step.most)
		r.OK(err)
		r.Want(n == int64(step.gone), "%d of at most %d, want %d", n, step.most, step.gone)
		r.Same(r.Text("(SELECT count(*) FROM requests) + count(*)", "request_counts"), fmt.Sprint(step.left))
	}
}

// What anybody can make us write is bounded in bytes, indexes included (docs/operations.md).
func aRowWithoutAKeyTakesAtMost300Bytes(r *fixture) {
	const rows, most = 4000, 300
	var kept recorded
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	r.OK(err)
	recorder := developer.NewRecorder(&kept, box, slog.New(slog.DiscardHandler))
	long, address := strings.Repeat("ab.", 500), "2001:db8:1111:2222:%x:7777:8888:9999"
	for i := range rows {
		one := line("", dbtest.Now.Add(time.Duration(i)*8*time.Minute)) // so that none is only counted
		one.Operation = "rotate_webhook_endpoint_secret"
		one.Code = "malformed_api_key"
		one.Method = "OPTIONS"
		one.Path = long
		one.Query = long
		one.UserAgent = long
		one.Param = long
		one.Status = 401
		one.Bytes = 512
		one.Duration = 1234567 * time.Nanosecond
		one.Address = fmt.Sprintf(address, i%4096+4096)
		recorder.Record(one, nil)
	}
	ended, end := context.WithCancel(r.Context())
	end()
	recorder.Run(ended)
	r.Want(len(kept.Requests) == rows, "%d rows", len(kept.Requests))
	for i := range rows {
		kept.Counts = append(kept.Counts, developer.RequestCount{
			ID:     kept.Requests[i].ID,
			Client: "2001:db8:1111:2222::/64",
			Total:  1_000_000,
			Codes: []developer.CodeCount{
				{Code: "malformed_api_key", Count: 200_000},
				{Code: "malformed_request", Count: 200_000},
				{Code: "expired_api_key", Count: 200_000},
				{Code: "unknown_api_key", Count: 200_000},
				{Code: "missing_api_key", Count: 199_999},
				{Code: developer.OtherCodes, Count: 1},
			},
		})
	}
	for name, b := range map[string]developer.LogBatch{
		"requests":       {Requests: kept.Requests},
		"request_counts": {Counts: kept.Counts},
	} {
		before := r.size()
		for i := 0; i < rows; i += 20 { // a batch is seldom longer
			var part developer.LogBatch
			if b.Requests != nil {
				part.Requests = b.Requests[i : i+20]
			} else {
				part.Counts = b.Counts[i : i+20]
			}
			r.OK(r.Developer.AddLog(r.Context(), part))
		}
		size := (r.size() - before) / rows
		r.Want(size <= most && size > 100, "a row of %s takes %d bytes", name, size)
		r.Logf("a row of %s takes %d bytes", name, size)
	}
}

// recorded is a request log in memory.
type recorded struct{ developer.LogBatch }

// AddLog keeps a batch.
func (k *recorded) AddLog(_ context.Context, b developer.LogBatch) error {
	k.Requests, k.Counts = append(k.Requests, b.Requests...), append(k.Counts, b.Counts...)
	return nil
}

// size is how many bytes the tables and indexes of the request log take.
func (r *fixture) size() (bytes int64) {
	r.Helper()
	if pool := r.DB.Postgres(); pool != nil {
		r.OK(pool.QueryRow(
			r.Context(),
			"SELECT pg_total_relation_size('requests') + pg_total_relation_size('request_counts')",
		).Scan(&bytes))
		return bytes
	}
	r.OK(r.DB.SQLite().QueryRowContext(
		r.Context(),
		"SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size)",
	).Scan(&bytes))
	return bytes
}

func theLimiterIsKeptToTheByte(r *fixture) {
	want := map[string][]byte{
		"key_1":       {0, 1, 255},
		"203.0.113.7": {},
		"key_é":       []byte(strings.Repeat("\x00\xff", 5000)),
	}
	read := func() map[string][]byte {
		r.Helper()
		got := map[string][]byte{}
		r.OK(r.Limits.Limits(r.Context(), func(subject string, state []byte) error {
			got[subject] = slices.Clone(state)
			return nil
		}))
		return got
	}
	r.Same(read(), map[string][]byte{})
	r.OK(r.Limits.SaveLimits(r.Context(), want, clock.At(dbtest.Now)))
	r.Same(read(), want)
	want["key_1"] = []byte("changed")
	r.OK(r.Limits.SaveLimits(r.Context(), map[string][]byte{
		"key_1":       want["key_1"],
		"203.0.113.7": nil,
		"never there": nil,
	}, clock.At(dbtest.Now)))
	delete(want, "203.0.113.7")
	r.Same(read(), want)
	r.OK(r.Limits.SaveLimits(r.Context(), nil, clock.At(dbtest.Now)))
	reason := errors.New("no")
	err := r.Limits.Limits(r.Context(), func(string, []byte) error { return reason })
	r.Want(errors.Is(err, reason), "the callback's error came back as %v", err)
	r.Same(read(), want)
}
