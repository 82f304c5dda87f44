package rest

import (
	"context"
	"io"
	"net/http"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/operation"
)

// leasePath is the path of what belongs to a lease.
type leasePath struct {
	// Identifier of the lease.
	ID string `in:"path" name:"id" format:"id" object:"lease" prefix:"lea"`
}

type createAttachment struct {
	leasePath
	agreement.AttachmentCreate
}

type attachmentPath struct {
	leasePath
	// Identifier of the attachment.
	AttachmentID string `in:"path" name:"attachment_id" format:"id" object:"attachment" prefix:"att"`
}

func (a *API) attachments() []*operation.Operation {
	create := operation.Write(operation.Spec{
		Name:    "create_lease_attachment",
		Method:  http.MethodPost,
		Path:    "/leases/{id}/attachments",
		Tag:     "Leases",
		Summary: "Attach a PDF to a draft lease",
		Description: "Adds a PDF to a lease that nobody has signed yet: house rules, an addendum, a pamphlet. Scripts, " +
			"links, and files within it are removed, and the fields of forms become part of its pages. The lease names it with " +
			"its SHA-256, everybody who signs reads it first, and the signed lease has it behind its last page.",
		Scope:  access.Write,
		Status: http.StatusCreated,
		File: &operation.File{
			Largest: agreement.MostAttached,
			Advice:  "Split it, or save it with smaller pictures.",
			Example: "house-rules.pdf",
		},
		Fails: []fault.Code{fault.InvalidTransition, fault.SignatureInProgress, fault.MalformedRequest},
	}, a.attach)
	create.Before = func(ctx context.Context, in any) context.Context {
		var found cleaned
		found.file, found.err = a.clean(ctx, in.(*createAttachment))
		return context.WithValue(ctx, cleanedKey{}, found)
	}
	return []*operation.Operation{
		create,
		operation.Write(operation.Spec{
			Name:        "delete_lease_attachment",
			Method:      http.MethodDelete,
			Path:        "/leases/{id}/attachments/{attachment_id}",
			Tag:         "Leases",
			Summary:     "Remove an attachment from a draft lease",
			Description: "Removes a PDF from a lease that nobody has signed yet, whose document then says so.",
			Scope:       access.Write,
			Status:      http.StatusNoContent,
			Fails:       []fault.Code{fault.InvalidTransition, fault.SignatureInProgress},
		}, func(ctx context.Context, in *attachmentPath) (*change.Result[agreement.LeaseWithTerms], error) {
			return a.Agreements.Detach(ctx, access.From(ctx), in.ID, in.AttachmentID)
		}),
	}
}

// cleaned is a PDF that was rewritten before the transaction, or why it was not.
type cleaned struct {
	file *agreement.AttachmentFile
	err  error
}

type cleanedKey struct{}

// clean rewrites the PDF of the request.
func (a *API) clean(ctx context.Context, in *createAttachment) (*agreement.AttachmentFile, error) {
	sent := fileOf(ctx)
	content := make([]byte, sent.Size())
	if _, err := io.ReadFull(sent.File.Reader(), content); err != nil {
		return nil, err
	}
	file, err := a.Agreements.Clean(ctx, access.From(ctx), sent.name, content)
	if err != nil {
		return nil, err
	}
	file.RequiresInitials = in.RequiresInitials != nil && *in.RequiresInitials
	file.IsLease = in.IsLease != nil && *in.IsLease
	return file, nil
}

func (a *API) attach(ctx context.Context, in *createAttachment) (*change.Result[agreement.Attachment], error) {
	c := ctx.Value(cleanedKey{}).(cleaned)
	if c.err != nil {
		return nil, c.err
	}
	return a.Agreements.Attach(ctx, access.From(ctx), in.ID, c.file)
}

// houseRules is the attachment of the examples.
func houseRules() agreement.Attachment {
	return agreement.Attachment{
		ID:               "att" + examplePart,
		FileName:         "House rules.pdf",
		ContentType:      "application/pdf",
		Pages:            2,
		Size:             48_213,
		SHA256:           "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		UploadedAt:       exampleNow,
		RequiresInitials: true,
	}
}

// withHouseRules is a draft that has them.
func withHouseRules() agreement.LeaseWithTerms {
	l := draftLease()
	l.Attachments = []agreement.Attachment{houseRules()}
	return l
}
