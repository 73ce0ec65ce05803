# Refuses plans that weaken protection: a policy that goes or is disabled, a check that goes or no longer
# blocks, a scope that is narrowed, a policy set that is destroyed.
#
#   cdktf-console plan production --out plan.bin
#   cdktf-console show plan.bin --json > plan.json
#   conftest test plan.json --policy policy
package main

import rego.v1

policy_sets contains change if {
	some change in input.resource_changes
	change.mode == "managed"
	change.type == "console_compliance_policy_set"
}

deny contains message if {
	some change in policy_sets
	change.change.actions == ["delete"]
	message := sprintf("%s is destroyed", [change.address])
}

deny contains message if {
	some change in policy_sets
	some policy in at_work(change.change.before)
	not named(change.change.after, policy.name)
	is_object(change.change.after)
	message := sprintf("%s: policy %q goes", [change.address, policy.name])
}

deny contains message if {
	some change in policy_sets
	some pair in pairs(change)
	pair.after.disabled == true
	message := sprintf("%s: policy %q is disabled", [change.address, pair.before.name])
}

deny contains message if {
	some change in policy_sets
	some pair in pairs(change)
	some check, _ in pair.before.checks
	not check in object.keys(pair.after.checks)
	message := sprintf("%s: policy %q no longer has check %s", [change.address, pair.before.name, check])
}

deny contains message if {
	some change in policy_sets
	some pair in pairs(change)
	some check, blocks in pair.before.checks
	blocks == true
	pair.after.checks[check] == false
	message := sprintf("%s: policy %q no longer blocks on check %s", [change.address, pair.before.name, check])
}

deny contains message if {
	some change in policy_sets
	some pair in pairs(change)
	some scope, before in pair.before.resources
	after := pair.after.resources[scope]
	not "*" in after
	some element in before
	not element in after
	message := sprintf("%s: policy %q is no longer for %s %q", [change.address, pair.before.name, scope, element])
}

# The policies that do something.
at_work(object_) := [policy |
	some policy in object_.policies
	policy.disabled != true
]

named(object_, name) if {
	some policy in object_.policies
	policy.name == name
}

# Policies that are at work before, each with what becomes of it.
pairs(change) := [{"before": before, "after": after} |
	some before in at_work(change.change.before)
	some after in change.change.after.policies
	after.name == before.name
]
