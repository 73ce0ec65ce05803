#!/bin/sh
# Applies the synthesized tenants of this folder in parts, with one process for each part:
#
#   sh shards.sh 4
#
# Needs the variables of the database (PGHOST, PGUSER, PGPASSWORD, PGDATABASE, PGSSLMODE) and the secrets
# of the tenants. Each part writes shard-N.log and run-N.jsonl. A run continues an earlier one.
count=${1:-4}
pids=
for shard in $(seq "$count"); do
  log=run-$shard.jsonl
  resume=
  [ -s "$log" ] && resume="--resume $log"
  npx cdktf-console apply --out-dir cdktf.out --shard "$shard/$count" --auto-approve \
    $resume --run-log "$log" > "shard-$shard.log" 2>&1 &
  pids="$pids $!"
done
code=0
for pid in $pids; do
  wait "$pid" || code=1
done
tail -n 3 shard-*.log
exit $code
