package main

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The write-ahead log of SQLite is a header and frames, each of a header and a page
// (sqlite.org/fileformat2.html, section 4).
const (
	logHeader   = 32
	frameHeader = 24
)

// databaseHistory is a database file, its log, and what the database held after each mutation.
type databaseHistory struct {
	file, log []byte
	frame     int // bytes of one
	states    []string
	state     int // the one that was found last
	folder    string
}

// TestTruncatedWALRecoversToLastCommit makes every mutation, kills the process and cuts the log
// at every frame; it also tears the last frame of each commit, and takes it out of the
// log with the later ones in place, as a power cut may. A run makes some of the mutations,
// `make prove` all of them. What SQLite finds then is what
// was there after one of the mutations: the effect, its jobs, its claim and its answer,
// or nothing of them.
func TestTruncatedWALRecoversToLastCommit(t *testing.T) {
	t.Parallel()
	o := newPreparedDemo(t, &preparedDemo{home: newHome(t, deadMail...)})
	o.misses(t)
	d := o.written(t)
	if was, err := os.ReadFile(filepath.Join(o.data, "portal.db")); err != nil || !bytes.Equal(was, d.file) {
		t.Fatalf("the log has been carried over: %v", err)
	}
	whole, commits := len(d.log)-(len(d.log)-logHeader)%d.frame, 0
	for at := logHeader; at < whole; at += d.frame {
		d.finds(t, d.log[:at])
		if binary.BigEndian.Uint32(d.log[at+4:]) == 0 {
			continue // not the last frame of a commit
		}
		commits++
		d.finds(t, d.log[:at+d.frame/2])
		without := bytes.Clone(d.log)
		clear(without[at : at+d.frame])
		d.finds(t, without)
	}
	d.finds(t, d.log)
	if d.state != len(d.states)-1 {
		t.Errorf("the whole log holds %d mutations of %d", d.state, len(d.states)-1)
	}
	t.Logf("%d frames of %d commits", (whole-logHeader)/d.frame, commits)
}

// written makes mutations on a copy and kills the process.
func (o *preparedDemo) written(t *testing.T) *databaseHistory {
	t.Helper()
	h := o.copy(t)
	s := h.serve(t)
	all := mutations(t, h)
	d := &databaseHistory{states: []string{h.census(t).String()}, folder: t.TempDir()}
	for _, m := range sample(t, all, o.sampled(len(all), 8, 0)) {
		s.sent(t, m, m.key())
		d.states = append(d.states, h.census(t).String())
	}
	s.kill()
	for name, into := range map[string]*[]byte{"portal.db": &d.file, "portal.db-wal": &d.log} {
		var err error
		if *into, err = os.ReadFile(filepath.Join(h.data, name)); err != nil {
			t.Fatal(err)
		}
	}
	d.frame = frameHeader + int(binary.BigEndian.Uint32(d.log[8:]))
	return d
}

// finds opens the database with another log, which holds no less than the one before.
func (d *databaseHistory) finds(t *testing.T, log []byte) {
	t.Helper()
	for name, content := range map[string][]byte{"portal.db": d.file, "portal.db-wal": log} {
		if err := os.WriteFile(filepath.Join(d.folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(d.folder, "portal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() // and with it the log and its index
	state := slices.Index(d.states, taken(t, db).String())
	if state != d.state && state != d.state+1 {
		t.Fatalf("a log of %d bytes holds mutation %d after mutation %d", len(log), state, d.state)
	}
	d.state = state
}
