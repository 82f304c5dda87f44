package main

import (
	"fmt"
	"os"
	"testing"

	"portal/api/triage"
)

func TestScratch(t *testing.T) {
	all, _ := training("../../api/triage")
	f := make([][]triage.Feature, len(all))
	for i, s := range all {
		f[i] = triage.Features(s.text)
	}
	kind := os.Getenv("KIND")
	var dev, rest tally
	for fold := range 10 {
		var l []sample
		var k [][]triage.Feature
		for i := range all {
			if i%10 != fold {
				l, k = append(l, all[i]), append(k, f[i])
			}
		}
		m, _ := triage.New(learn(l, k).Encode())
		for i := fold; i < len(all); i += 10 {
			s := all[i]
			v := m.Triage(s.text)
			tt := &rest
			if i >= 333 && i%4 == 0 {
				tt = &dev
			}
			if i < 333 {
				tt = &tally{}
			}
			tt.count(s, v)
			if tt == &dev {
				continue
			}
			p, c := 0, 0
			for j := range 4 {
				if triage.Priorities[j] == v.Priority {
					p = j
				}
			}
			for j := range 11 {
				if triage.Categories[j] == v.Category {
					c = j
				}
			}
			show := false
			switch kind {
			case "emiss":
				show = s.priority == 3 && p < 3
			case "efalse":
				show = s.priority < 3 && p == 3
			case "far":
				show = p-s.priority > 1 || s.priority-p > 1
			case "cat":
				show = c != s.category && c != s.other
			case "pri":
				show = p != s.priority && p < 3 && s.priority < 3
			}
			if show {
				fmt.Printf("%s/%s -> %s/%s | %s\n      ", triage.Categories[s.category], triage.Priorities[s.priority], v.Category, v.Priority, s.text)
				for j, r := range v.Reasons {
					if j < 4 {
						fmt.Printf("%s<%s> ", r.Rule, r.Matched)
					}
				}
				fmt.Println()
			}
		}
	}
	rest.print(os.Stdout, "more non-dev")
	dev.print(os.Stdout, "more dev")
}
