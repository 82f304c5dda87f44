package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/texts"
)

// AgreementVerify checks whether a PDF is the lease that all parties signed.
func AgreementVerify(f *Flags) Action {
	var content []byte
	f.Check(func(c *Call) (err error) {
		content, err = c.readLease(c.Args[0])
		return err
	})
	return Opening(func(ctx context.Context, c *Call) error {
		v, err := c.Agreements.VerifyFile(ctx, content)
		if err != nil {
			return err
		}
		return c.printFinding(v)
	})
}

// readLease reads a file that is not larger than one that is verified.
func (a *App) readLease(name string) (content []byte, err error) {
	in := a.In
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, Misuse("the file can't be read: " + err.Error())
		}
		defer func() { _ = file.Close() }() // it was only read
		in = file
	}
	if content, err = io.ReadAll(io.LimitReader(in, agreement.MaxFile+1)); err != nil {
		return nil, fmt.Errorf("reading the file: %w", err)
	}
	if len(content) > agreement.MaxFile {
		return nil, fmt.Errorf("the file is larger than %d MB, and no signed lease is that large",
			agreement.MaxFile>>20)
	}
	return content, nil
}

// findings are what a file is, in words.
var findings = map[agreement.Finding]string{
	agreement.Genuine:  "genuine: this is the lease that all parties signed",
	agreement.Unsigned: "not signed: this is a version of the lease before it was signed",
	agreement.Changed:  "changed: the file has the number of a lease that we keep, but its bytes differ",
	agreement.Tampered: "not vouched for: the records of this lease were changed after they were written",
	agreement.Unknown:  "unknown: we have no lease with this SHA-256, or with the lease number in the file",
}

// differences are how a file was changed, in words.
var differences = map[agreement.DifferenceKind]string{
	agreement.Appended: "it begins with all %d bytes that we keep; the rest was added",
	agreement.Cut:      "we keep %d bytes; the file begins with the same bytes and ends too early",
	agreement.Altered:  "we keep %d bytes; the first difference is in the 1,024 bytes from byte %d",
}

// printFinding prints what a file is; one that is not genuine is an error too.
func (c *Call) printFinding(v *agreement.Verdict) error {
	var err error
	if v.Finding != agreement.Genuine {
		err = errors.New(findings[v.Finding])
	}
	if c.JSON {
		return errors.Join(c.printJSON(v), err)
	}
	if err == nil {
		fmt.Fprintf(c.Out, "G%s.\n", findings[v.Finding][1:])
	}
	w := newTable(c.Out)
	line := func(name, format string, args ...any) { fmt.Fprintf(w, name+"\t"+format+"\n", args...) }
	line("SHA-256", "%s", v.SHA256)
	if v.LeaseID != "" {
		line("lease", "%s%s", v.LeaseID, map[bool]string{true: ", made in test mode"}[v.Test])
	}
	if v.Version > 0 {
		line("version", "%d", v.Version)
	}
	for _, s := range v.Signers {
		if s.Paper != nil {
			line("signed", "on paper on %s by %s, as the landlord recorded at %s", s.Paper, s.Name, utc(s.At))
			continue
		}
		line("signed", "%s by %s, who typed %q", utc(s.At), s.Name, s.Typed)
	}
	for _, a := range v.Attachments {
		line("attachment", "%s, %s, SHA-256 %s", a.Name, texts.Counted(a.Pages, "page"), a.SHA256)
	}
	if v.ExecutedAt != 0 {
		line("executed", "%s", utc(v.ExecutedAt))
	}
	if v.EndedOn != nil {
		line("ended", "on %s, before the lease started", v.EndedOn)
	}
	if l := v.Log; l != nil {
		line("log", "%d entries; the last has the hash %s", l.Entries, l.Head)
	}
	line("seal", "%s", sealed(v.Seal))
	if d := v.Difference; d != nil {
		args := []any{d.Kept, d.From}
		if d.Kind != agreement.Altered {
			args = args[:1]
		}
		line("difference", differences[d.Kind], args...)
	}
	for _, t := range v.Tampering {
		line("tampering", "%s", t)
	}
	if v.Logged {
		line("log", "has the SHA-256 of this file as the signed lease")
	}
	return errors.Join(w.Flush(), err)
}

// sealed is the seal of a file in words.
func sealed(s *agreement.SealOf) string {
	if s == nil {
		return "none that matches the file"
	}
	whose := "not the one that this service uses today"
	if s.Own {
		whose = "used by this service"
	}
	return fmt.Sprintf("covers every byte; certificate %q, SHA-256 %s, %s", s.Name, s.Fingerprint, whose)
}

// utc is a moment to the second.
func utc(t clock.Time) string { return t.Std().UTC().Format(time.DateTime) + " UTC" }
