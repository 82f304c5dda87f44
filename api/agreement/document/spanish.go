package document

import (
	"strconv"

	"portal/api/language"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
)

// spanish is what the first page says, in Spanish: the parties, the home, the term, and what is paid when. Names of
// people, fees and addresses stay as they are.
func (c *composer) spanish() []Row {
	l := c.Lease
	all := []Row{{"Arrendador", c.Landlord.Name}}
	add := func(name, value string) { all = append(all, Row{name, value}) }
	people := func(one, several string, names []string) {
		if len(names) > 0 {
			add(map[bool]string{true: one, false: several}[len(names) == 1], language.List(names))
		}
	}
	people("Copropietario", "Copropietarios", l.Terms.CoOwnerNames())
	people("Inquilino", "Inquilinos", c.names(tenant))
	people("Fiador", "Fiadores", c.names(guarantor))
	if c.guaranteed() {
		add("Fianza", c.spanishGuaranty())
	}
	people("Otro ocupante", "Otros ocupantes", l.Terms.Occupants)
	people("Mascota", "Mascotas", l.Terms.AnimalNames())
	people("Vehículo", "Vehículos", l.Terms.VehicleNames())
	if paid := l.Terms.PaidBy(terms.Landlord); len(paid) > 0 {
		add("Servicios que paga el arrendador", language.List(paid))
	}
	if paid := l.Terms.PaidBy(terms.Tenant); len(paid) > 0 {
		add("Servicios que paga el inquilino", language.List(paid))
	}
	add("Vivienda", l.RentalAddress)
	add("Plazo", c.spanishTerm())
	add("Renta", l.MonthlyRent.Dollars()+" al mes, que se paga el día "+strconv.Itoa(l.RentDueDay))
	add("Depósito", c.spanishDeposit())
	add("Recargo por atraso", c.spanishLateFee())
	for _, f := range l.Terms.Fees {
		add("Cargo: "+f.Name, f.Amount.Dollars()+c.spanishFeeTime(f))
	}
	if fee := l.Terms.ReturnedPaymentFee; owed(fee) {
		add("Cargo por pago devuelto", fee.Dollars()+" por cada pago que el banco devuelva")
	}
	if l.RenewedFromLeaseID != nil {
		add("Se paga al inicio", c.spanishStart())
	} else {
		add("Se paga al mudarse", c.spanishStart())
	}
	month := l.MonthlyRent.Dollars()
	if fees := c.fees(terms.Monthly); fees > 0 {
		month = (l.MonthlyRent + fees).Dollars() + ": la renta y " + fees.Dollars() + " de cargos mensuales"
	}
	add("Se paga cada mes", month)
	if c.leadAddendum() {
		add("Anexo", "Divulgación sobre pintura con plomo")
	}
	if a := c.OwnDocument(); a != nil {
		add("Texto del contrato", a.spanish())
	}
	if len(c.attached()) > 0 {
		add("Documentos adjuntos", c.spanishAttachments())
	}
	return all
}

// spanishTerm is from when to when the lease runs.
func (c *composer) spanishTerm() string {
	l := c.Lease
	if l.EndDate == nil {
		return "Desde el " + language.Date(l.StartDate) + ", mes a mes"
	}
	span := "Del " + language.Date(l.StartDate) + " al " + language.Date(*l.EndDate)
	if l.LeaseType == portfolio.FixedWithRollover {
		return span + ", después mes a mes"
	}
	return span
}

// spanishDeposit is depositWords in Spanish.
func (c *composer) spanishDeposit() string {
	deposit, held := c.Lease.SecurityDeposit, c.held()
	switch {
	case held == 0 && deposit == 0:
		return "Ninguno"
	case held == 0:
		return deposit.Dollars()
	case deposit == 0:
		return "Ninguno: el arrendador devuelve o acredita los " + held.Dollars() + " que tiene del contrato anterior"
	case deposit == held:
		return deposit.Dollars() + ", que el arrendador ya tiene del contrato anterior: no se paga nada más"
	case deposit > held:
		return deposit.Dollars() + ": el arrendador ya tiene " + held.Dollars() + " del contrato anterior, y se " +
			"pagan " + c.depositDue().Dollars() + " más antes de que empiece el plazo"
	}
	return deposit.Dollars() + ": de los " + held.Dollars() + " que tiene del contrato anterior, el arrendador " +
		"devuelve o acredita " + c.depositBack().Dollars()
}

// spanishLateFee is lateFeeWords in Spanish.
func (c *composer) spanishLateFee() string {
	fee := c.Lease.LateFeeAmount
	if !owed(fee) {
		return "Ninguno"
	}
	late := "si la renta se atrasa"
	if n := c.graceDays(); n > 0 {
		late += " más de " + language.Counted(n, "día", "días")
	}
	if c.daily() {
		return fee.Dollars() + " por cada día, " + late
	}
	return fee.Dollars() + " " + late
}

// spanishFeeTime is when a fee is owed, behind its amount, and whether it is paid back.
func (c *composer) spanishFeeTime(f terms.Fee) string {
	back := " (no reembolsable)"
	if f.Refundable {
		back = " (reembolsable)"
	}
	switch {
	case f.Frequency == terms.Monthly:
		return " cada mes, con la renta" + back
	case c.Lease.RenewedFromLeaseID != nil:
		return " una vez, antes de que empiece el plazo" + back
	}
	return " una vez, antes de mudarse" + back
}

// spanishStart is startTotal in Spanish.
func (c *composer) spanishStart() string {
	first, deposit, fees := c.firstRent(), c.depositDue(), c.fees(terms.OneTime)
	rent := "la primera renta de " + first.Amount.Dollars()
	if first.DueDate > c.Lease.StartDate {
		rent += " (para el " + language.Date(first.DueDate) + ")"
	}
	parts := []string{rent}
	switch {
	case deposit > 0 && c.held() > 0:
		parts = append(parts, "el resto del depósito, "+deposit.Dollars())
	case deposit > 0:
		parts = append(parts, "el depósito de "+deposit.Dollars())
	}
	if fees > 0 {
		parts = append(parts, "cargos únicos de "+fees.Dollars())
	}
	if monthly := c.firstFees(); monthly > 0 {
		parts = append(parts, "los primeros cargos mensuales de "+monthly.Dollars())
	}
	return dueAtStart(c.Lease).Dollars() + ": " + language.List(parts)
}
