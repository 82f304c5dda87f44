#!/bin/sh
# Verifies one delivery with openssl, for a server that calls a script: its headers are
# the arguments, its body is standard input. It prints the status to answer with.
#   WEBHOOK_SECRET=whsec_… sh receiver.sh "$x_service_signature" "$webhook_id" < body
set -eu
: "${WEBHOOK_SECRET:?is not set}"
tolerance=300        # seconds
seen=${SEEN:-./seen} # a folder; in production a table with webhook_id as its key

refuse() {
	echo 400
	exit 1
}

# hmac is that of standard input. While it runs, the key is in the list of processes.
hmac() { openssl dgst -sha256 -hmac "$1" -r | cut -c1-64; }

# same compares in constant time: what it compares is random to anyone who measures.
same() {
	blind=$(openssl rand -hex 32)
	[ "$(printf %s "$1" | hmac "$blind")" = "$(printf %s "$2" | hmac "$blind")" ]
}

signature=${1-} id=${2-}
t=${signature%%,*} v1=${signature#*,v1=}
t=${t#t=}
case $t in '' | 0* | *[!0-9]* | ?????????????*) refuse ;; esac
[ "$signature" = "t=$t,v1=$v1" ] || refuse
age=$(($(date +%s) - t))
[ "${age#-}" -le "$tolerance" ] || refuse
want=$({ printf '%s.' "$t"; cat; } | hmac "$WEBHOOK_SECRET") # the raw bytes
same "$v1" "$want" || refuse

case $id in '' | *[!0-9A-Za-z_-]*) refuse ;; esac
mkdir -p "$seen"
if mkdir "$seen/$id" 2>/dev/null; then # the id is the same in every repeat
	echo "handled $id" >&2 # put the work into a queue here
fi
echo 200
