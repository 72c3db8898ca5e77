#!/bin/sh
# Everything with curl. RSI_URL says where the server is; with a secret, each request is signed.
url=${RSI_URL:-http://127.0.0.1:7747}

observe() {
  body=$1
  if [ -z "$RSI_HMAC_SECRET" ]; then
    curl -sS -H 'content-type: application/json' -d "$body" "$url/observe"
    return
  fi
  timestamp=$(date +%s)
  signature=$(printf '%s.POST /observe.%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac "$RSI_HMAC_SECRET" | sed 's/^.* //')
  curl -sS -H 'content-type: application/json' -H "x-rsi-timestamp: $timestamp" \
    -H "x-rsi-signature: sha256=$signature" -d "$body" "$url/observe"
}

observe '{"task":"nightly_backup","success":false,"error":"disk quota exceeded"}'
observe '[{"task":"nightly_backup","success":true,"duration_s":41},{"task":"send_mail","status":"ok"}]'
