package page

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"portal/api/clock"
	"portal/views/kit"
)

// formReader is who was shown a form, and which account they looked at, "" for none.
type formReader struct{ UserID, AccountID string }

const (
	readerPurpose = "reader of a form"
	readerLife    = 24 * time.Hour // for how long a form names its reader
	longestReader = 512            // bytes of a sealed reader, more than any has
)

// seal is the reader and the time as a form's token holds them: nobody else can make or read it. It
// proves no session, so nothing is done by it. It decides whose text is kept that comes with no session.
func (r formReader) seal(s *Shell) string {
	text := r.UserID + "\n" + r.AccountID + "\n" + strconv.FormatInt(int64(clock.At(s.Now())), 10)
	return base64.RawURLEncoding.EncodeToString(s.Box.Seal(readerPurpose, text))
}

// openFormReader is the reader that a form's token holds, if the form was opened within readerLife.
func openFormReader(s *Shell, sealed string) (r formReader, ok bool) {
	if len(sealed) > longestReader {
		return r, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return r, false
	}
	text, err := s.Box.Open(readerPurpose, raw)
	if err != nil {
		return r, false
	}
	parts := strings.Split(text, "\n")
	if len(parts) != 3 {
		return r, false
	}
	at, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil {
		return r, false
	}
	return formReader{parts[0], parts[1]}, s.Now().Before(clock.Time(at).Std().Add(readerLife))
}

// sealedReader is the second part of the token of this reader's forms, one for all of a page. A form
// of somebody who is not signed in, or has not shown their second factor, has none.
func (v formToken) sealedReader() string {
	who := v.Person
	if v.Shell.Box == nil || who == nil || who.Pending {
		return ""
	}
	if v.reader == "" {
		v.reader = formReader{who.UserID, who.CurrentAccount()}.seal(v.Shell)
	}
	return v.reader
}

// sent is the token that came with a form: what ties it to a session, and its sealed reader.
func (v formToken) sent() (tie, reader string) {
	tie, reader, _ = strings.Cut(v.Request.Request().PostForm.Get(kit.TokenField), ".")
	return tie, reader
}
