#!/usr/bin/env bash
# Louisiana Baccarat: what a perfect counter wins: the figures of notes.md, in a folder for the sweeps. ./run.sh FOLDER
set -euo pipefail
mkdir -p "${1:?a folder for the sweeps}" && cd "$1"
counting sweep louisiana --shoes 1000000 --bets seven-seven-45 seven-seven-40 tie-9 --no-rows --out a-sweep
counting sweep louisiana --shoes 1000000 --bets seven-seven-45 seven-seven-40 tie-9 --no-rows --after-cut 0,0 --out b-sweep
counting sweep louisiana --shoes 1000000 --bets seven-seven-45 seven-seven-40 tie-9 --no-rows --cut 104 --out c-sweep
