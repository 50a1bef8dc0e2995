#!/usr/bin/env bash
# Risk of ruin and chance to be ahead, against played shoes: the figures of notes.md, in a folder for the sweeps. ./run.sh FOLDER
set -euo pipefail
mkdir -p "${1:?a folder for the sweeps}" && cd "$1"
counting sweep ez-baccarat --bets dragon-7 --dealing jacobson --shoes 200000 --seed 5 --system dragon-7 --out ruin-sweep
counting score ruin-sweep --bankroll 20000 --stake 100 --horizon 8000 --check
counting score ruin-sweep --bankroll 20000 --kelly 1 --horizon 8000 --check
counting score ruin-sweep --bankroll 20000 --stake 100 --horizon 2000 --check
counting score ruin-sweep --bankroll 20000 --kelly 0.5 --horizon 8000 --check
