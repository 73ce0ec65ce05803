#!/bin/sh
# Reads all consoles, keeps a document for each day, and writes the page for the wall. For cron, in the
# folder of the project and with the variables of the consoles in its environment:
#
#   23 5 * * 1-5  cd /srv/consoles && ./status.sh || mail -s "Consoles need a person" duty@example.com < status.md
mkdir -p trend
npx cdktf-console status --json --markdown status.md --html wall.html --trend trend > status.json
code=$?
if [ -s status.json ]; then mv status.json "trend/$(date -u +%Y-%m-%d).json"; fi
exit "$code"
