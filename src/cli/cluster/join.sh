# From here on it is the same for every cluster. It installs no program, writes only what it says, and can be run again:
# what is right already stays as it is. Arguments are given to kubeadm join.

say() { printf 'join: %s\n' "$*"; }
refuse() {
  printf 'join: %s\n  fix: %s\n' "$1" "$2" >&2
  exit 1
}
need() { command -v "$1" >/dev/null 2>&1 || refuse "there is no $1 on this machine" "$2"; }

# put MODE FILE UNITS TEXT: writes a file, unless it has that text already; its units are started again later.
changed=''
put() {
  [ -d "${2%/*}" ] || install -d -m 0755 "${2%/*}"
  new=$(mktemp "$2.XXXXXX")
  printf '%s' "$4" >"$new"
  chmod "$1" "$new"
  if cmp -s "$new" "$2"; then
    rm -f "$new"
    return 0
  fi
  mv "$new" "$2"
  changed="$changed $3"
  say "wrote $2"
}

[ "$(uname -s)" = Linux ] || refuse "this is $(uname -s), and nodes are Linux here" 'run it on the machine that is to join'
[ "$(id -u)" = 0 ] || refuse 'only root can make this machine a node' 'run it with sudo'
need systemctl 'use a distribution with systemd, or see "causeway cluster join --output json" for what is to be set up'
need curl 'install curl'
for program in useradd setpriv; do
  [ -z "$tunnel_gateway" ] || need "$program" 'install passwd (shadow-utils) and util-linux, which every distribution has'
done
for program in kubeadm kubelet; do
  need "$program" "install kubeadm and kubelet $version, from pkgs.k8s.io or your mirror of it"
done

minor_of() { printf '%s' "$1" | sed 's/^[^0-9]*[0-9]*\.\([0-9]*\).*$/\1/'; }
kubelet_version=$(kubelet --version)
[ "$(minor_of "$kubelet_version")" -le "$(minor_of "$version")" ] ||
  refuse "the kubelet here is ${kubelet_version#Kubernetes }, newer than the control plane (v$version)" \
    "install kubelet and kubeadm $version, or upgrade the cluster first"

if [ -n "$tunnel_gateway" ]; then
  causeway=${CAUSEWAY:-$(command -v causeway || echo /opt/causeway/causeway)}
  [ -x "$causeway" ] || refuse 'there is no causeway on this machine, and pods reach the API server through its node agent' \
    'copy causeway, libexec, package.json and src of a checkout to /opt/causeway, or name the program: CAUSEWAY=/path/to/causeway'
  case $causeway in /*) ;; *) causeway=$PWD/$causeway ;; esac
  case $(readlink -f "$causeway") in
    /home/* | /root/* | /run/user/*)
      refuse "the node agent runs without rights, and cannot read $causeway in somebody's home" 'move it to /opt/causeway'
      ;;
  esac
fi

# Where it is a node already, it must be one of this cluster.
joined=''
if [ -e /etc/kubernetes/kubelet.conf ]; then
  printf '%s\n' "$ca" | cmp -s - /etc/kubernetes/pki/ca.crt ||
    refuse 'this machine is a node of another cluster' 'run "kubeadm reset" first, if it is to leave that one'
  joined=yes
fi

# Whoever runs without rights reads what is no secret.
install -d -m 0755 /etc/causeway /etc/systemd/system
umask 077
set_proxy
write_proxy

# The way to the control plane, before anything is changed that kubeadm would have to take back.
printf '%s\n' "$names" | while read -r name addresses; do
  [ -z "$name" ] || getent hosts "$name" >/dev/null ||
    refuse "$name cannot be looked up here" "have it in DNS, or in /etc/hosts: ${addresses:-ADDRESS} $name"
done
put 0644 "$ca_file" '' "$ca
"
said=$(curl --silent --show-error --max-time 15 --cacert "$ca_file" --output /dev/null \
  "https://$api_server/version" 2>&1) ||
  refuse "the API server cannot be reached at https://$api_server ($said)" "have this opened, as the plan says:
$flows"
say "reached https://$api_server"

# The agent as its unit runs it: with no rights, and with the programs that units find.
as_agent() {
  PATH=$unit_path CAUSEWAY_CACHE=$cache \
    setpriv --reuid="$token_account" --regid="$token_account" --clear-groups --no-new-privs "$@"
}

# Node is fetched where there is none, by root: who carries bytes cannot change the programs that root runs.
prepare_program() {
  umask 022
  install -d -m 0755 "$cache" &&
    PATH=$unit_path CAUSEWAY_CACHE=$cache "$causeway" agent --help >/dev/null &&
    chmod -R a+rX,go-w "$cache" &&
    as_agent "$causeway" agent --help >/dev/null
}

# By its owner: root opens nothing in a directory that somebody else can change.
write_token() {
  install -d -m 0750 -o "$token_account" -g "$token_account" "${token_file%/*}"
  # shellcheck disable=SC2016 # its own variables
  printf '%s\n' "$tunnel_token" |
    as_agent sh -c 'umask 027; cat >"$1.new" && mv "$1.new" "$1"' sh "$token_file"
  say "wrote $token_file"
}

if [ -n "$tunnel_gateway" ]; then
  getent passwd "$token_account" >/dev/null || {
    useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$token_account"
    say "made the system account $token_account"
  }
  said=$(prepare_program 2>&1) || refuse "the node agent does not start: $said" \
    "install Node 24, where services find it, as /usr/bin/node, and let everybody read ${causeway%/*}"
  write_gateway_ca
  # A node that has joined renews its token by itself.
  [ -z "$tunnel_token" ] || { [ -n "$joined" ] && [ -s "$token_file" ]; } || write_token
  renew=''
  said=$(check_agent 2>&1) || {
    # Its token may be one that is refused by now; that of this script is new, and ends soon.
    renew=$joined
    [ -z "$tunnel_token" ] || write_token
    said=$(check_agent 2>&1)
  } ||
    refuse "the node agent does not get through to the gateway
$said" 'the hop that failed says what would mend it'
  say "the node agent reached $tunnel_gateway"
  if [ "$(readlink "$program_link" || :)" != "$causeway" ]; then
    ln -sfn "$causeway" "$program_link"
    changed="$changed causeway-agent"
    say "wrote $program_link"
  fi
  write_agent
  rm -f "$former_token_file"
fi

systemctl daemon-reload
restart() {
  systemctl restart "$1"
  say "started $1 with what was written"
}
# shellcheck disable=SC2086 # one word for each unit
for unit in $(printf '%s\n' $changed | sort -u); do
  case $unit in
    # Started by kubeadm, once it knows what it is to be.
    kubelet) [ -z "$joined" ] || restart kubelet ;;
    containerd) ! systemctl is-active --quiet containerd || restart containerd ;;
    *)
      systemctl enable "$unit"
      restart "$unit"
      ;;
  esac
done

# Only its unit has the certificate of the node.
[ -z "${renew:-}" ] || systemctl start "$token_unit.service" ||
  say "the token of the agent is not renewed yet; its timer tries again"

if [ -n "$joined" ]; then
  say "this machine is a node of $cluster already"
  exit 0
fi
trap 'rm -f /etc/causeway/bootstrap.kubeconfig' EXIT
put 0600 /etc/causeway/bootstrap.kubeconfig '' "$bootstrap"
say "kubeadm join $*"
kubeadm join --discovery-file /etc/causeway/bootstrap.kubeconfig "$@"
say "this machine has joined $cluster; \"kubectl get nodes\" shows it, Ready once its pod network is there"
