package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"portal/api/agreement"
	"portal/api/clock"
)

// AgreementVerify is the sub-command "agreement verify" of portal.
var AgreementVerify = Command{
	Name:  "agreement verify",
	Args:  "FILE.pdf",
	Short: "Check whether a PDF is a lease as all parties have signed it; - is the standard input",
	Bind: func(f *flag.FlagSet) Action {
		asJSON := f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *App, args []string) error {
			content, err := a.readLease(args[0])
			if err != nil {
				return err
			}
			return a.with(ctx, func(p *Product) error {
				v, err := p.Agreements.VerifyFile(ctx, content)
				if err != nil {
					return err
				}
				return a.printFinding(*asJSON, v)
			})
		}
	},
}

// readLease reads a file that is not larger than one that is verified.
func (a *App) readLease(name string) (content []byte, err error) {
	in := a.In
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, Misuse("the file cannot be read: " + err.Error())
		}
		defer func() { _ = file.Close() }() // it was only read
		in = file
	}
	if content, err = io.ReadAll(io.LimitReader(in, agreement.MaxFile+1)); err != nil {
		return nil, fmt.Errorf("reading the file: %w", err)
	}
	if len(content) > agreement.MaxFile {
		return nil, fmt.Errorf("the file has more than %d MB, which no signed lease has", agreement.MaxFile>>20)
	}
	return content, nil
}

// findings are what a file is, in words.
var findings = map[agreement.Finding]string{
	agreement.Genuine:  "genuine: this is the lease as all parties have signed it",
	agreement.Unsigned: "not signed: this is a version of a lease that was to be signed",
	agreement.Changed:  "changed: the file has the number of a lease that is kept here, but other bytes than what is kept",
	agreement.Tampered: "not vouched for: what the database has of this lease was changed",
	agreement.Unknown:  "unknown: nothing that is kept here has this SHA-256, or the number of a lease that is in the file",
}

// differences are how a file was changed, in words.
var differences = map[agreement.DifferenceKind]string{
	agreement.Appended: "it begins with all %d bytes that are kept; what follows was added",
	agreement.Cut:      "%d bytes are kept; the file begins like them and ends too early",
	agreement.Altered:  "%d bytes are kept; the first difference is in the 1,024 bytes from byte %d on",
}

// printFinding prints what a file is; one that is not genuine is an error too.
func (a *App) printFinding(asJSON bool, v *agreement.Verdict) error {
	var err error
	if v.Finding != agreement.Genuine {
		err = errors.New(findings[v.Finding])
	}
	if asJSON {
		return errors.Join(a.Print(true, v, ""), err)
	}
	if err == nil {
		fmt.Fprintf(a.Out, "G%s.\n", findings[v.Finding][1:])
	}
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) { fmt.Fprintf(w, name+"\t"+format+"\n", args...) }
	line("SHA-256", "%s", v.SHA256)
	if v.LeaseID != "" {
		line("lease", "%s%s", v.LeaseID, map[bool]string{true: ", made in test mode"}[v.Test])
	}
	if v.Version > 0 {
		line("version", "%d", v.Version)
	}
	for _, s := range v.Signers {
		line("signed", "%s by %s, who typed %q", utc(s.At), s.Name, s.Typed)
	}
	if v.ExecutedAt != 0 {
		line("executed", "%s", utc(v.ExecutedAt))
	}
	if l := v.Log; l != nil {
		line("log", "%d entries; the last one has the hash %s", l.Entries, l.Head)
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
		line("log", "has the SHA-256 of this file as that of the signed lease")
	}
	return errors.Join(w.Flush(), err)
}

// sealed is the seal of a file in words.
func sealed(s *agreement.SealOf) string {
	if s == nil {
		return "none that fits the file"
	}
	whose := "which is not the one that this service seals with today"
	if s.Own {
		whose = "with which this service seals"
	}
	return fmt.Sprintf("fits every byte; certificate %q, SHA-256 %s, %s", s.Name, s.Fingerprint, whose)
}

// utc is a moment to the second.
func utc(t clock.Time) string { return t.Std().UTC().Format(time.DateTime) + " UTC" }
