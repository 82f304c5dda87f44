package resident

import (
	"slices"

	views "portal/views/resident"
	"portal/web/page"
)

// dangers are what to do at once about the safety flags of triage (docs/triage.md), the gravest first.
var dangers = []struct {
	flags  []string
	advice bilingual
}{
	{[]string{"gas", "carbon_monoxide"}, bilingual{
		"Leave the home now, with everybody in it. Don't switch anything on or off and don't use a flame. " +
			"Call 911 or your gas company from outside.",
		"Salga de la vivienda ahora, con todas las personas. No encienda ni apague nada y no use fuego. " +
			"Llame al 911 o a la compañía de gas desde afuera.",
	}},
	{[]string{"fire", "smoke", "appliance_fire"}, bilingual{
		"Get everybody out, close the door behind you, and call 911 from outside.",
		"Saque a todas las personas, cierre la puerta al salir y llame al 911 desde afuera.",
	}},
	{[]string{"break_in", "threat"}, bilingual{
		"If somebody may still be there, go to a safe place and call 911.",
		"Si alguien podría estar ahí todavía, vaya a un lugar seguro y llame al 911.",
	}},
	{[]string{"injury", "animal_attack", "chemical_spill", "trapped", "blocked_exit"}, bilingual{
		"If somebody is hurt, trapped or can't get out, call 911.",
		"Si alguien está herido, atrapado o no puede salir, llame al 911.",
	}},
	{[]string{"structural_collapse"}, bilingual{
		"Leave the room and keep away from what has come down. If somebody is hurt, call 911.",
		"Salga de la habitación y aléjese de lo que se cayó. Si alguien está herido, llame al 911.",
	}},
	{[]string{"electric_shock", "electrical_hazard"}, bilingual{
		"Don't touch it. Switch off the breaker if you can do it safely. If you see smoke or fire, leave and call 911.",
		"No lo toque. Baje el interruptor si puede hacerlo sin peligro. Si ve humo o fuego, salga y llame al 911.",
	}},
	{[]string{"flooding", "steam", "sewage"}, bilingual{
		"Shut off the water at the valve of the fixture or at the main valve. Keep away from wet outlets and lamps.",
		"Cierre el agua en la llave del aparato o en la llave principal. Aléjese de enchufes y lámparas mojados.",
	}},
	{
		[]string{"no_heat_danger", "heat_danger"},
		bilingual{
			"Take children, older people and anybody who is ill to a warm or cool place. Never heat with an oven " +
				"or a grill. " +
				"If somebody feels ill, call 911.",
			"Lleve a niños, personas mayores y enfermas a un lugar con buena temperatura. Nunca caliente con horno " +
				"ni parrilla. " +
				"Si alguien se siente mal, llame al 911.",
		},
	},
	{[]string{"locked_out_danger", "cannot_secure"}, bilingual{
		"If a child or anybody else is in danger inside, or you don't feel safe, call 911.",
		"Si un niño u otra persona corre peligro adentro, o usted no se siente a salvo, llame al 911.",
	}},
	{[]string{"no_power", "no_water"}, bilingual{
		"If somebody depends on medical equipment or is in danger, call 911.",
		"Si alguien depende de equipo médico o corre peligro, llame al 911.",
	}},
}

// otherwise is what to do about an emergency that has no flag.
var otherwise = bilingual{
	"If anybody is in danger, call 911.",
	"Si alguien corre peligro, llame al 911.",
}

// mostAdvice is how many kinds of danger are told about at once.
const mostAdvice = 2

// advice is what to do before anything else about an emergency.
func (t *tenantRequest) advice(flags []string) (*views.Advice, error) {
	phone, err := t.section.Tenants.Phone(t.Ctx(), t.Visit)
	if err != nil {
		return nil, err
	}
	a := &views.Advice{
		Title:    t.say("Stay safe first", "Primero, su seguridad"),
		Landlord: t.Landlord.Name,
		Dial:     phone,
		Call:     page.Phone(&phone),
	}
	for _, d := range dangers {
		if len(a.Words) < mostAdvice && slices.ContainsFunc(d.flags, func(f string) bool {
			return slices.Contains(flags, f)
		}) {
			a.Words = append(a.Words, d.advice.in(t.header))
		}
	}
	if len(a.Words) == 0 {
		a.Words = append(a.Words, otherwise.in(t.header))
	}
	if phone != "" {
		a.Words = append(a.Words, t.say("Then call "+t.Landlord.Name+" at "+a.Call+".",
			"Después llame a "+t.Landlord.Name+" al "+a.Call+"."))
	}
	return a, nil
}
