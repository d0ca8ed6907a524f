# Read by the launcher when node_modules does not belong to package-lock.json: installs the packages.
. "$root/libexec/first-start.sh"

find_npm() {
  npm=npm
  command -v npm >/dev/null || npm=${node%/*}/npm
  command -v "$npm" >/dev/null || fail "the packages of $root are missing and so is npm, which installs them: put npm on PATH and start again."
  # npm is best run by the Node it came with; ours is there for an npm that came alone.
  PATH=$PATH:${node%/*}
}

# npm reads a project's manifests only, so a copy of them is project enough; one level down are workspaces.
copy_manifests() {
  mkdir "$part"
  for manifest in "$root/package.json" "$root/package-lock.json" "$root/.npmrc" "$root"/*/package.json; do
    [ -f "$manifest" ] || continue
    copy=$part${manifest#"$root"}
    mkdir -p "${copy%/*}"
    cp "$manifest" "$copy"
  done
}

# replace_by_new <directory under the project>; a rename each, with the old one gone only afterwards.
replace_by_new() {
  old=$part/old-$(printf %s "$1" | tr / -)
  if [ -e "$root/$1" ] || [ -h "$root/$1" ]; then mv "$root/$1" "$old"; fi
  mv "$part/$1" "$root/$1"
}

move_into_place() {
  for nested in "$part"/*/node_modules; do
    if [ -d "$nested" ]; then replace_by_new "${nested#"$part/"}"; fi
  done
  mkdir -p "$part/node_modules"
  printf '%s\n' "$wanted" >"$part/node_modules/.causeway-stamp"
  replace_by_new node_modules
}

install_packages() {
  find_npm
  take_lock "$root/.install.lock" 'the packages'
  if packages_are_installed; then tidy_up; return; fi
  rm -rf "$root"/.install-part-* 2>/dev/null || : # of starts that were killed
  part=$root/.install-part-$$
  copy_manifests
  say_if_slow "installing the packages of package-lock.json, once."
  run_npm "$part" ci || fail "the packages of package-lock.json are missing and npm could not install them ($(npm_reason)): start once with network (https_proxy is honoured) or with an npm cache that has them."
  move_into_place
  tidy_up
  say "installed the packages of package-lock.json, once."
}

# An image may bring its packages and be read-only; whoever built it vouches for them.
if [ -w "$root" ]; then install_packages
elif [ ! -f "$root/node_modules/.package-lock.json" ]; then
  fail "the packages of $root are missing and the directory is read-only: run npm ci there as its owner, or make it writable for $(id -un)."
fi
