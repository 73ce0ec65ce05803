# Refuses plans that weaken protection, or may weaken it, by the review's JSON. It is for pipelines that
# have conftest already: "plan --fail-on weaker" does the same without another program.
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

deny contains message if {
	some stack in input.stacks
	message := sprintf("%s: %s", [stack.name, stack.error])
}

# A plan, a list of plans, and a review of a run that failed say nothing about protection.
deny contains message if {
	not is_review
	message := "this is not the JSON of a review: create it with \"cdktf-console plan --review-json review.json\", or from the plan of another program with \"cdktf-console review plan.json --json\""
}

is_review if {
	is_array(input.stacks)
	not input.errors
	every stack in input.stacks {
		is_array(object.get(stack, "protection", null))
		every protection in stack.protection {
			is_number(object.get(protection, "weaker", null))
		}
	}
}
