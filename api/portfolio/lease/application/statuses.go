package application

// OpenInvitations are the statuses of invitations that can still be answered.
func OpenInvitations() []InvitationStatus {
	return []InvitationStatus{InvitationSent, InvitationOpened}
}
