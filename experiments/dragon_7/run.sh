#!/usr/bin/env bash
# The published Dragon 7 count, reproduced: the figures of notes.md, in a folder for the sweeps. ./run.sh FOLDER
set -euo pipefail
mkdir -p "${1:?a folder for the sweeps}" && cd "$1"
counting sweep ez-baccarat --bets dragon-7 panda-8 --dealing jacobson --shoes 2000000 --seed 1 --system dragon-7 panda-8 --no-rows --out published-sweep
counting summary published-sweep --by systems
counting sweep ez-baccarat --cut 13 --after-cut 0,0 --bets dragon-7 --shoes 400000 --seed 2 --system dragon-7-unbalanced --out running-sweep
counting summary running-sweep --cut 13 26 39 --by systems
