package foreign

import "maps"

// shape is what is copied of a value: numbers, names, strings, and what is listed here. All else is left out.
type shape struct {
	keys    map[string]*shape                  // of a dictionary or a stream
	each    *shape                             // of all values of a dictionary whose keys are names that the file gives
	items   *shape                             // of an array
	stream  bool                               // whether a stream may be here
	content bool                               // whether that stream draws
	choose  func(*file, value) (*shape, error) // by what the value is; omitted to leave it out
}

// omitted is the shape of what is left out.
var omitted = &shape{}

// plain is a number, a name, a string, or an array of them.
var plain = func() *shape {
	s := &shape{}
	s.items = s
	return s
}()

func keyed(names ...string) map[string]*shape {
	m := make(map[string]*shape, len(names))
	for _, n := range names {
		m[n] = plain
	}
	return m
}

func with(m map[string]*shape, more map[string]*shape) map[string]*shape {
	maps.Copy(m, more)
	return m
}

// shapes are those of what a page is drawn with (ISO 32000-1, 7.8.3).
type shapes struct {
	resources, form, picture, font *shape
}

// newShapes makes them when the first file is read. They refer to each other, because a form has resources.
func newShapes() *shapes {
	resources, xobject, picture, form := &shape{}, &shape{}, &shape{stream: true}, &shape{stream: true, content: true}
	function, space, group := &shape{stream: true}, &shape{stream: true}, &shape{}
	state, pattern, shading := &shape{}, &shape{stream: true, content: true}, &shape{stream: true}
	font, descriptor, encoding := &shape{}, &shape{}, &shape{stream: true}

	function.keys = with(
		keyed("FunctionType", "Domain", "Range", "C0", "C1", "N", "Bounds", "Encode", "Decode", "Size",
			"BitsPerSample", "Order"),
		map[string]*shape{"Functions": function},
	)
	function.items = function
	space.keys = with(
		keyed("N", "Range", "WhitePoint", "BlackPoint", "Gamma", "Matrix"),
		map[string]*shape{"Alternate": space},
	)
	space.keys = with(space.keys, function.keys) // of an array, one is a space and another one a function
	space.items = space
	group.keys = with(keyed("Type", "S", "I", "K"), map[string]*shape{"CS": space})

	mask := &shape{keys: with(keyed("Type", "S", "BC"), map[string]*shape{"G": form, "TR": function})}
	state.keys = with(
		keyed("Type", "LW", "LC", "LJ", "ML", "D", "RI", "OP", "op", "OPM", "FL", "SM", "SA", "BM", "CA", "ca", "AIS",
			"TK"),
		map[string]*shape{"SMask": mask, "Font": {items: font}},
	)
	shading.keys = with(
		keyed("ShadingType", "Background", "BBox", "AntiAlias", "Domain", "Matrix", "Extend", "Coords",
			"BitsPerCoordinate", "BitsPerComponent", "BitsPerFlag", "VerticesPerRow", "Decode"),
		map[string]*shape{"ColorSpace": space, "Function": function},
	)
	pattern.keys = with(
		keyed("Type", "PatternType", "PaintType", "TilingType", "BBox", "XStep", "YStep", "Matrix"),
		map[string]*shape{"Resources": resources, "Shading": shading, "ExtGState": state},
	)
	picture.keys = with(
		keyed("Type", "Subtype", "Width", "Height", "BitsPerComponent", "Intent", "ImageMask", "Decode", "Interpolate",
			"SMaskInData", "Matte"),
		map[string]*shape{"ColorSpace": space, "Mask": {items: plain, choose: pictureOrArray(picture)},
			"SMask": picture},
	)
	form.keys = with(
		keyed("Type", "Subtype", "FormType", "BBox", "Matrix"),
		map[string]*shape{"Resources": resources, "Group": group},
	)
	xobject.choose = func(f *file, v value) (*shape, error) {
		kind, err := f.get(v, "Subtype")
		switch {
		case err != nil:
			return nil, err
		case kind.isName("Image"):
			return picture, f.checkLayer(v)
		case kind.isName("Form") && v.at("Subtype2").kind == null:
			return form, f.checkLayer(v)
		}
		return omitted, nil
	}
	fontShape(font, descriptor, encoding, resources)
	hidden := &shape{choose: func(f *file, v value) (*shape, error) { return &shape{}, f.checkGroup(v) }}
	resources.keys = map[string]*shape{
		"ExtGState": {each: state}, "ColorSpace": {each: space}, "Pattern": {each: pattern},
		"Shading": {each: shading}, "XObject": {each: xobject}, "Font": {each: font},
		"Properties": {each: hidden}, "ProcSet": plain,
	}
	return &shapes{resources: resources, form: form, picture: picture, font: font}
}

func pictureOrArray(picture *shape) func(*file, value) (*shape, error) {
	return func(_ *file, v value) (*shape, error) {
		if v.kind == stream {
			return picture, nil
		}
		return plain, nil
	}
}

func fontShape(font, descriptor, encoding, resources *shape) {
	program := &shape{stream: true, keys: keyed("Length1", "Length2", "Length3", "Subtype")}
	system := &shape{keys: keyed("Registry", "Ordering", "Supplement")}
	glyph := &shape{stream: true, content: true, keys: map[string]*shape{}}
	data := &shape{stream: true, keys: map[string]*shape{}}
	descriptor.keys = with(
		keyed("Type", "FontName", "FontFamily", "FontStretch", "FontWeight", "Flags", "FontBBox", "ItalicAngle",
			"Ascent",
			"Descent", "Leading", "CapHeight", "XHeight", "StemV", "StemH", "AvgWidth", "MaxWidth", "MissingWidth",
			"CharSet"),
		map[string]*shape{"FontFile": program, "FontFile2": program, "FontFile3": program, "CIDSet": data},
	)
	encoding.keys = with(
		keyed("Type", "BaseEncoding", "Differences", "CMapName", "WMode"),
		map[string]*shape{"CIDSystemInfo": system, "UseCMap": encoding},
	)
	font.keys = with(
		keyed("Type", "Subtype", "BaseFont", "Name", "FirstChar", "LastChar", "Widths", "FontBBox", "FontMatrix",
			"DW", "W", "DW2", "W2"),
		map[string]*shape{
			"FontDescriptor": descriptor, "Encoding": encoding, "ToUnicode": encoding, "CIDToGIDMap": data,
			"DescendantFonts": {items: font}, "CIDSystemInfo": system, "CharProcs": {each: glyph},
			"Resources": resources,
		},
	)
}

// params are what filters are told.
var params = func() *shape {
	s := &shape{}
	s.keys = with(
		keyed("Predictor", "Colors", "BitsPerComponent", "Columns", "EarlyChange", "K", "EndOfLine", "EncodedByteAlign",
			"Rows", "EndOfBlock", "BlackIs1", "DamagedRowsBeforeError", "ColorTransform"),
		map[string]*shape{"JBIG2Globals": {stream: true, keys: map[string]*shape{}}},
	)
	s.items = s
	return s
}()
