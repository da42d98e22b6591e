#!/bin/sh
# Counts the shards of LIST as a Slurm array and adds them up in a job that waits for all of it.
#   slurm.sh LIST FOLDER OUTPUT.wld [OPTIONS of makebook build]
# LIST and FOLDER lie where all machines see them, with absolute paths. Prints the numbers of the
# two jobs. Asked for again after a failure, it counts only what is missing. What else the
# machines need to know goes into the variables of sbatch (SBATCH_PARTITION, SBATCH_TIMELIMIT, ...).
# $JOBS (1): threads of a shard; $MEMORY (256): its --memory, in MB.
set -eu
[ $# -ge 3 ] || { echo "usage: $0 LIST FOLDER OUTPUT.wld [OPTIONS]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
list=$1
folder=$2
output=$3
shift 3
jobs=${JOBS:-1}
memory=${MEMORY:-256}
count=$(awk 'END { print NR }' "$list")
[ "$count" -ge 1 ] || { echo "$0: $list is empty" >&2; exit 2; }
mkdir -p "$folder"

# The script that sbatch runs is a copy elsewhere: it names ours by path. Every word is quoted.
quoted()
{
    printf " '"
    printf '%s' "$1" | sed "s/'/'\\\\''/g"
    printf "'"
}
words=
for word in "$@"; do
    words="$words$(quoted "$word")"
done
# Room beside the counting: chunks, buffers, unpacking.
array=$(sbatch --parsable --job-name=count --array="1-$count" --cpus-per-task="$jobs" \
    --mem="$((memory + 128 + 16 * jobs))M" --output="$folder/%a.log" --requeue --wrap="exec\
$(quoted "$here/shard.sh")$(quoted "$list")$(quoted "$folder") \"\$SLURM_ARRAY_TASK_ID\"\
 --jobs $jobs --memory $memory$words")
array=${array%%;*}
sum=$(sbatch --parsable --job-name=sum --dependency="afterok:$array" --kill-on-invalid-dep=yes \
    --mem=256M --output="$folder/sum.log" \
    --wrap="exec$(quoted "$here/reduce.sh")$(quoted "$list")$(quoted "$folder")$(quoted "$output")")
echo "$array ${sum%%;*}"
