#!/bin/sh
# Writes first inputs for the fuzz targets from the examples of the repository into fuzz/corpus.
set -eu
cd "$(dirname "$0")"
# put TARGET NAME PREFIX: standard input, behind the byte that chooses the kind.
put() {
    mkdir -p "corpus/$1"
    { printf '%s' "$3"; cat; } > "corpus/$1/seed-$2"
}
n=0
grep -v '^#' ../crates/games/src/eleusis/library.txt | cut -d'|' -f5 | while read -r rule; do
    n=$((n + 1))
    printf '%s' "$rule" | put rules "$n" ''
done
n=0
for file in ../examples/eleusis/paper/*; do
    n=$((n + 1))
    put notations "paper-$n" c < "$file"
done
# The kinds of texts by their first byte: the remainder by five chooses among the games, then the paper's notations.
n=0
for text in 'dsuggest scarlett knife hall' 'dshow plum' 'daccuse scarlett rope study' 'dpass' 'dend' 'eplay 3S' \
    'eplay 3S 4S' 'eguess alternate red and black' 'erule alternate red and black' 'eno play' 'fplay 3S' 'fguess red' \
    'frule always' 'glook 3' 'gmove 3 15,14' 'gmark 4 rg' 'gactivate' 'gstop' 'gskip'; do
    n=$((n + 1))
    printf '%s' "$text" | put notations "action-$n" ''
done
n=0
for file in ../examples/yokai/record.json ../crates/arena/tests/data/*.jsonl; do
    [ -e "$file" ] || continue
    while read -r record; do
        n=$((n + 1))
        printf '%s' "$record" | put records "$n" ''
    done < "$file"
done
for file in ../examples/cluedo/*.json; do put positions "$(basename "$file")" d < "$file"; done
for file in ../examples/yokai/*.json; do put positions "$(basename "$file")" e < "$file"; done
for file in ../examples/eleusis/*.json; do put positions "$(basename "$file")" f < "$file"; done
for file in ../examples/eleusis/properties/*.json; do put positions "$(basename "$file")" g < "$file"; done
put belief_files hint d < ../examples/belief/hint.json
put belief_files revise e < ../examples/belief/revise.json
put belief_files plan f < ../examples/belief/plan.json
printf '%s' '[+ p@1 @2] I[m] (p@1 & now>=2) -> !B[h,3] q@0' | put belief_files formula g
put requests cluedo '' <<'R'
POST /api/matches {"game":"cluedo","seats":["me","exact","random"],"helper":4,"seed":"7"}
GET /api/matches
GET /api/matches/@/seats/0
GET /api/matches/@/seats/0/know?filter=env(plum)
GET /api/matches/@/seats/0/why?fact=env(plum)
POST /api/matches/@/seats/0/moves {"action":"suggest plum rope hall","revision":0}
POST /api/matches/@/branch {"at":3}
GET /api/matches/@/record
R
put requests yokai '' <<'R'
POST /api/matches {"game":"yokai","seats":["me","random"],"helper":3,"seed":"7"}
POST /api/matches/@/seats/0/moves {"action":"look 3","revision":0}
GET /api/matches/@/seats/0/advice
PUT /api/matches/@/seats/0/notes {"marks":{}}
POST /api/matches/@/seats/0/preview {"action":"look 4"}
POST /api/matches/@/seats/0/undo
GET /api/matches/@/seats/0/timeline
POST /api/matches/@/seats/0/consent {"study":true}
R
put requests workbench '' <<'R'
POST /api/logic/check {"text":"var p\nlaw p\nagent a: p\ncheck K[a] p"}
POST /api/logic/draw {"text":"var p\nlaw p\nagent a: p\ncheck K[a] p"}
POST /api/learn/1/answer {"exercise":0,"answer":"p"}
GET /api/study/report
GET /api/shared/0000
POST /api/join/0000
R
