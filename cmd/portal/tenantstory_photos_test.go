package main

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// whereabouts is what phones write into photos, and no copy of them has.
const whereabouts = "GPS 43.0718 N 70.7626 W"

// rotated is Exif that has a picture turned by a quarter (orientation 6), with whereabouts behind it.
const rotated = "Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00" +
	"\x00\x00\x00\x00" + whereabouts

// photos are files of a JPEG, a PNG and a WebP that say where they were taken.
func (s *tenantStory) photos() (paths []string) {
	s.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 480, 320))
	for x := range 480 {
		for y := range 320 {
			picture.Set(x, y, color.RGBA{byte(x / 2), byte(y * 4 / 5), 140, 255})
		}
	}
	var asJPEG, asPNG bytes.Buffer
	if err := jpeg.Encode(&asJPEG, picture, nil); err != nil {
		s.Fatal(err)
	}
	if err := png.Encode(&asPNG, picture); err != nil {
		s.Fatal(err)
	}
	asWebP, err := os.ReadFile("../../api/attachment/testdata/corners.webp")
	if err != nil {
		s.Fatal(err)
	}
	n := len(rotated) + 2
	segment := append([]byte{0xff, 0xe1, byte(n >> 8), byte(n)}, rotated...)
	folder := s.TempDir()
	for _, file := range []struct {
		name    string
		content []byte
	}{
		{"faucet.jpg", slices.Insert(asJPEG.Bytes(), 2, segment...)},
		{"sink.png", append(asPNG.Bytes(), whereabouts...)},
		{"floor.webp", append(asWebP, whereabouts...)},
	} {
		if !bytes.Contains(file.content, []byte(whereabouts)) {
			s.Fatalf("%s does not say where it was taken", file.name)
		}
		path := filepath.Join(folder, file.name)
		if err := os.WriteFile(path, file.content, 0o600); err != nil {
			s.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// checkPhotos opens the photos of the ticket by the links that the API gives: upright JPEG, and nothing else that
// was in the files.
func (s *tenantStory) checkPhotos() {
	s.Helper()
	photos := s.ticket["photos"].([]any)
	sizes := []image.Point{{X: 320, Y: 480}, {X: 480, Y: 320}, {X: 48, Y: 32}}
	if len(photos) != len(sizes) {
		s.Fatalf("%d photos", len(photos))
	}
	for i, p := range photos {
		path := strings.TrimPrefix(p.(map[string]any)["url"].(string), s.vars["PORTAL_URL"])
		answer, body := s.fetches(path)
		for name, want := range map[string]string{
			"Content-Type":            "image/jpeg",
			"X-Content-Type-Options":  "nosniff",
			"Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
		} {
			if got := answer.Header.Get(name); got != want {
				s.Errorf("photo %d: %s is %q, want %q", i, name, got, want)
			}
		}
		picture, err := jpeg.DecodeConfig(bytes.NewReader(body))
		if err != nil || (image.Point{X: picture.Width, Y: picture.Height}) != sizes[i] {
			s.Errorf("photo %d is %d by %d, want %v: %v", i, picture.Width, picture.Height, sizes[i], err)
		}
		for _, word := range []string{"GPS", "43.07", "Exif"} {
			if bytes.Contains(body, []byte(word)) {
				s.Errorf("photo %d still has %q", i, word)
			}
		}
	}
}
