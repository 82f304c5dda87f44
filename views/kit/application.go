package kit

// Application is what an applicant has said.
type Application struct {
	ID, Company, Contact, UseCase, Calls, Kind, Website string
	Submitted, Reviewed                                 Time
}
