# Refuses plans that weaken protection, by the review's JSON. It is for pipelines that have conftest
# already: "plan --fail-on weaker" does the same without another program.
#
#   cdktf-console plan production --review-json review.json
#   conftest test review.json --policy policy
package main

import rego.v1

deny contains message if {
	some stack in input.stacks
	some protection in stack.protection
	protection.weaker > 0
	message := sprintf("%s: %s gets weaker", [stack.name, protection.addresses[0]])
}
