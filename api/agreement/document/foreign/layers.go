package foreign

// checkLayers refuses a file that has a layer which is not shown by default (ISO 32000-1, 8.11). Of one whose layers
// are all shown, no mark of a layer has to be kept.
func (f *file) checkLayers(catalog value) error {
	all, err := f.get(catalog, "OCProperties")
	if err != nil {
		return err
	}
	groups, err := f.get(all, "OCGs")
	if err != nil || len(groups.items()) == 0 {
		return err
	}
	shown, err := f.get(all, "D")
	if err != nil {
		return err
	}
	base, err := f.get(shown, "BaseState")
	if err != nil {
		return err
	}
	on, err := f.references(shown, "ON")
	if err != nil {
		return err
	}
	off, err := f.references(shown, "OFF")
	if err != nil {
		return err
	}
	uses, err := f.get(shown, "AS")
	if err != nil {
		return err
	}
	hide := base.isName("OFF") || base.isName("Unchanged")
	for _, g := range groups.items() {
		if g.kind != reference {
			continue
		}
		if off[g.object] || hide && !on[g.object] {
			return HiddenLayers
		}
		if len(uses.items()) > 0 {
			if err = f.checkUse(g); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkUse refuses a layer that is hidden on a screen or on paper.
func (f *file) checkUse(group value) error {
	group, err := f.resolve(group)
	if err != nil {
		return err
	}
	usage, err := f.get(group, "Usage")
	if err != nil {
		return err
	}
	for use, key := range map[string]string{"View": "ViewState", "Print": "PrintState"} {
		u, err := f.get(usage, use)
		if err != nil {
			return err
		}
		state, err := f.get(u, key)
		if err != nil {
			return err
		}
		if state.isName("OFF") {
			return HiddenLayers
		}
	}
	return nil
}

func (f *file) references(v value, key string) (map[int32]bool, error) {
	list, err := f.get(v, key)
	all := map[int32]bool{}
	for _, r := range list.items() {
		if r.kind == reference {
			all[r.object] = true
		}
	}
	return all, err
}

// checkLayer refuses what is shown unless a layer is.
func (f *file) checkLayer(v value) error {
	group, err := f.get(v, "OC")
	if err != nil {
		return err
	}
	return f.checkGroup(group)
}

// checkGroup refuses a condition that can hide something while all layers are shown.
func (f *file) checkGroup(v value) error {
	kind, err := f.get(v, "Type")
	if err != nil || !kind.isName("OCMD") {
		return err
	}
	policy, err := f.get(v, "P")
	if err != nil {
		return err
	}
	if v.at("VE").kind != null || policy.isName("AllOff") || policy.isName("AnyOff") {
		return HiddenLayers
	}
	return nil
}
