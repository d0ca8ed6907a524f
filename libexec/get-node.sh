# Read by the launcher when it knows no Node that works: finds one of 24 or later, else fetches it.
. "$root/libexec/first-start.sh"
reasons=''

because() { reasons="${reasons:+$reasons; }$*"; }

# Asks a candidate who it is. In old JavaScript, because a candidate may be old.
examine() {
  answer=$("$1" -p 'var p = process; [p.versions.node, p.platform + "-" + p.arch, p.execPath].join(" ")' 2>/dev/null) || return 1
  version=${answer%% *}
  major=${version%%.*}
  minor=${version#*.} minor=${minor%%.*}
  answer=${answer#* }
  flavour=$major-${answer%% *}
  node=${answer#* }
  case $major.$minor in *[!0-9.]*) return 1 ;; esac
}

is_new_enough() { examine "$1" && [ "$major" -ge 24 ]; }

name_platform() {
  case $(uname -s)-$(uname -m) in
    Linux-x86_64 | Linux-amd64) platform=linux-x64 ;;
    Linux-aarch64 | Linux-arm64) platform=linux-arm64 ;;
    Darwin-x86_64) platform=darwin-x64 ;;
    Darwin-arm64) platform=darwin-arm64 ;;
    *) platform=none ;;
  esac
  home=$cache/node-24-$platform
}

# Of what is fetched every byte is known before: package, pinned, integrity and digest.
read_pin() {
  while read -r pinned_for package pinned integrity digest; do
    [ "$pinned_for" != "$platform" ] || return 0
  done <"$root/libexec/node.pins"
  return 1
}

# A lockfile makes npm refuse what does not have this integrity, whatever its registry says.
fetch_from_npm() {
  npm=npm
  command -v npm >/dev/null || { because 'npm is not on PATH'; return 1; }
  dependency="{\"$package\": \"$pinned\"}"
  echo "{\"dependencies\": $dependency}" >"$part/package.json"
  printf '{"lockfileVersion": 3, "packages": {"": {"dependencies": %s}, "node_modules/%s": {"version": "%s", "integrity": "%s"}}}\n' \
    "$dependency" "$package" "$pinned" "$integrity" >"$part/package-lock.json"
  run_npm "$part" ci || { because "npm said $(npm_reason)"; return 1; }
  mv "$part/node_modules/$package" "$part/node"
}

# curl and npm know these names in capitals too, wget does not.
if [ -n "${HTTPS_PROXY:-}" ]; then export https_proxy="${https_proxy:-$HTTPS_PROXY}"; fi
if [ -n "${NO_PROXY:-}" ]; then export no_proxy="${no_proxy:-$NO_PROXY}"; fi

download() {
  if command -v curl >/dev/null; then curl -fsSL --connect-timeout 20 -o "$2" "$1" 2>"$part/download.log"
  elif command -v wget >/dev/null; then wget -q -O "$2" "$1" 2>"$part/download.log"
  else because 'neither curl nor wget is on PATH'; return 1
  fi || { because "$1 could not be downloaded"; return 1; }
}

sha256_of() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"
  elif command -v shasum >/dev/null; then shasum -a 256 "$1"
  else openssl dgst -sha256 -r "$1"
  fi | cut -d ' ' -f 1
}

# What is in the archive beside Node (an npm, which is used where there is no other) is proven by the sum that is published with it only.
fetch_release() {
  releases=${CAUSEWAY_NODE_MIRROR:-https://nodejs.org/dist}/v$pinned
  archive=node-v$pinned-$platform.tar.gz
  download "$releases/SHASUMS256.txt" "$part/sums" || return 1
  line=$(grep -F -- "  $archive" "$part/sums") || { because "$releases has nothing for $platform"; return 1; }
  download "$releases/$archive" "$part/$archive" || return 1
  [ "$(sha256_of "$part/$archive")" = "${line%% *}" ] || { because "the checksum of $archive is wrong"; return 1; }
  tar -xzf "$part/$archive" -C "$part" || { because "$archive could not be unpacked"; return 1; }
  mv "$part/${archive%.tar.gz}" "$part/node"
}

# Before it is run for the first time.
refuse_another_node() {
  [ "$(sha256_of "$part/node/bin/node")" != "$digest" ] || return 0
  fail "the Node $pinned that was fetched is not the one that this version of Causeway knows by its SHA-256, and was not run: something on the way changes downloads, so ask the network team, or install Node 24 and put it on PATH."
}

fail_without_node() {
  fail "Node 24 or later is missing and could not be fetched ($reasons): install it and put it on PATH, name one in CAUSEWAY_NODE, or start once with network (https_proxy is honoured)."
}

fetch_node() {
  name_platform
  if is_new_enough "$home/bin/node"; then return; fi
  if ! read_pin; then because "there is none for $(uname -s) $(uname -m)"; fail_without_node; fi
  mkdir -p "$cache" 2>/dev/null || fail "Node 24 or later is missing and there is no place to keep one, because $cache cannot be made: set CAUSEWAY_CACHE to a writable directory, or CAUSEWAY_NODE to a Node."
  take_lock "$cache/node.lock" 'Node 24'
  if is_new_enough "$home/bin/node"; then tidy_up; return; fi
  rm -rf "$cache"/node-24-*.part-* 2>/dev/null || : # of starts that were killed
  part=$home.part-$$
  mkdir "$part"
  say_if_slow "fetching Node 24 for $platform into $home, once."
  fetch_from_npm || fetch_release || fail_without_node
  refuse_another_node
  is_new_enough "$part/node/bin/node" || fail "the Node 24 that was fetched does not run on this system (is its C library another one, as on Alpine?): install Node 24 with the system's package manager and start again."
  rm -rf "$home"
  mv "$part/node" "$home"
  node=$home/bin/node
  tidy_up
  say "fetched Node $version into $home, once."
}

if [ -n "${CAUSEWAY_NODE:-}" ]; then
  examine "$CAUSEWAY_NODE" || fail "CAUSEWAY_NODE is $CAUSEWAY_NODE, which does not run as Node: point it at a Node 24 program, or unset it to have one found."
  is_new_enough "$CAUSEWAY_NODE" || fail "CAUSEWAY_NODE is $CAUSEWAY_NODE, which is Node $version, and Causeway needs 24 or later: point it at one, or unset it to have one found."
elif [ -z "$offered" ]; then
  because 'there is no node on PATH'
  fetch_node
elif ! is_new_enough "$offered"; then
  because "$offered is ${version:-of no version}"
  fetch_node
fi

# Until 24.3 running TypeScript was announced as an experiment on every start.
case $major.$minor in 24.[012]) node_flags=--disable-warning=ExperimentalWarning ;; *) node_flags='' ;; esac

# Remembering spares the next start a second Node; where it cannot be written, the next start asks again.
if mkdir -p "$cache" 2>/dev/null && [ -w "$cache" ]; then
  printf '%s\n' "$offered" "$node" "$flavour" "$node_flags" "$(identity_of "$node")" >"$cache/node-choice.$$"
  mv "$cache/node-choice.$$" "$cache/node-choice"
fi
