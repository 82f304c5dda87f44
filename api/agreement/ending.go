package agreement

import (
	"context"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/agreement/evidence"
	"portal/api/portfolio"
)

// Ended implements portfolio.Documents. The log goes on after the lease was executed; the certificate is sealed. The
// tenants are told by email.
func (s *Service) Ended(ctx context.Context, by access.Actor, l *portfolio.Lease) error {
	if l.DocumentID == nil {
		return nil // agreed on elsewhere
	}
	in, d, err := s.store.Document(ctx, *l.DocumentID)
	if err != nil || d.Number == 0 { // a document of an earlier release has no log
		return err
	}
	err = s.Note(ctx, in, &d, evidence.Entry{
		At:       s.Moment(ctx, in),
		Kind:     evidence.Ended,
		Document: or(l.DocumentSHA256, d.SHA256),
		Note: evidence.Ending{
			On:     *l.TerminatedOn,
			Agreed: or(l.Terms.TenantsAgreedOn, 0),
			By:     ender(by),
			Reason: or(l.TerminationReason, ""),
		}.Note(),
	})
	if err != nil || s.Offers == nil {
		return err
	}
	return s.Offers.Ended(ctx, by, l)
}

// ender says who ends a lease: the landlord, or the last tenant to agree by email, who is nobody of the account.
func ender(by access.Actor) string {
	if AgreedByEmail(by) {
		return "agreement of all tenants by email"
	}
	return who(by)
}

// AgreedByEmail reports whether it is a signer who acts, and no member or key of the landlord.
func AgreedByEmail(by access.Actor) bool { return by.KeyID == "" && by.Role == "" }

// Who says who does something for the landlord, as the log has it.
func Who(by access.Actor) string { return who(by) }

// endingPurpose is what the links are signed for by which tenants answer whether a lease ends.
const endingPurpose = "link to agree to the end of a lease"

// EndingToken is the end of the link by which a signer answers a request, by its number. It holds for the email address
// that it is sent to until that changes, and is kept nowhere.
func (s *Service) EndingToken(signer *SignerState, number int, email string) string {
	return signer.ID + "." + s.box.Sign(endingPurpose, endingLink(signer, number, email))
}

// OpensEnding reports whether a token is that of a signer, of a request and of the address that the signer has now.
func (s *Service) OpensEnding(token string, signer *SignerState, number int, email string) bool {
	signerID, signature, _ := strings.Cut(token, ".")
	return signerID == signer.ID && s.box.Signed(endingPurpose, endingLink(signer, number, email), signature)
}

// endingLink tells the links of a signer apart that answer requests. Like the signing link it ends with each change of
// the address, also where that changes back.
func endingLink(signer *SignerState, number int, email string) string {
	return signer.link() + " request " + strconv.Itoa(number) + " " + email
}
