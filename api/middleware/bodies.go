package middleware

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"portal/api/fault"
)

// Bodies that are larger than smallBody take room, in bytes, from when they are read until their answer has left,
// so that many of them at once do not take the memory of the service.
const (
	smallBody       = 16 << 10
	mostBodies      = 64 << 20
	mostBodiesOfKey = 16 << 20
	waitForRoom     = 10 * time.Second
)

// bodies is the room that large bodies take: all of them, and those of a key.
type bodies struct {
	all  *semaphore.Weighted
	mu   sync.Mutex
	keys map[string]*keyBodies
}

// keyBodies is the room of a key that sends large bodies now.
type keyBodies struct {
	room  *semaphore.Weighted
	users int // requests that have room, or wait for it
}

func newBodies() *bodies {
	return &bodies{all: semaphore.NewWeighted(mostBodies), keys: map[string]*keyBodies{}}
}

// take waits for room for so many bytes of a body of a key, and returns what gives it back. It is
// fault.Unavailable where there is none in time.
func (b *bodies) take(ctx context.Context, key string, size int64) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, waitForRoom)
	defer cancel()
	k := b.enter(key)
	if err := k.room.Acquire(ctx, size); err != nil {
		b.leave(key, k)
		return nil, noRoom(err)
	}
	if err := b.all.Acquire(ctx, size); err != nil {
		k.room.Release(size)
		b.leave(key, k)
		return nil, noRoom(err)
	}
	return func() {
		b.all.Release(size)
		k.room.Release(size)
		b.leave(key, k)
	}, nil
}

func noRoom(err error) error {
	f := fault.New(fault.Unavailable,
		"Many large bodies are being read just now, and this one was not. Nothing was done. Send it again in a moment.")
	f.Retry = 1
	return f.Because(err)
}

func (b *bodies) enter(key string) *keyBodies {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := b.keys[key]
	if k == nil {
		k = &keyBodies{room: semaphore.NewWeighted(mostBodiesOfKey)}
		b.keys[key] = k
	}
	k.users++
	return k
}

func (b *bodies) leave(key string, k *keyBodies) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if k.users--; k.users == 0 {
		delete(b.keys, key)
	}
}

// read reads the body of the request, at most so many bytes of it and one more. The beginning of it is read before
// it takes room, so that who sends nothing keeps none.
func (x *Request) read(r *http.Request, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r.Body, smallBody))
	if err != nil || len(text) < smallBody {
		return text, err
	}
	size := r.ContentLength
	if size < 0 {
		size = most
	}
	key := ""
	if x.Caller != nil {
		key = x.Caller.Key.ID
	}
	if x.release, err = x.bodies.take(r.Context(), key, size); err != nil {
		return nil, err
	}
	all := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	all.Write(text)
	_, err = all.ReadFrom(io.LimitReader(r.Body, most+1-smallBody))
	return all.Bytes(), err
}
