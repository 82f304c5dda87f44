package document_test

import (
	"testing"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
)

// summarized are the rows of the Spanish summary of a lease, by their names.
func summarized(t *document.Terms) map[string]string {
	rows := map[string]string{}
	for _, r := range document.Compose(t).Spanish {
		rows[r.Name] = r.Value
	}
	return rows
}

func TestSpanishSummarySaysWhatIsPaidAndWhen(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	l := of.Lease
	l.StartDate, l.EndDate, l.LeaseType = clock.Day(2027, 1, 15), new(clock.Day(2027, 12, 31)), portfolio.Fixed
	l.MonthlyRent, l.RentDueDay, l.SecurityDeposit = money.Dollars(1450), 1, money.Dollars(1000)
	l.LateFeeAmount, l.LateFeeGraceDays = new(money.Dollars(50)), new(3)
	l.Terms.ReturnedPaymentFee, l.Terms.Fees = new(money.Dollars(25)), []terms.Fee{
		{Name: "Parking", Amount: money.Dollars(30), Frequency: terms.Monthly},
		{Name: "Keys", Amount: money.Dollars(40), Frequency: terms.OneTime, Refundable: true},
	}
	rows := summarized(of)
	for name, want := range map[string]string{
		"Plazo":                   "Del 15 de enero de 2027 al 31 de diciembre de 2027",
		"Renta":                   "$1,450.00 al mes, que se paga el día 1",
		"Depósito":                "$1,000.00",
		"Recargo por atraso":      "$50.00 si la renta se atrasa más de 3 días",
		"Cargo: Parking":          "$30.00 cada mes, con la renta (no reembolsable)",
		"Cargo: Keys":             "$40.00 una vez, antes de mudarse (reembolsable)",
		"Cargo por pago devuelto": "$25.00 por cada pago que el banco devuelva",
		"Se paga cada mes":        "$1,480.00: la renta y $30.00 de cargos mensuales",
		"Se paga al mudarse": "$1,851.61: la primera renta de $795.16, el depósito de $1,000.00, cargos únicos de " +
			"$40.00 y los primeros cargos mensuales de $16.45",
	} {
		if rows[name] != want {
			t.Errorf("%s: %q, want %q", name, rows[name], want)
		}
	}
}

func TestSpanishSummaryOfARenewalSaysWhatTheLandlordHolds(t *testing.T) {
	t.Parallel()
	for want, amounts := range map[string][2]int64{
		"$1,000.00: el arrendador ya tiene $800.00 del contrato anterior, y se pagan $200.00 más antes de que " +
			"empiece el plazo": {1000, 800},
		"$800.00, que el arrendador ya tiene del contrato anterior: no se paga nada más": {800, 800},
		"$700.00: de los $800.00 que tiene del contrato anterior, el arrendador devuelve o acredita $100.00": {
			700, 800,
		},
		"Ninguno: el arrendador devuelve o acredita los $800.00 que tiene del contrato anterior": {0, 800},
		"Ninguno": {0, 0},
	} {
		of := documenttest.Terms("TX")
		of.Lease.RenewedFromLeaseID = new("lea_1")
		of.Lease.SecurityDeposit = money.Dollars(amounts[0])
		of.Lease.Terms.HeldDeposit = new(money.Dollars(amounts[1]))
		if got := summarized(of)["Depósito"]; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSpanishSummaryIsNoPartOfWhatIsSigned(t *testing.T) {
	t.Parallel()
	d := document.Compose(documenttest.Terms("TX"))
	said := map[string]bool{}
	d.Texts(func(text string) { said[text] = true })
	if len(d.Spanish) == 0 || said["Arrendador"] || said["Vivienda"] {
		t.Errorf("%d rows; the document says them: %v", len(d.Spanish), said["Arrendador"])
	}
}
