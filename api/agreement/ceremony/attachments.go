package ceremony

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"portal/api/agreement/document"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/texts"
)

// InitialsField is the field of the initials for an attachment.
func InitialsField(attachmentID string) string { return "initials." + attachmentID }

// Attachment is the PDF of an attachment of the version that a link shows, or fault.NotFound. Once all have signed, it
// stands behind the lease.
func (s *Service) Attachment(ctx context.Context, token, attachmentID string) ([]byte, error) {
	p, err := s.Page(ctx, token)
	if err != nil {
		return nil, err
	}
	named := func(a document.Attachment) bool { return a.ID == attachmentID }
	if p.Document == nil || !slices.ContainsFunc(p.Document.Attachments, named) {
		return nil, fault.NotFound("attachment")
	}
	o, err := s.open(ctx, token)
	if err != nil {
		return nil, err
	}
	_, content, err := s.agreements.AttachmentOf(ctx, o.in, o.lease.ID, attachmentID)
	return content, err
}

// OpenAttachment is Attachment for a signer. The log says when each of them first opened which one while they could
// sign: once they have looked at the lease itself, so that a program that looks behind links notes nothing.
func (s *Service) OpenAttachment(ctx context.Context, token, attachmentID string, from Client) ([]byte, error) {
	content, err := s.Attachment(ctx, token, attachmentID)
	if err != nil {
		return nil, err
	}
	o, err := s.open(ctx, token)
	if err != nil {
		return nil, err
	}
	if note, err := s.toNote(ctx, o, attachmentID); note == "" || err != nil { // most requests write nothing
		return content, err
	}
	from.Language = language.Unchosen // a file has none
	return content, s.do(ctx, token, from, func(ctx context.Context, o *signing, now clock.Time) error {
		note, err := s.toNote(ctx, o, attachmentID)
		if note == "" || err != nil {
			return err
		}
		return s.note(ctx, o, evidence.Opened, note, now, from)
	})
}

// toNote is what the log is to say of an attachment that a signer opens, "" where it says it or need not.
func (s *Service) toNote(ctx context.Context, o *signing, attachmentID string) (string, error) {
	if o.signer.SignedAt != nil || o.signer.ViewedVersion != o.document.Number {
		return "", nil
	}
	d, err := body(o.document.Body)
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(d.Attachments, func(a document.Attachment) bool { return a.ID == attachmentID })
	if at < 0 {
		return "", nil
	}
	note := evidence.Opening{SHA256: d.Attachments[at].SHA256, Name: d.Attachments[at].Name}.Note()
	noted, err := s.agreements.Noted(ctx, o.in, o.document.ID, o.signer.ID, evidence.Opened, note)
	if noted || err != nil {
		return "", err
	}
	return note, nil
}

// toInitial are the attachments of the version of a signing that ask for initials.
func (o *signing) toInitial() (all []document.Attachment, err error) {
	d, err := body(o.document.Body)
	if err != nil {
		return nil, err
	}
	for _, a := range d.Attachments {
		if a.Initials {
			all = append(all, a)
		}
	}
	return all, nil
}

// mayInitial refuses a signature that lacks the signer's initials for an attachment that asks for them.
func (o *signing) mayInitial(g *Signature) error {
	all, err := o.toInitial()
	if err != nil {
		return err
	}
	var lacking []fault.Detail
	for _, a := range all {
		if !sameInitials(g.Initials[a.ID], o.signer.Name) {
			lacking = append(lacking, fault.Detail{
				Param:   InitialsField(a.ID),
				Code:    fault.InvalidField,
				Message: "Type your initials for " + a.Name + ": " + initialsOf(o.signer.Name) + ".",
			})
		}
	}
	return fault.Invalid(lacking)
}

// noteInitials notes the initials of a signer for the attachments that ask for them.
func (s *Service) noteInitials(ctx context.Context, o *signing, g *Signature, now clock.Time, from Client) error {
	all, err := o.toInitial()
	if err != nil {
		return err
	}
	for _, a := range all {
		typed := strings.TrimSpace(g.Initials[a.ID])
		note := evidence.Initialing{Initials: typed, SHA256: a.SHA256, Name: a.Name}.Note()
		if err := s.note(ctx, o, evidence.Initialed, note, now, from); err != nil {
			return err
		}
	}
	return nil
}

// initialsOf are the initials of a name: the first letter of each word.
func initialsOf(name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '-' }) {
		r, _ := utf8.DecodeRuneInString(word)
		b.WriteRune(r)
	}
	return strings.ToUpper(b.String())
}

// Initials are those of the signer for each attachment that asks for them, as they are typed.
func (p *Page) Initials() map[string]string {
	all := map[string]string{}
	if p.Document == nil {
		return all
	}
	for _, a := range p.Document.Attachments {
		if a.Initials {
			all[a.ID] = initialsOf(p.Signer.Name)
		}
	}
	return all
}

// sameInitials reports whether the initials of a name were typed: of all of its words, or of the first and the last.
// Dots and spaces between them do not matter, nor what does not matter in a name.
func sameInitials(typed, name string) bool {
	typed = texts.FoldedName(strings.Map(func(r rune) rune {
		if r == '.' || r == ' ' || r == '-' {
			return -1
		}
		return r
	}, typed))
	all := []rune(texts.FoldedName(initialsOf(name)))
	if typed == "" || len(all) == 0 {
		return false
	}
	return typed == string(all) || typed == string([]rune{all[0], all[len(all)-1]})
}
