package law

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"portal/api/contact"
)

// tables are the rules of all states. lease_rules.csv has a row a state; deposit_limits.csv has what its notes say of
// deposits in figures, for states where a condition allows more or less; deposit_fees.csv has which
// one-time fees count toward the deposit, but for those whose names hold what except lists;
// disclosures.csv has the titles of the codes, disclosure_authority.csv the law of a disclosure in a state, or in all
// (*): where it has none, none is cited, as the range of an act is not the law of each rule in it; fee_rules.csv has
// the fees that may not be charged, or about which the law says something, returned_payment_limits.csv the usual limit
// of the fee for a returned payment, deposit_deductions.csv whether cleaning may be taken from the deposit,
// official_texts.csv which agency gives out the text of a disclosure, cases.csv the second figures of rules that have
// one for some cases, and what tenants have to give notice of, or may add to the list of the condition, in days; of a
// rent increase the first figure too, and where the days for nonpayment are business days.
//
//go:embed lease_rules.csv deposit_limits.csv deposit_fees.csv disclosures.csv disclosure_authority.csv
//go:embed fee_rules.csv returned_payment_limits.csv deposit_deductions.csv official_texts.csv cases.csv
var tables embed.FS

const disclaimer = "Facts for software, not legal advice. Rules of cities and counties are not included."

// undated stands for the date of sources that have none.
const undated = "n.d."

// leadPaint is the one disclosure that federal law asks for.
const leadPaint = "lead_paint"

// All are the rules of every state, in the order of their codes.
func All() []*Rules { return all() }

// Of are the rules of a state, nil for one that does not exist.
func Of(state contact.State) *Rules {
	i := slices.IndexFunc(all(), func(r *Rules) bool { return r.State == state })
	if i < 0 {
		return nil
	}
	return all()[i]
}

// all reads the tables once. They are part of the program: what cannot be read ends it.
var all = sync.OnceValue(func() []*Rules {
	rules, err := readRules()
	if err != nil {
		panic(err)
	}
	return rules
})

func readRules() ([]*Rules, error) {
	of := map[string][]row{}
	for _, name := range []string{
		"lease_rules", "deposit_limits", "deposit_fees", "disclosures", "disclosure_authority", "fee_rules",
		"returned_payment_limits", "deposit_deductions", "official_texts", "cases",
	} {
		rows, err := readTable(name + ".csv")
		if err != nil {
			return nil, err
		}
		of[name] = rows
	}
	rules := make([]*Rules, 0, len(of["lease_rules"]))
	for _, state := range of["lease_rules"] {
		r, err := state.rules(of)
		if err != nil {
			return nil, fmt.Errorf("rules of %s: %w", state["state"], err)
		}
		rules = append(rules, r)
	}
	slices.SortFunc(rules, func(a, b *Rules) int { return strings.Compare(string(a.State), string(b.State)) })
	return rules, nil
}

// row is a row of a table by the names of its columns.
type row map[string]string

func readTable(name string) ([]row, error) {
	content, err := tables.ReadFile(name)
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var rows []row
	for _, line := range lines[1:] {
		r := row{}
		for i, column := range lines[0] {
			r[column] = line[i]
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// text is a column, nil where it is empty.
func (r row) text(column string) *string {
	if r[column] == "" {
		return nil
	}
	return new(r[column])
}

// about reports whether a row is about a disclosure in a state, or in all.
func (r row) about(state, code string) bool {
	return r["code"] == code && (r["state"] == state || r["state"] == "*")
}

func (r row) rules(tables map[string][]row) (*Rules, error) {
	of := &Rules{
		Object:         "lease_rules",
		State:          contact.State(r["state"]),
		Name:           r["name"],
		Note:           r.text("governing_note"),
		Disclaimer:     disclaimer,
		Sources:        strings.Split(r["source"], " | "),
		Statute:        r["statute"],
		depositStatute: r["deposit_statute"],
		lateFeeStatute: r.text("late_fee_statute"),
	}
	of.AsOf = r["as_of"]
	if of.AsOf == undated {
		of.AsOf = lookedAt
	}
	n := numbers{row: r}
	of.GraceDays, of.Deposit.ReturnDays = n.whole("late_fee_grace_days"), n.whole("deposit_return_days")
	of.Notice = Notice{
		EntryHours:       n.optional("entry_notice_hours"),
		NonpaymentDays:   n.whole("nonpayment_notice_days"),
		MonthToMonthDays: n.optional("month_to_month_notice_days"),
	}
	of.Deposit.CapMonths = n.decimal("deposit_cap_months")
	of.Deposit.Note = r.text("deposit_cap_note")
	of.Deposit.Interest = Interest(r["deposit_interest_required"])
	if n.err != nil {
		return nil, n.err
	}
	if !slices.Contains(Interest("").Values(), string(of.Deposit.Interest)) {
		return nil, fmt.Errorf("deposit_interest_required is %q", of.Deposit.Interest)
	}
	if err := of.readDeposit(tables["deposit_limits"]); err != nil {
		return nil, err
	}
	if err := of.readFees(tables["deposit_fees"]); err != nil {
		return nil, err
	}
	if err := of.readLateFee(r["late_fee_cap"]); err != nil {
		return nil, err
	}
	if err := of.readDisclosures(r, tables); err != nil {
		return nil, err
	}
	if err := of.readFeeRules(tables["fee_rules"]); err != nil {
		return nil, err
	}
	if err := of.readReturnedPayment(tables["returned_payment_limits"]); err != nil {
		return nil, err
	}
	if err := of.readCases(tables["cases"]); err != nil {
		return nil, err
	}
	of.CleaningDeducted = slices.ContainsFunc(tables["deposit_deductions"], func(d row) bool {
		return d["state"] == r["state"] && d["cleaning"] == "yes"
	})
	return of, of.readAuthorities(r)
}

// readCases reads the second figures of rules that have one.
func (r *Rules) readCases(table []row) error {
	r.Deposit.ReturnCases, r.Notice.MonthToMonthCases, r.Notice.RentIncreaseCases = []Case{}, []Case{}, []Case{}
	for _, of := range table {
		if of["state"] != string(r.State) {
			continue
		}
		n := numbers{row: of}
		c := Case{When: "If " + of["when"] + ".", Days: n.whole("days"), Citation: of["authority"],
			Verified: Reading(of["verified"])}
		for column, into := range map[string]*int{"years": &c.Years, "percent": &c.Percent} {
			if v := n.optional(column); v != nil {
				*into = *v
			}
		}
		switch of["rule"] {
		case "deposit_return":
			r.Deposit.ReturnCases = append(r.Deposit.ReturnCases, c)
		case "month_to_month":
			r.Notice.MonthToMonthCases = append(r.Notice.MonthToMonthCases, c)
		case "tenant_notice":
			r.Notice.TenantDays, r.Notice.TenantCitation, r.Notice.TenantVerified = &c.Days, &c.Citation, &c.Verified
		case "rent_increase":
			if of["when"] != "" {
				r.Notice.RentIncreaseCases = append(r.Notice.RentIncreaseCases, c)
				continue
			}
			r.Notice.RentIncreaseDays = &c.Days
			r.Notice.RentIncreaseCitation, r.Notice.RentIncreaseVerified = &c.Citation, &c.Verified
		case "nonpayment_business":
			if c.Days != r.Notice.NonpaymentDays {
				return fmt.Errorf("%d business days and %d days for nonpayment", c.Days, r.Notice.NonpaymentDays)
			}
			r.Notice.NonpaymentBusinessDays = true
		case "condition_list":
			r.ConditionDays, r.ConditionCitation = &c.Days, &c.Citation
		default:
			return fmt.Errorf("there is no rule %q", of["rule"])
		}
		if n.err != nil {
			return n.err
		}
	}
	return nil
}

// numbers reads columns and keeps the first error.
type numbers struct {
	row row
	err error
}

func (n *numbers) whole(column string) int {
	v, err := strconv.Atoi(n.row[column])
	n.keep(column, err)
	return v
}

func (n *numbers) optional(column string) *int {
	if n.row[column] == "" {
		return nil
	}
	return new(n.whole(column))
}

func (n *numbers) decimal(column string) *float64 {
	if n.row[column] == "" {
		return nil
	}
	v, err := strconv.ParseFloat(n.row[column], 64)
	n.keep(column, err)
	return &v
}

func (n *numbers) keep(column string, err error) {
	if err != nil && n.err == nil {
		n.err = fmt.Errorf("%s: %w", column, err)
	}
}

// readDisclosures reads the codes that a state asks for, with their titles, laws and official texts.
func (r *Rules) readDisclosures(from row, tables map[string][]row) error {
	titles := tables["disclosures"]
	r.Disclosures = []Disclosure{}
	for code := range strings.SplitSeq(from["disclosures"], ";") {
		i := slices.IndexFunc(titles, func(t row) bool { return t["code"] == code })
		if i < 0 {
			return fmt.Errorf("the disclosure %q has no title", code)
		}
		d := Disclosure{Code: code, Title: titles[i]["title"]}
		if when := clause(titles[i]["when"]); when != "" {
			d.When = new("If " + when + ".")
			if !slices.Contains(recorded, code) {
				d.Condition = when
			}
		}
		for _, l := range tables["disclosure_authority"] {
			if l.about(from["state"], code) {
				d.Authority, d.Verified = l.text("authority"), new(Reading(l["verified"]))
			}
		}
		for _, t := range tables["official_texts"] {
			if t.about(from["state"], code) {
				d.OfficialText = &OfficialText{t["agency"], t["title"]}
			}
		}
		r.Disclosures = append(r.Disclosures, d)
	}
	return nil
}

// recorded are the disclosures whose condition the records of a lease decide.
var recorded = []string{leadPaint, "deposit_bank", "deposit_receipt", "deposit_terms", "nonrefundable_fees"}

// clause is a sentence as it stands behind "if".
func clause(sentence string) string {
	if sentence == "" {
		return ""
	}
	return strings.ToLower(sentence[:1]) + strings.TrimSuffix(sentence[1:], ".")
}

// readAuthorities reads what was found in a source, from the column verified:
// partly;checked=a|b;law_text=a;unverified=c.
func (r *Rules) readAuthorities(from row) error {
	parts := map[string][]string{}
	for part := range strings.SplitSeq(from["verified"], ";") {
		name, topics, _ := strings.Cut(part, "=")
		parts[name] = strings.Split(topics, "|")
	}
	citations := map[Topic]string{
		DepositCap:      "deposit_statute",
		DepositReturn:   "deposit_statute",
		DepositInterest: "deposit_statute",
		LateFees:        "late_fee_statute",
		Grace:           "late_fee_statute",
		Entry:           "entry_statute",
	}
	notes := map[string]string{"statute": "statute_note", "entry_statute": "entry_note"}
	r.Unverified, r.onlyIn = []Topic{}, from["only_in"]
	for _, name := range Topic("").Values() {
		topic, column := Topic(name), "statute"
		if own, has := citations[topic]; has {
			column = own
		}
		a := Authority{
			Topic:    topic,
			Citation: from.text(column),
			Note:     from.text(notes[column]),
			Verified: slices.Contains(parts["checked"], name),
			LawText:  slices.Contains(parts["law_text"], name),
		}
		r.partly = r.partly || slices.Contains(parts["checked"], name+"_part")
		r.Authorities = append(r.Authorities, a)
		if !a.Verified {
			r.Unverified = append(r.Unverified, topic)
		}
	}
	if len(parts["checked"]) == 0 {
		return fmt.Errorf("verified is %q", from["verified"])
	}
	return nil
}
