// Package upload takes in rent rolls that people upload: it keeps the file for a day, tells
// what an import of it would do, and does it once, if all of it can be done.
//
// It knows no SQL, no queue and no page.
package upload

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/intake"
	"portal/api/portfolio/rentroll"
	"portal/api/secret"
	"portal/api/texts"
)

// Keep is how long a file is kept that nobody imports.
const Keep = 24 * time.Hour

// MostWaiting is how many files of a portfolio are kept that nobody has imported: a newer
// one takes the place of the oldest.
const MostWaiting = 20

// MostKept is how many bytes the files of a portfolio may take together that are not imported
// yet, with their previews, as they are stored.
const MostKept = 32 << 20

// MaxSize is the most bytes that a file may have: those of some 30,000 units.
const MaxSize = 8 << 20

// Status is how far an upload has come.
type Status string

// The statuses of an upload.
const (
	Ready  Status = "ready"  // looked through; it may have problems
	Queued Status = "queued" // confirmed: it waits for its turn, or is being written
	Done   Status = "done"
)

// Row is an upload as it is stored.
type Row struct {
	ID         string
	CreatedAt  clock.Time
	UserID     string
	Name       string // of the file
	Size       int    // in bytes
	Status     Status
	Preview    []byte // sealed; nil once it is imported
	Records    int    // that an import writes
	Written    int    // of them, so far
	UnitsLeft  int    // that its import has still to bring, and that no property counts yet
	Result     []byte // JSON: the order while it is queued, the totals once it is done
	FinishedAt *clock.Time
}

// Upload is a rent roll that somebody uploaded.
type Upload struct {
	Row
	Preview *Preview // nil once it is imported
	Totals  *Totals  // nil before
}

// Totals are how many records an import makes.
type Totals struct {
	Properties int `json:"properties"` // new ones
	Joined     int `json:"joined"`     // those of the portfolio that get units
	Units      int `json:"units"`
	Tenants    int `json:"tenants"`
	Leases     int `json:"leases"`
	Balances   int `json:"balances"` // rows of the ledger that bring a balance forward
	Changed    int `json:"changed"`  // records of the portfolio that change
	Skipped    int `json:"skipped"`  // changes that were approved and not made: the records had changed meanwhile
}

// records is how many are written.
func (t *Totals) records() int { return t.Properties + t.Units + t.Tenants + t.Leases + t.Balances }

// Preview is what an import would do, at a moment. How many units the portfolio has and may have is not stored with
// it: both change while the file waits.
type Preview struct {
	At clock.Time `json:"at"`
	Totals
	Used     int                `json:"-"`     // units that the portfolio has
	Ceiling  *int               `json:"-"`     // that it may have, nil for any number
	Lines    []rentroll.Line    `json:"lines"` // the first ones
	Problems []rentroll.Problem `json:"faults"`
	Notes    []rentroll.Note    `json:"notes"`
	Headings []rentroll.Heading `json:"headings"`
	Answers  rentroll.Answers   `json:"answers"` // with which the file was read
	Places   []string           `json:"places"`  // addresses of properties, the first of the portfolio
	// Header is the same for files whose columns have the same names, "" where no names were found.
	Header string `json:"header"`
	// Remembered tells that the columns are read as those of an earlier file with this header were.
	Remembered bool `json:"remembered"`
	// TakenBack tells that nothing is said of the columns any more, and something was.
	TakenBack bool              `json:"taken_back"`
	Refused   bool              `json:"refused"`  // an import was tried, and did not write what the preview tells
	Imported  int               `json:"imported"` // records that it had written before the portfolio changed
	Of        int               `json:"of"`       // records that it was to write
	Why       string            `json:"why"`      // a rule of a record refused it, "" where none did
	Changes   []rentroll.Change `json:"changes"`  // of records that the portfolio has, the first
	Counts    map[string]int    `json:"counts"`   // of all changes, by their kind
	Digest    string            `json:"digest"`   // of the changes that are ticked, "" for none
	// Approved are the changes that are ticked, as the plan tells them.
	Approved map[string]string `json:"approved"`
	Same     int               `json:"same"`    // lines that say what the portfolio says
	Missing  int               `json:"missing"` // units of properties of the file that it does not have
}

// Partly says what an import had written that did not come to its end, "" for nothing.
func (p *Preview) Partly() string {
	if p.Imported == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s records were imported. Then the portfolio changed, so that the rest was not.",
		texts.Number(p.Imported), texts.Number(p.Of))
}

// Nothing reports whether an import would do nothing.
func (p *Preview) Nothing() bool { return p.records() == 0 && p.Joined == 0 && p.Digest == "" }

// Wanted is how many units the portfolio would have.
func (p *Preview) Wanted() int { return p.Used + p.Units }

// Over reports whether the portfolio would have more units than it may.
func (p *Preview) Over() bool { return p.Ceiling != nil && p.Wanted() > *p.Ceiling }

// Fits reports whether there is nothing in the way.
func (p *Preview) Fits() bool { return len(p.Problems) == 0 && !p.Over() }

// Order is an upload that is to be imported, with what the import must know.
type Order struct {
	In        access.Portfolio `json:"in"`
	ID        string           `json:"id"`
	AccountID string           `json:"account_id"`
	UserID    string           `json:"user_id"`
	Ceiling   *int             `json:"ceiling"`
	Zone      string           `json:"zone"`
	Scopes    access.Scopes    `json:"scopes"` // of whoever confirmed it
	KeyID     string           `json:"key_id,omitempty"`
	Role      access.Role      `json:"role,omitempty"`
	Progress
}

// Progress is how far the import of an order is.
type Progress struct {
	Begun *clock.Time       `json:"begun,omitempty"` // nil before its first part
	Done  rentroll.Progress `json:"done"`
}

// actor is whoever confirmed the order.
func (o *Order) actor() (by access.Actor, err error) {
	by = access.Actor{
		Portfolio: o.In,
		AccountID: o.AccountID,
		KeyID:     o.KeyID,
		Role:      o.Role,
		Scopes:    o.Scopes,
		Units:     o.Ceiling,
	}
	by.Zone, err = clock.Zone(o.Zone)
	return by, err
}

// Store keeps the uploads of a portfolio, and the records that an import writes. An upload of another portfolio is
// fault.NotFound.
type Store interface {
	rentroll.Store
	// AddUpload writes an upload, and forgets the oldest that are ready beyond so many. It writes
	// nothing and is false where the portfolio's uploads would take more than so many bytes.
	AddUpload(ctx context.Context, in access.Portfolio, r *Row, content []byte, most int, bytes int64) (bool, error)
	Upload(ctx context.Context, in access.Portfolio, id string) (Row, error)
	// Uploads reads the latest, at most so many.
	Uploads(ctx context.Context, in access.Portfolio, most int) ([]Row, error)
	// UploadContent is the sealed file, or fault.NotFound where it was forgotten.
	UploadContent(ctx context.Context, in access.Portfolio, id string) ([]byte, error)
	// SaveUpload writes status, preview, numbers and result, if the status is still from;
	// and forgets the file of one that is done.
	SaveUpload(ctx context.Context, in access.Portfolio, r *Row, from Status) (bool, error)
	// SaveProgress writes result, written and units left of an upload that is queued.
	SaveProgress(ctx context.Context, in access.Portfolio, r *Row) error
	DropUpload(ctx context.Context, in access.Portfolio, id string) (bool, error)
	// Mapping is what people have said of the columns of files with a header, sealed; nil for nothing.
	Mapping(ctx context.Context, accountID, fingerprint string) ([]byte, error)
	// SaveMapping writes it, and forgets those of an account that were used the longest ago beyond so many.
	SaveMapping(ctx context.Context, accountID, fingerprint string, answers []byte, at clock.Time, most int) error
	// ForgetMapping deletes it.
	ForgetMapping(ctx context.Context, accountID, fingerprint string) error
	// QueuedUploads reads the orders of all uploads that are queued.
	QueuedUploads(ctx context.Context) ([][]byte, error)
}

// Queue has an upload imported later, if the transaction of the context commits.
type Queue interface {
	Import(ctx context.Context, o Order) error
}

// Service takes in rent rolls.
type Service struct {
	Store Store
	Box   *secret.Box
	Queue Queue
	Clock clock.Portfolios
	Trail audit.Log
	Rules *Rules

	// Patience is how long somebody waits until others' files are looked through, 0 for lookWait.
	Patience time.Duration

	working sync.Map // ids of uploads that this process imports
	opened  sync.Once
	looks   *intake.Gate
	imports *intake.Gate
}

// lookWait is the usual Patience.
const lookWait = 10 * time.Second

// startLook waits until nobody else's file is looked through, which takes many times its memory.
func (s *Service) startLook(ctx context.Context) (end func(), err error) {
	s.open()
	return s.looks.Enter(ctx)
}

// startImport waits until this process imports nothing else, for the same reason. A job has time. What is garbage
// is collected at the usual pace: to write a part takes little memory.
func (s *Service) startImport(ctx context.Context) (end func(), err error) {
	s.open()
	return s.imports.Enter(ctx)
}

func (s *Service) open() {
	s.opened.Do(func() { s.looks, s.imports = intake.NewGate(1, cmp.Or(s.Patience, lookWait)), intake.NewGate(1, 0) })
}

// weight is about how much memory it takes to read a file, in bytes. A packed one (.xlsx) may hold a hundred times its
// size.
func weight(c Content) int {
	head := make([]byte, len(zipped))
	if _, err := io.ReadFull(c.Reader(), head); err == nil && string(head) == zipped {
		return packedWeight * c.Size()
	}
	return plainWeight * c.Size()
}

const (
	zipped       = "PK\x03\x04"
	plainWeight  = 20
	packedWeight = 400
)

// Content is a file that can be read more than once.
type Content interface {
	Size() int // in bytes
	Reader() io.Reader
}

// Text is the Content that is in memory.
type Text string

// Size is Content's.
func (t Text) Size() int { return len(t) }

// Reader is Content's.
func (t Text) Reader() io.Reader { return strings.NewReader(string(t)) }

// SealPurpose binds what is sealed here to this use.
const SealPurpose = "rent roll"

func (s *Service) upload(r Row) (*Upload, error) {
	u := &Upload{Row: r}
	if r.Preview != nil {
		text, err := s.Box.Open(SealPurpose, r.Preview)
		if err != nil {
			return nil, err
		}
		u.Preview = &Preview{}
		if err := json.Unmarshal([]byte(text), u.Preview); err != nil {
			return nil, err
		}
	}
	if r.Status == Done && r.Result != nil {
		u.Totals = &Totals{}
		return u, json.Unmarshal(r.Result, u.Totals)
	}
	return u, nil
}

func (s *Service) seal(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return s.Box.Seal(SealPurpose, string(text)), nil
}
