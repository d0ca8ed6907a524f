# From here on it is the same for every cluster. It installs no program, writes only what it says, and can be run again:
# what is right already stays as it is. Arguments are given to kubeadm join.

say() { printf 'join: %s\n' "$*"; }
refuse() {
  printf 'join: %s\n  fix: %s\n' "$1" "$2" >&2
  exit 1
}
need() { command -v "$1" >/dev/null 2>&1 || refuse "there is no $1 on this machine" "$2"; }

# Writes standard input to a file, unless it has that text already; what depends on it is started again later.
changed=''
put() {
  new=$(mktemp "$2.XXXXXX")
  cat >"$new"
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
    'copy the checkout of causeway to /opt/causeway, or name the program: CAUSEWAY=/path/to/causeway'
  export CAUSEWAY_CACHE=/var/cache/causeway
fi

# Where it is a node already, it must be one of this cluster.
joined=''
if [ -e /etc/kubernetes/kubelet.conf ]; then
  printf '%s\n' "$ca" | cmp -s - /etc/kubernetes/pki/ca.crt ||
    refuse 'this machine is a node of another cluster' 'run "kubeadm reset" first, if it is to leave that one'
  joined=yes
fi

umask 077
mkdir -p /etc/causeway /etc/systemd/system
if [ -n "$proxy_url" ]; then
  export HTTPS_PROXY="$proxy_url" HTTP_PROXY="$proxy_url" NO_PROXY="$no_proxy"
  printf "HTTPS_PROXY='%s'\nHTTP_PROXY='%s'\nNO_PROXY='%s'\n" "$proxy_url" "$proxy_url" "$no_proxy" |
    put 0600 /etc/causeway/proxy.env 'kubelet containerd'
  for unit in kubelet containerd; do
    install -d -m 0755 "/etc/systemd/system/$unit.service.d"
    printf '[Service]\nEnvironmentFile=/etc/causeway/proxy.env\n' |
      put 0644 "/etc/systemd/system/$unit.service.d/20-causeway-proxy.conf" "$unit"
  done
fi

# The way to the control plane, before anything is changed that kubeadm would have to take back.
printf '%s\n' "$names" | while read -r name addresses; do
  [ -z "$name" ] || getent hosts "$name" >/dev/null ||
    refuse "$name cannot be looked up here" "have it in DNS, or in /etc/hosts: ${addresses:-ADDRESS} $name"
done
printf '%s\n' "$ca" | put 0644 /etc/causeway/cluster-ca.crt ''
said=$(curl --silent --show-error --max-time 15 --cacert /etc/causeway/cluster-ca.crt --output /dev/null \
  "https://$api_server/version" 2>&1) ||
  refuse "the API server cannot be reached at https://$api_server ($said)" "have this opened, as the plan says:
$flows"
say "reached https://$api_server"

if [ -n "$tunnel_gateway" ]; then
  [ -z "$tunnel_ca" ] || printf '%s\n' "$tunnel_ca" | put 0644 /etc/causeway/gateway-ca.crt causeway-agent
  # A node that has joined renews its token by itself.
  [ -n "$joined" ] && [ -s /etc/causeway/token ] || printf '%s\n' "$tunnel_token" | put 0600 /etc/causeway/token ''
  agent="--gateway $tunnel_gateway --cluster $cluster --authority $tunnel_authority --listen $tunnel_listen"
  if [ -n "$tunnel_name" ]; then agent="$agent --name $tunnel_name --ca /etc/causeway/gateway-ca.crt"; else agent="$agent --plaintext"; fi
  [ -z "$tunnel_token" ] || agent="$agent --token-file /etc/causeway/token"
  [ -z "$tunnel_proxy" ] || export CAUSEWAY_PROXY="$proxy_url"
  # shellcheck disable=SC2086 # words of our own
  said=$("$causeway" agent $agent --check 2>&1) ||
    refuse "the node agent does not get through to the gateway
$said" 'the hop that failed says what would mend it'
  say "the node agent reached $tunnel_gateway"

  put 0644 /etc/systemd/system/causeway-agent.service causeway-agent <<EOF
[Unit]
Description=Causeway node agent of cluster $cluster
Wants=network-online.target
After=network-online.target
Before=kubelet.service

[Service]
ExecStart=$causeway agent $agent
Environment=CAUSEWAY_CACHE=/var/cache/causeway
EnvironmentFile=-/etc/causeway/agent.env
CacheDirectory=causeway
CapabilityBoundingSet=CAP_NET_ADMIN
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
Restart=always
RestartSec=1
TimeoutStopSec=30
LimitNOFILE=65536

[Install]
WantedBy=multi-user.target
EOF
  [ -z "$tunnel_proxy" ] ||
    printf "CAUSEWAY_PROXY='%s'\n" "$proxy_url" | put 0600 /etc/causeway/agent.env causeway-agent
  put 0755 /etc/causeway/renew-token.sh '' <<EOF
#!/bin/sh
# Fetches the token of the node agent again, with the certificate of this node.
set -eu
umask 077
certificate=/var/lib/kubelet/pki/kubelet-client-current.pem
[ -e "\$certificate" ] || exit 0
answer=\$(curl --silent --show-error --fail --max-time 30 --cert "\$certificate" --cacert /etc/causeway/cluster-ca.crt \\
  'https://$api_server/api/v1/namespaces/kube-system/secrets/causeway-node-agent?pretty=true')
token=\$(printf '%s\n' "\$answer" | sed -n 's/^ *"token": "\([^"]*\)".*/\1/p' | base64 -d)
[ -n "\$token" ]
printf '%s\n' "\$token" >/etc/causeway/token.new
mv /etc/causeway/token.new /etc/causeway/token
EOF
  put 0644 /etc/systemd/system/causeway-agent-token.service '' <<EOF
[Unit]
Description=Renews the token of the Causeway node agent

[Service]
Type=oneshot
EnvironmentFile=-/etc/causeway/proxy.env
ExecStart=/bin/sh /etc/causeway/renew-token.sh
EOF
  put 0644 /etc/systemd/system/causeway-agent-token.timer causeway-agent-token.timer <<EOF
[Timer]
OnActiveSec=5min
OnUnitActiveSec=6h
RandomizedDelaySec=10min

[Install]
WantedBy=timers.target
EOF
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

if [ -n "$joined" ]; then
  say "this machine is a node of $cluster already"
  exit 0
fi
trap 'rm -f /etc/causeway/bootstrap.kubeconfig' EXIT
printf '%s' "$bootstrap" | put 0600 /etc/causeway/bootstrap.kubeconfig ''
say "kubeadm join $*"
kubeadm join --discovery-file /etc/causeway/bootstrap.kubeconfig "$@"
say "this machine has joined $cluster; \"kubectl get nodes\" shows it, Ready once its pod network is there"
