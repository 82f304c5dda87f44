#!/bin/sh
# make.sh FOLDER: makes the compressed fonts of other scripts from those in a folder: NotoSans-Regular.ttf,
# NotoSansHebrew-, NotoSansArabic-, NotoSansDevanagari- and NotoSansThai-Regular.ttf of Debian's fonts-noto-core
# 20201225-1, and NotoSansCJK-Regular.ttc of fonts-noto-cjk 1:20220127+repack1-1.
# It needs Python's fonttools and brotli.
set -eu
from=$1 to=$(dirname "$0") work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

subset() { # NAME FILE OPTIONS…
	name=$1 file=$2
	shift 2
	pyftsubset "$from/$file" --no-hinting --notdef-outline --name-IDs=0,1,2,13,14 --output-file="$work/$name" "$@"
	python3 -c 'import brotli, sys
sys.stdout.buffer.write(brotli.compress(sys.stdin.buffer.read(), quality=11, lgwin=22))' \
		<"$work/$name" >"$to/$name.br"
}

subset GreekCyrillic NotoSans-Regular.ttf --unicodes=U+0370-03FF,U+0400-052F,U+1F00-1FFF,U+02B0-02FF \
	--layout-features=ccmp,mark,mkmk,kern,locl
subset Hebrew NotoSansHebrew-Regular.ttf --unicodes=U+0590-05FF
subset Arabic NotoSansArabic-Regular.ttf --unicodes=U+0600-06FF,U+0750-077F,U+08A0-08FF,U+200C,U+200D
subset Devanagari NotoSansDevanagari-Regular.ttf \
	--unicodes=U+0900-097F,U+A8E0-A8FF,U+1CD0-1CFF,U+200C,U+200D,U+25CC
subset Thai NotoSansThai-Regular.ttf --unicodes=U+0E00-0E7F,U+25CC
# The forms of mainland China, which has the most characters of Japan and Korea too.
han=U+3400-4DBF,U+4E00-9FFF,U+F900-FAFF,U+20000-3FFFF
kana=U+3000-30FF,U+31F0-31FF
others=U+3100-312F,U+3130-318F,U+31A0-31BF,U+AC00-D7A3,U+FF01-FFEF
subset CJK NotoSansCJK-Regular.ttc --font-number=2 --layout-features= --unicodes=$han,$kana,$others
