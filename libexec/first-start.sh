# Read by get-node.sh and get-packages.sh: talking, tidying up, npm, and one starter at a time.
#
# The lock is a directory whose one entry is named after its owner. A starter that was killed leaves it
# behind; the next one sees that the owner is gone and takes over. Whatever is made is made beside its
# place and renamed, so that even a program that outlives its killed starter disturbs nobody.
unset CDPATH
lock='' part='' announcer=''

say() { printf 'causeway: %s\n' "$*" >&2; }

# Announces work only once it takes noticeable time: what fails at once then says one sentence, not two.
say_if_slow() {
  {
    sleep 3 </dev/null >/dev/null 2>&1
    say "$1"
  } &
  announcer=$!
}

# By the signal that cannot be lost between fork and trap; waiting hides what some shells say about the dead.
quiet_again() {
  if [ -n "$announcer" ]; then { kill -9 "$announcer" && wait "$announcer"; } 2>/dev/null || :; fi
  announcer=''
}

tidy_up() {
  quiet_again
  [ -z "$part" ] || rm -rf "$part" || :
  [ -z "$lock" ] || rm -rf "$lock" || :
  lock='' part=''
}
trap tidy_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

older_than_minutes() { [ -n "$(find "$1" -prune -mmin "+$2" 2>/dev/null)" ]; }

# The owner of a lock as "pid@host", or nothing while the lock is being made.
owner_of() { ls "$1" 2>/dev/null || :; }

# Being asked about our own number means that somebody had it before us: in containers numbers start low.
process_is_gone() {
  [ "$1" = "$$" ] && return 0
  if [ -d /proc/self ]; then [ ! -d "/proc/$1" ]; else ! ps -p "$1" >/dev/null 2>&1; fi
}

# A pid means nothing on another machine or after a long time, so age decides there.
lock_is_stale() {
  older_than_minutes "$1" 15 && return 0
  owner=$(owner_of "$1")
  if [ -z "$owner" ]; then older_than_minutes "$1" 1
  else [ "${owner#*@}" = "$this_host" ] && process_is_gone "${owner%%@*}"
  fi
}

# Only one waiter may judge: of two, the slower would remove the lock that the faster has just taken.
remove_stale_lock() {
  lock_is_stale "$1" || return 1
  if older_than_minutes "$1.judge" 1; then rmdir "$1.judge" 2>/dev/null || :; fi
  mkdir "$1.judge" 2>/dev/null || return 1
  if lock_is_stale "$1"; then rm -rf "$1"; fi
  rmdir "$1.judge" 2>/dev/null || :
}

# take_lock <directory> <what we may have to wait for>
take_lock() {
  this_host=$(uname -n)
  told=''
  until mkdir "$1" 2>/dev/null; do
    [ -w "${1%/*}" ] || fail "cannot write in ${1%/*}, which $2 needs: make it writable for $(id -un), or start once as its owner."
    remove_stale_lock "$1" && continue
    [ -n "$told" ] || say "another start is getting $2, waiting for it (process $(owner_of "$1"), lock $1)."
    told=yes
    sleep 0.2 2>/dev/null || sleep 1
  done
  lock=$1
  : >"$lock/$$@$this_host"
}

# run_npm <directory> <arguments…>: nothing asked, nothing shown; its complaints are kept for npm_reason.
# Without network it should give up in seconds, hence few and short retries.
run_npm() (
  exec </dev/null >"$part/npm.log" 2>&1
  cd "$1"
  shift
  "$npm" "$@" --loglevel=error --no-global --ignore-scripts --no-audit --no-fund --no-update-notifier \
    --engine-strict=false --include=dev --include=optional --prefer-offline \
    --fetch-retries=1 --fetch-retry-mintimeout=500 --fetch-retry-maxtimeout=2000
)

# The code and the first sentence of what npm complained about, or the one line of a system without Node for npm.
npm_reason() {
  reason=$(sed -n 's/^npm [eE][rR][rR][a-zA-Z!]* *//p' "$part/npm.log" |
    sed -e 's/^code //' -e '/^syscall /d' -e '/^errno /d' -e '/^ *$/d' | sed 2q | tr '\n' ' ' | sed 's/[. ]*$//')
  [ -n "$reason" ] || reason=$(sed 1q "$part/npm.log")
  printf %s "$reason"
}
