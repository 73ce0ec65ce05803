# Refuses what the review refuses, by the verdict in its JSON: only "passed" passes. It is for pipelines
# that have conftest already: "plan --fail-on weaker" does the same without another program. The contract
# and its waivers count, because the review has judged by them.
#
#   cdktf-console plan production --review-json review.json
#   conftest test review.json --policy policy
package main

import rego.v1

deny contains message if {
	is_review
	input.verdict != "passed"
	message := sprintf("the verdict is %q", [input.verdict])
}

deny contains message if {
	is_review
	some requirement in input.requirements
	requirement.result != "met"
	message := sprintf("%s: %q is not met (%s)", [requirement.place, requirement.name, requirement.result])
}

deny contains message if {
	is_review
	input.verdict != "passed"
	some stack in input.stacks
	some protection in stack.protection
	is_open(protection)
	message := sprintf("%s: %s gets weaker", [stack.name, protection.addresses[0]])
}

deny contains message if {
	some stack in input.stacks
	message := sprintf("%s: %s", [stack.name, stack.error])
}

# A plan, a list of plans, and a review of a run that failed have no verdict of a review.
deny contains message if {
	not is_review
	message := "this is not the JSON of a review: create it with \"cdktf-console plan --review-json review.json\", or from the plan of another program with \"cdktf-console review plan.json --json\""
}

# A region that no waiver allows, or an entry that covers less.
is_open(protection) if {
	some region in protection.regions
	region.change == "weaker"
	not region.waived_by
}

is_open(protection) if {
	some entry in protection.coverage
	entry.change == "weaker"
}

# Regions of sensitive policies are not shown.
is_open(protection) if {
	protection.sensitive
	protection.weaker > 0
}

is_review if {
	is_string(input.verdict)
	is_array(input.stacks)
	not input.errors
}
