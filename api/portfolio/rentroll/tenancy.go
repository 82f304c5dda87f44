package rentroll

var (
	tenantColumns = setOf(firstName, lastName, email, phone)
	nameColumns   = setOf(firstName, lastName)
	leaseColumns  = setOf(leaseStart, leaseEnd)
	rentColumns   = setOf(monthlyRent, deposit)
)

// vacant tells a line without a tenant and a lease. Many programs write amounts
// of 0 there.
func (e *entry) vacant() bool {
	return !e.given.hasAny(tenantColumns|leaseColumns) && !e.bad.hasAny(rentColumns) &&
		e.monthlyRent == 0 && e.deposit == 0
}

// checkTenancy checks what the columns of a tenant and a lease say together.
func (r *reader) checkTenancy() {
	e := &r.entry
	if e.vacant() {
		return
	}
	r.checkNames()
	if !e.given.has(leaseStart) {
		r.reject(leaseStart, "A tenant needs a lease, and a lease a first day.")
	}
	switch {
	case !e.given.has(monthlyRent):
		r.reject(monthlyRent, "A tenant needs a lease, and a lease a monthly rent.")
	case e.good(monthlyRent) && e.monthlyRent == 0:
		r.reject(monthlyRent, "The rent of a lease must be more than 0.")
	}
	if e.good(leaseStart) && e.good(leaseEnd) && e.end < e.start {
		r.reject(leaseEnd, "The lease ends on %s, before it starts on %s.", e.end, e.start)
	}
}

func (r *reader) checkNames() {
	switch given := r.entry.given; {
	case !given.hasAny(nameColumns):
		r.reject(
			firstName,
			"The line has a lease or a contact but no tenant. Give both names, or leave the columns of tenant and lease empty.",
		)
	case !given.has(firstName):
		r.reject(firstName, "A tenant needs both names.")
	case !given.has(lastName):
		r.reject(lastName, "A tenant needs both names.")
	}
}
