package dbtest_test

import (
	"context"
	"sync"

	"portal/api/fault"
)

var closing = []promise{
	{"AnOpenStoreAnswersAndIsMigrated", anOpenStoreAnswersAndIsMigrated},
	{"APanicOfWhoReadsHarmsNobody", aPanicOfWhoReadsHarmsNobody},
	{"AClosedStoreSaysSo", aClosedStoreSaysSo},
	{"ACloseWaitsForWhatIsUnderWay", aCloseWaitsForWhatIsUnderWay},
}

func anOpenStoreAnswersAndIsMigrated(r *fixture) {
	r.OK(r.DB.Ping(r.Context()))
	done, err := r.DB.Migrated(r.Context())
	r.OK(err)
	r.Want(done, "not migrated")
}

// More often than there are connections.
func aPanicOfWhoReadsHarmsNobody(r *fixture) {
	r.OK(r.Limits.SaveLimits(r.Context(), map[string][]byte{"a": {1}, "b": {2}}, 1))
	for i := range 30 {
		func() {
			defer func() {
				if caught := recover(); caught != i {
					r.Errorf("caught %v", caught)
				}
			}()
			_ = r.Limits.Limits(r.Context(), func(string, []byte) error { panic(i) })
		}()
	}
	read := 0
	r.OK(r.Limits.Limits(r.Context(), func(string, []byte) error { read++; return nil }))
	r.Want(read == 2, "%d states", read)
}

func aClosedStoreSaysSo(r *fixture) {
	r.OK(r.DB.Close())
	r.OK(r.DB.Close()) // and the test's own end closes it a third time
	r.Refused(r.DB.Ping(r.Context()), "a ping")
	_, _, err := r.Accounts.User(r.Context(), "dana")
	r.Want(fault.Is(err, fault.Unavailable), "a read answers %v", err)
	r.Want(fault.Is(r.User(r.Context(), "dana"), fault.Unavailable), "a write did not say unavailable")
	err = r.DB.Atomically(r.Context(), func(context.Context) error { return nil })
	r.Want(fault.Is(err, fault.Unavailable), "a transaction answers %v", err)
}

// aCloseWaitsForWhatIsUnderWay closes while one writes and one reads.
func aCloseWaitsForWhatIsUnderWay(r *fixture) {
	r.OK(r.Limits.SaveLimits(r.Context(), map[string][]byte{"a": {1}, "b": {2}}, 1))
	var under, done sync.WaitGroup
	under.Add(2)
	goOn := make(chan struct{})
	pause := sync.OnceFunc(func() { under.Done(); <-goOn })
	done.Go(func() {
		err := r.Limits.Limits(r.Context(), func(string, []byte) error { pause(); return nil })
		if err != nil {
			r.Errorf("the read: %v", err)
		}
	})
	done.Go(func() {
		err := r.DB.Atomically(r.Context(), func(ctx context.Context) error {
			under.Done()
			<-goOn
			return r.User(ctx, "dana")
		})
		if err != nil {
			r.Errorf("the write: %v", err)
		}
	})
	under.Wait()
	closed := make(chan error)
	go func() { closed <- r.DB.Close() }()
	select {
	case err := <-closed:
		r.Errorf("closed before they were done: %v", err)
		close(goOn)
		done.Wait()
		return
	default:
	}
	close(goOn)
	done.Wait()
	r.OK(<-closed)
}
