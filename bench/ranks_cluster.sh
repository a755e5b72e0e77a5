#!/bin/bash
# A cluster of two machines made of network namespaces on this one, without privileges: each has an address of its own, and ranks reach each
# other by TCP alone, started as mpirun starts them over ssh. Runs the command given on two ranks, one on each:
#
#     bench/ranks_cluster.sh build/moreau run scene.toml --threads 1
#
# MOREAU_ADDED_LATENCY, in microseconds, makes the network slower (tc netem would, where the kernel has it).
set -euo pipefail
if [ "${1-}" != --inside ]; then
  exec unshare --map-root-user --net bash "$0" --inside "$@"
fi
shift
ip link set lo up
unshare --net sleep 86400 &
other=$!
agent=$(mktemp)
trap 'kill $other; rm -f "$agent"' EXIT
until [ "$(readlink /proc/$other/ns/net)" != "$(readlink /proc/$$/ns/net)" ]; do sleep 0.05; done
ip link add here type veth peer name there
ip link set there netns $other
ip addr add 10.77.0.1/24 dev here
ip link set here up
nsenter --target $other --net sh -c 'ip addr add 10.77.0.2/24 dev there; ip link set there up; ip link set lo up'
printf '#!/bin/sh\nshift\nexec nsenter --target %s --net sh -c "$*"\n' $other >"$agent"  # HOST COMMAND, as ssh takes them
chmod +x "$agent"
mpirun --allow-run-as-root --bind-to none --mca plm_rsh_agent "$agent" --mca btl self,tcp --mca btl_tcp_if_include 10.77.0.0/24 \
  --mca oob_tcp_if_include 10.77.0.0/24 --host 10.77.0.1:1,10.77.0.2:1 -x MOREAU_ADDED_LATENCY -n 2 "$@"
