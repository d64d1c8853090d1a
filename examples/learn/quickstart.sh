#!/bin/sh
# Distil BERTScore over MiniLM into a 2x128 student, export it, and score with it. Takes a few minutes on two cores.
#   MINILM=/models/minilm-l6 TINY=/models/bert-tiny sh quickstart.sh corpus_en.tsv.gz 2 work
set -e
corpus=${1:?a corpus: one text per line, or a table}
column=${2:-text}
work=${3:-quickstart}
mkdir -p "$work"

farthing learn pairs --corpus "$corpus" --column "$column" --mix perturbation --size 12000 -o "$work/pairs.parquet"
farthing learn annotate "$work/pairs.parquet" --teacher "bertscore(model=$MINILM, layer=4)" -o "$work/scored.parquet"
farthing learn distil "$work/scored.parquet" --student "$TINY" --rate 5e-4 --standardise --epochs 3 --checks 5 --threads 1 -o "$work/student"
farthing learn export "$work/student" --precision int8 --pairs "$work/scored.parquet" -o "$work/exported"

printf 'A dog runs on the beach.\nA dog is running along the sand.\nThe senate passed a law.\n' > "$work/hyp.txt"
printf 'A dog runs on the beach.\nA dog runs on the beach.\nA dog runs on the beach.\n' > "$work/ref.txt"
farthing score "$work/hyp.txt" -r "$work/ref.txt" -m "frugalscore(model=$work/exported)" -o "$work/scores.csv"
cat "$work/scores.csv"
