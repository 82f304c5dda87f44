package attachment

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
)

// qualities are tried from the best until a picture is small enough. Below the last one, fewer
// pixels look better than a worse quality.
var qualities = []int{85, 75, 65, 55}

const thumbnailQuality = 75

// encoded is a picture as JPEG of at most MostPhotoBytes, and the picture in the size that this took.
func encoded(ctx context.Context, img *image.YCbCr) ([]byte, *image.YCbCr, error) {
	for ; ; img = smaller(img) {
		for _, quality := range qualities {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			content, err := encode(img, quality)
			if !errors.Is(err, errTooMuch) {
				return content, img, err
			}
		}
	}
}

// smaller has four fifths of the sides.
func smaller(img *image.YCbCr) *image.YCbCr {
	size := img.Rect.Size()
	return scaled(img, max(size.X, size.Y)*4/5)
}

// thumbnail is a small JPEG of a picture.
func thumbnail(img *image.YCbCr) ([]byte, error) {
	return encode(scaled(img, ThumbnailSide), thumbnailQuality)
}

// encode writes the tables and the pixels, and nothing else: image/jpeg has no metadata.
func encode(img *image.YCbCr, quality int) ([]byte, error) {
	var b bounded
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
		return nil, err
	}
	return bytes.Clone(b.Bytes()), nil
}

var errTooMuch = errors.New("more bytes than a photo may have")

// bounded has at most MostPhotoBytes.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > MostPhotoBytes {
		return 0, errTooMuch
	}
	return b.Buffer.Write(p)
}
