package cell

import (
	"strings"
	"sync"
)

// stateTable has a line for each state and DC: its USPS code, the ranges of the first three digits of its ZIP codes,
// and, after a bar, its names and usual abbreviations without dots and accents, parted by commas, the first one the
// name. Sources: USPS Publication 28, appendix B, and the USPS labeling list L002; ranges are whole where numbers
// within are not in use, and have the towns that get their mail from the next state (06390 NY, 83414 WY, 05501 MA).
const stateTable = `
AL 350-369 | alabama, ala
AK 995-999 | alaska, alas
AZ 850-865 | arizona, ariz
AR 716-729 755-755 | arkansas, ark
CA 900-961 976-976 | california, calif, cal
CO 800-816 | colorado, colo
CT 060-069 | connecticut, conn
DE 197-199 | delaware, del
DC 200-205 569-569 | district of columbia, washington dc, washington d c, d c
FL 320-349 | florida, fla
GA 300-319 398-399 | georgia
HI 967-968 | hawaii, hawai'i
ID 832-838 | idaho
IL 600-629 | illinois, ill
IN 460-479 | indiana, ind
IA 500-528 | iowa
KS 660-679 | kansas, kan, kans
KY 400-427 | kentucky, ken
LA 700-714 | louisiana, luisiana
ME 039-049 | maine
MD 206-219 | maryland
MA 010-027 055-055 | massachusetts, mass
MI 480-499 | michigan, mich
MN 550-567 | minnesota, minn
MS 386-397 | mississippi, miss, misisipi
MO 630-658 | missouri, misuri
MT 590-599 | montana, mont
NE 680-693 | nebraska, neb, nebr
NV 889-898 | nevada, nev
NH 030-038 | new hampshire, n h, n hampshire, nuevo hampshire, nueva hampshire
NJ 070-089 | new jersey, n j, n jersey, nueva jersey
NM 870-884 | new mexico, n m, n mex, n mexico, new mex, nuevo mexico
NY 005-005 063-063 100-149 | new york, n y, n york, nueva york
NC 270-289 | north carolina, n c, n car, n carolina, carolina del norte
ND 580-588 | north dakota, n d, n dak, n dakota, dakota del norte
OH 430-459 | ohio
OK 730-749 | oklahoma, okla
OR 970-979 | oregon, ore, oreg
PA 150-196 | pennsylvania, penn, penna, pensilvania
RI 028-029 | rhode island, r i, rhode isl
SC 290-299 | south carolina, s c, s car, s carolina, carolina del sur
SD 570-577 | south dakota, s d, s dak, s dakota, dakota del sur
TN 370-385 | tennessee, tenn
TX 733-733 739-739 750-799 885-885 | texas, tex, tejas
UT 840-847 | utah
VT 050-059 | vermont
VA 201-201 220-246 | virginia
WA 980-994 | washington, wash, washington state
WV 247-268 | west virginia, w v, w va, w virginia, virginia occidental
WI 530-549 | wisconsin, wis, wisc
WY 820-831 834-834 | wyoming, wyo
`

// puertoRico has ZIP codes but is no state that the service takes.
const puertoRico = "PR 006-007 009-009 |"

// zipRange has the first three digits of ZIP codes, from the first to the last.
type zipRange struct{ first, last string }

// gazetteer is the table as it is looked up.
type gazetteer struct {
	ranges map[string][]zipRange // by code
	codes  map[string]string     // by name
}

var gazette = sync.OnceValue(func() gazetteer {
	g := gazetteer{map[string][]zipRange{}, map[string]string{}}
	for line := range strings.Lines(strings.TrimSpace(stateTable) + "\n" + puertoRico) {
		head, names, _ := strings.Cut(line, "|")
		fields := strings.Fields(head)
		code := fields[0]
		for _, field := range fields[1:] {
			first, last, _ := strings.Cut(field, "-")
			g.ranges[code] = append(g.ranges[code], zipRange{first, last})
		}
		if strings.TrimSpace(names) == "" {
			continue
		}
		g.codes[strings.ToLower(code)] = code
		for name := range strings.SplitSeq(names, ",") {
			g.codes[strings.TrimSpace(name)] = code
		}
	}
	return g
})

// State reads one of the 50 states or DC and gives its USPS code: TX, tx, Texas, N.M., Calif., Washington, DC.
func State(s string) (code string, ok bool) {
	s, ok = clean(s)
	if !ok || len(s) > 60 {
		return "", false
	}
	s = stateSigns().Replace(s)
	code, ok = gazette().codes[strings.Join(strings.Fields(fold(s)), " ")]
	return code, ok
}

// stateSigns writes the signs within the name of a state as the table has them.
var stateSigns = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(",", " ", "’", "'", "ʻ", "'")
})

// PostalCode reads a ZIP code of 5 or 9 digits, and gives it as 78701 or 78701-1234. One that has lost its leading
// zeros in a spreadsheet gets them, and restored is true, where ZIP codes of the state begin with 0; a state is the
// USPS code, PR among them, or "" where it is not known, and then nothing is restored. It is not ok where no ZIP code
// of the state begins with these three digits, or the state is not known.
func PostalCode(s, state string) (code string, restored, ok bool) {
	s, ok = clean(s)
	if !ok {
		return "", false, false
	}
	if whole, zeros, dot := strings.Cut(s, "."); dot && zeros != "" && strings.Trim(zeros, "0") == "" {
		s = whole
	}
	digits, four, dashed := strings.Cut(strings.Map(hyphen, s), "-")
	digits, four = strings.TrimSpace(digits), strings.TrimSpace(four)
	if !dashed {
		if head, tail, spaced := strings.Cut(digits, " "); spaced {
			digits, four, dashed = head, tail, true
		}
	}
	if n := len(digits); !dashed && n >= 7 && n <= 9 {
		digits, four, dashed = digits[:n-4], digits[n-4:], true
	}
	if !allDigits(digits) || dashed && (len(four) != 4 || !allDigits(four)) {
		return "", false, false
	}
	if n := len(digits); state != "" && (n == 3 || n == 4) {
		digits, restored = "00"[:5-n]+digits, true
	}
	if len(digits) != 5 || state != "" && !inState(digits, state) {
		return "", false, false
	}
	if dashed {
		digits += "-" + four
	}
	return digits, restored, true
}

// inState reports whether ZIP codes of a state begin with the first three digits of one.
func inState(zip, state string) bool {
	for _, r := range gazette().ranges[strings.ToUpper(state)] {
		if zip[:3] >= r.first && zip[:3] <= r.last {
			return true
		}
	}
	return false
}
