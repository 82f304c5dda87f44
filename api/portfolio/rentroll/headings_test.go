package rentroll_test

import (
	"strings"
	"testing"

	"portal/api/portfolio/rentroll"
)

// headings are the first lines of templates and exports of other kinds, each with a line below it and what that
// becomes. What it has besides is left out and said to be.
var headings = []struct{ file, lease string }{
	{
		"Unit,Unit Type,Unit Sq Ft,Resident,Name,Market Rent,Actual Rent,Resident Deposit,Other Deposit,Move In," +
			"Lease Expiration,Move Out,Balance,Property Address\n" +
			`12B,2BR/1BA,812,t0001234,"Okafor, Amara","1,250.00","1,195.00",500.00,0.00,3/1/2026,2/28/2027,,0.00,` +
			"\"7 Oak St, Austin, TX 78701\"\n",
		"lease 7 Oak St, Unit 12B, Austin, TX 78701: Amara Okafor, 2026-03-01 to 2027-02-28, 1195.00 and 500.00, active",
	},
	{
		"Property Address,Unit,City,State,Zip,Tenant First Name,Tenant Last Name,Tenant Email,Rent Amount,Lease Start Date," +
			"Lease End Date\n7 Oak St,12B,Austin,Texas,78701,Amara,Okafor,amara@example.com,\"$1,195\",03/01/26,02/28/27\n",
		"lease 7 Oak St, Unit 12B, Austin, TX 78701: Amara Okafor, 2026-03-01 to 2027-02-28, 1195.00 and 0.00, active",
	},
	{
		"Unit #,Tenant Name,Sq. Ft.,Lease From,Lease To,Monthly Rent,Annual Rent,Rent / SF,Security Deposit,Full Address\n" +
			"12B,Amara Okafor,812,1-Mar-26,28-Feb-27,1195,14340,1.47,500,\"7 Oak St, Austin, TX 78701\"\n",
		"lease 7 Oak St, Unit 12B, Austin, TX 78701: Amara Okafor, 2026-03-01 to 2027-02-28, 1195.00 and 500.00, active",
	},
	{
		"Dirección;Ciudad;Estado;Código postal;Unidad;Inquilino;Correo;Teléfono;Inicio;Vencimiento;Renta mensual;Depósito\n" +
			"7 Oak St;Austin;TX;78701;12B;Amara Okafor;amara@example.com;512-555-0142;2026-03-01;2027-02-28;1195,00;500,00\n",
		"lease 7 Oak St, Unit 12B, Austin, TX 78701: Amara Okafor, 2026-03-01 to 2027-02-28, 1195.00 and 500.00, active",
	},
	{
		"Building,Apt,Occupant,Occupancy,Beds,Baths,Rent/Mo,Sec Dep,Lease Begin,Lease Ends,Delinquency\n" +
			"\"7 Oak St, Austin, TX 78701\",12B,Amara Okafor,Occupied,2,1.5,1195,500,2026-03-01,2027-02-28,100.50\n" +
			"\"7 Oak St, Austin, TX 78701\",14,*** VACANT ***,Vacant,1,1,0,0,,,0\n",
		"balance 100.50: Balance brought forward, due 2026-11-20",
	},
	{
		"address,city,state,unit,tenant,start,end,rent\n" +
			"7 Oak St,Austin,TX,12B,Amara Okafor,2026-03-01,MTM,1195\n7 Oak St,Austin,TX,12B,Per Lind,2026-03-01,MTM,1195\n",
		"lease 7 Oak St, Unit 12B, Austin, TX: Amara Okafor, Per Lind, 2026-03-01 to none, 1195.00 and 0.00, active",
	},
}

func TestHeadingsOfOtherProgramsAreUnderstood(t *testing.T) {
	for _, h := range headings {
		roll, problems := rentroll.Read(strings.NewReader(h.file))
		if len(problems) > 0 {
			t.Errorf("%s%v", h.file, problems)
			continue
		}
		if got := written(t, roll); !strings.Contains(got, h.lease+"\n") {
			t.Errorf("%sbecomes\n%s\nnotes: %v", h.file, got, roll.Notes())
		}
	}
}

// unclear are lines that could mean several things, each with what is said of it.
var unclear = []struct{ file, says string }{
	{
		"address,city,state,unit,tenant,start,status,rent\n7 Oak St,Austin,TX,1,Amara Okafor,2025-03-01,Past,900\n",
		"The lease is said to have ended, and has no last day.",
	},
	{
		"address,city,state,unit\n7 Oak St,Austin,TX,1.00E+02\n",
		`A spreadsheet has made "1.00E+02" of the number of the unit`,
	},
	{"address,city,state,unit\n7 Oak St,Austin,TX,2-Jan\n", `A spreadsheet has made "2-Jan" of the number of the unit`},
	{
		"address,city,state,unit,tenant,start,rent\n7 Oak St,Austin,TX,1,=HYPERLINK(1),2026-03-01,1\n",
		"A cell holds a formula",
	},
	{
		"address,city,state,unit,tenant,start,end,rent\n7 Oak St,Austin,TX,1,Amara Okafor,3.4.2026,1.2.2027,900\n",
		"The dates of this column can be read with the day or with the month first",
	},
	{
		"address,city,state,unit,tenant,start,end,rent\n7 Oak St,Austin,TX,1,Amara Okafor,13/1/2026,,900\n" +
			"8 Oak St,Austin,TX,1,Per Lind,1/13/2026,,900\n",
		"Some dates of this column have the day first, others the month",
	},
	{
		"address,city,state,unit,tenant,start,end,rent\n7 Oak St,Austin,TX,1,Amara Okafor,2026-03-01,2027-02-28,900\n" +
			"7 Oak St,Austin,TX,1,Per Lind,2026-03-01,2027-02-28,450\n",
		"a lease of unit \"1\" with the same days and other amounts",
	},
	{"Unit,Tenant,Rent\n1,Amara Okafor,900\n", "street_address: The file names no property"},
	{
		"Unit,Tenant,Start,Rent\nHarrow House,,,\n1,Amara Okafor,2026-03-01,900\n",
		"names a property without its address",
	},
}

func TestUnclearLinesAreAskedAbout(t *testing.T) {
	for _, u := range unclear {
		got := strings.Join(problemsOf(u.file, nil), "\n")
		if !strings.Contains(got, u.says) {
			t.Errorf("%ssays\n%s\nwant %s", u.file, got, u.says)
		}
	}
}

// guessed are lines that are taken in one of several meanings, each with what has to be agreed to.
var guessed = []struct{ file, says string }{
	{
		"address,city,state,unit,status,start\n7 Oak St,Austin,TX,1,Vacant,2025-03-01\n",
		"line 2, lease_start: The unit is vacant, so the days of a lease are left out.",
	},
	{
		"address,city,state,unit,status\n7 Oak St,Austin,TX,1,Occupied\n",
		`line 2, status: "Occupied" is said of a unit without a tenant. It is taken for vacant.`,
	},
	{
		"property,address,city,state,unit\nOak Row,7 Oak St,Austin,TX,1\nElm Row,7 Oak St,Austin,TX,2\n",
		`line 3, property: Earlier lines call this property "Oak Row". "Elm Row" is left out.`,
	},
	{
		"address,city,state,unit,tenant,start,rent\n7 Oak St,Austin,TX,1,Ana María López García,2026-03-01,900\n",
		`line 2, tenant: "Ana María López García" is taken for first name`,
	},
	{
		"address,city,state,unit,tenant,start,rent\n7 Oak St,Austin,TX,1,Amara Okafor,13/1/2026,900\n",
		"line 1, lease_start: The dates of this column have the day first.",
	},
	{
		"address,city,state,unit,tenant,move in,rent\n7 Oak St,Austin,TX,1,Amara Okafor,2026-03-01,900\n",
		"line 2, lease_start: The lease has no first day. It is taken to begin when the tenant moved in, 2026-03-01.",
	},
	{
		"address,city,state,unit,tenant,start,end,status,rent\n7 Oak St,Austin,TX,1,Amara Okafor,2026-03-01,2026-08-31,MTM,900\n",
		"line 2, end: The lease is month to month, so its last day, 2026-08-31, is left out.",
	},
	{
		"address,city,state,unit,rent\n7 Oak St,Austin,TX,1,\n7 Oak St,Austin,TX,2,\nTotal,,,,1200\n",
		"line 4, monthly_rent: “Total” is taken for a total and left out. It says $1,200.00, and the lines above add up to $0.00.",
	},
	{
		"address,city,state,unit,parking\n7 Oak St,Austin,TX,1,garage\n",
		"line 1, parking: A rent roll has no such column.",
	},
	{
		"address,city,state,unit,status,rent\n7 Oak St,Austin,TX,1,Vacant,900\n",
		"line 2, monthly_rent: The unit is vacant, so its rent of 900 is taken for what is asked for it.",
	},
	{
		"address,city,state,unit,tenant,email,start,rent\n7 Oak St,Austin,TX,1,Amara Okafor,a@example.com,2026-03-01,900\n" +
			"8 Oak St,Austin,TX,1,Per Lind,a@example.com,2026-03-01,900\n",
		`line 3, email: Line 2 has a@example.com for "Amara Okafor". "Per Lind" gets no email address.`,
	},
}

func TestGuessesAreSaidAndHaveToBeAgreedTo(t *testing.T) {
	for _, g := range guessed {
		roll, problems := rentroll.Read(strings.NewReader(g.file))
		got := strings.Join(guesses(roll), "\n")
		if len(problems) > 0 || !roll.Guesses() || !strings.Contains(got, g.says) {
			t.Errorf("%sguesses\n%s\nwant %s\nproblems: %v", g.file, got, g.says, problems)
		}
	}
}

func TestRollsOfTheTemplateHaveNothingToAgreeTo(t *testing.T) {
	roll, problems := rentroll.Read(generated(200))
	if len(problems) > 0 || len(roll.Notes()) > 0 {
		t.Errorf("problems %v, notes %v", problems, roll.Notes())
	}
}
