package document_test

import (
	"strings"
	"testing"

	"portal/api/agreement/document/documenttest"
)

func TestClausesThatTakeRightsAwayAreFound(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	for clause, sentence := range map[string]string{
		"Tenant waives the right to a jury trial.":                                     "gives up a jury",
		"Jury trial is waived by the parties.":                                         "gives up a jury",
		"All disputes go to binding arbitration.":                                      "gives up a jury",
		"El inquilino renuncia al derecho a un juicio con jurado.":                     "gives up a jury",
		"Tenant waives all notice before an eviction.":                                 "no notice and no defense",
		"El inquilino renuncia a todo aviso.":                                          "no notice and no defense",
		"Tenant confesses judgment for unpaid rent.":                                   "no notice and no defense",
		"Tenant is responsible for all repairs.":                                       "takes that duty away",
		"Tenant accepts the home as is.":                                               "takes that duty away",
		"El inquilino hace todas las reparaciones.":                                    "takes that duty away",
		"Landlord may enter at any time.":                                              "right to enter",
		"The landlord enters without prior notice to check the pool.":                  "right to enter",
		"El arrendador puede entrar en cualquier momento.":                             "right to enter",
		"No service animals.":                                                          "Assistance animals",
		"Emotional support animals pay a $50 pet fee.":                                 "Assistance animals",
		"No se permiten perros de servicio.":                                           "Assistance animals",
		"The deposit is kept as the last month of rent.":                               "what is left of the deposit",
		"El depósito se usa para el último mes.":                                       "what is left of the deposit",
		"Tenant pays the landlord's attorney's fees.":                                  "",
		"El inquilino paga los honorarios del abogado.":                                "",
		"Tenant agrees to quiet hours and waives any right to notice; guests may stay": "no notice and no defense",
	} {
		found := of.Contradictions(clause)
		if len(found) != 1 || !strings.Contains(found[0].Sentence, sentence) ||
			(sentence == "") != (found[0].Sentence == "") ||
			!strings.Contains(clause, found[0].Words) {
			t.Errorf("%q: %+v", clause, found)
			continue
		}
		says(t, of, []string{found[0].Sentence}, nil)
	}
	of.Lease.SecurityDeposit = 0 // and so no section about a deposit
	if found := of.Contradictions("The deposit is kept as the last month of rent."); found[0].Sentence != "" {
		t.Errorf("%+v", found)
	}
}

func TestHarmlessClausesAreNotFound(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	for _, clause := range []string{
		"Two cats. The tenants do not waive a jury or any notice.",
		"The tenant never gives up the right to notice.",
		"In an emergency the landlord may enter without notice.",
		"Service animals are not pets and no fee is charged for them.",
		"No dogs. Assistance animals are welcome.",
		"The prevailing party's attorney's fees are paid by the tenant or the landlord who lost.",
		"Two spaces in the garage. No repairs of cars there.",
		"The landlord pays for water, the tenants for power. Tenants report all leaks and need no permission for repairs " +
			"of their own lamps.",
		"No se fuma. El inquilino puede tener dos gatos.",
		"Last day of the month is trash day.",
		"Give the landlord notice of broken alarms.",
	} {
		if found := of.Contradictions(clause); found != nil {
			t.Errorf("%q: %+v", clause, found)
		}
	}
}
