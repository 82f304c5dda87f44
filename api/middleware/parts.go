package middleware

import (
	"errors"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"strings"

	"portal/api/fault"
	"portal/api/texts"
)

// Part is a part of a body of multipart/form-data.
type Part struct {
	Name string // of the field
	File string // name of the file, "" where the part is none
	io.Reader
}

// Parts reads a body of multipart/form-data part by part, at most so many bytes of it; a larger one is tooLarge.
// Where none was sent there is no part.
func (x *Request) Parts(most int64, tooLarge error, read func(Part) error) error {
	r := x.HTTP
	if r.ContentLength == 0 {
		return nil
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return x.refuseBody(fault.New(fault.UnsupportedMediaType,
			"The body must be multipart/form-data with a boundary, as curl -F sends it."))
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return x.refuseBody(fault.New(fault.UnsupportedMediaType,
			"The body is encoded as %s. Send it plain, without Content-Encoding.", texts.ClipBytes(encoding, 40)))
	}
	if r.ContentLength > most {
		return x.refuseBody(tooLarge)
	}
	body := &io.LimitedReader{R: r.Body, N: most + 1}
	parts := multipart.NewReader(body, params["boundary"])
	for {
		part, err := parts.NextRawPart()
		if err == io.EOF { //nolint:errorlint // one that wraps it is of a body without its end
			_, _ = io.Copy(io.Discard, body) // what stands behind the last boundary
			return nil
		}
		if err == nil {
			err = read(Part{part.FormName(), part.FileName(), part})
		}
		var disk *fs.PathError
		switch {
		case err == nil:
		case errors.As(err, &disk):
			return err
		case body.N <= 0:
			return x.refuseBody(tooLarge)
		case fault.From(err).Code != fault.Internal:
			return x.refuseBody(err)
		default:
			return fault.New(
				fault.MalformedRequest,
				"The body could not be read to its end: it is shorter than announced, came too slowly, or is no "+
					"multipart/form-data. Send it again.",
			).Because(err)
		}
	}
}

// refuseBody refuses a request after some of its body: see tooLarge.
func (x *Request) refuseBody(why error) error {
	if x.HTTP.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, x.HTTP.Body, patienceForFiles)
	}
	return why
}

// patienceForFiles is how much of a body with a file is read that is refused.
const patienceForFiles = 12 << 20

// Sends keeps for the log what a body of several parts holds.
func (x *Request) Sends(body []byte) { x.body = body }
