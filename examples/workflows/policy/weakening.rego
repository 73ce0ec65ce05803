# Refuses plans that weaken protection: settings that are destroyed, a policy, registry or scope that
# goes or is disabled, a check that goes or no longer blocks, what is for less than before. Reviews mark
# these too, and one thing more: a policy that comes behind a broader, weaker one.
#
#   cdktf-console plan production --out plan.bin
#   cdktf-console show plan.bin --json > plan.json
#   conftest test plan.json --policy policy
package main

import rego.v1

# By type: the list of what protects, and the attributes that name an entry of it.
lists := {
	"cwp_compliance_policy_set": {"list": "policies", "key": ["name"]},
	"cwp_registry_scan": {"list": "specifications", "key": ["registry", "repository", "tag"]},
	"cwp_serverless_scan": {"list": "scopes", "key": ["credential_id", "credential_ids", "provider", "region", "pattern"]},
	"cwp_serverless_auto_deploy": {"list": "specs", "key": ["name"]},
}

changes contains change if {
	some change in input.resource_changes
	change.mode == "managed"
	lists[change.type]
}

deny contains message if {
	some change in changes
	change.change.actions == ["delete"]
	change.change.before.on_destroy != "keep"
	message := sprintf("%s is destroyed", [change.address])
}

deny contains message if {
	some change in changes
	is_array(change.change.after[lists[change.type].list])
	some entry in at_work(change.type, change.change.before)
	not entry_named(change.type, change.change.after, name_of(change.type, entry))
	message := sprintf("%s: %v goes", [change.address, name_of(change.type, entry)])
}

deny contains message if {
	some change in changes
	some pair in pairs(change)
	is_off(pair.after)
	message := sprintf("%s: %v is disabled", [change.address, pair.name])
}

deny contains message if {
	some change in changes
	some pair in pairs(change)
	some check, _ in pair.before.checks
	not check in object.keys(pair.after.checks)
	message := sprintf("%s: %v no longer has check %s", [change.address, pair.name, check])
}

deny contains message if {
	some change in changes
	some pair in pairs(change)
	some check, blocks in pair.before.checks
	blocks == true
	pair.after.checks[check] == false
	message := sprintf("%s: %v no longer blocks on check %s", [change.address, pair.name, check])
}

deny contains message if {
	some change in changes
	some pair in pairs(change)
	some scope, before in pair.before.resources
	some element in before
	not is_covered(element, pair.after.resources[scope])
	message := sprintf("%s: %v is no longer for %s %q", [change.address, pair.name, scope, element])
}

deny contains message if {
	some change in changes
	some pair in pairs(change)
	is_array(pair.after.runtimes)
	some runtime in pair.before.runtimes
	not is_covered(runtime, pair.after.runtimes)
	message := sprintf("%s: %v is no longer for %q", [change.address, pair.name, runtime])
}

deny contains message if {
	some change in changes
	some pair in pairs(change)
	is_less(pair.after.cap, pair.before.cap)
	message := sprintf("%s: %v looks at %v only", [change.address, pair.name, pair.after.cap])
}

# The entries that do something.
at_work(type, object_) := [entry |
	some entry in object_[lists[type].list]
	not is_off(entry)
]

is_off(entry) if entry.disabled == true

is_off(entry) if entry.enabled == false

name_of(type, entry) := [part |
	some attribute in lists[type].key
	part := entry[attribute]
]

entry_named(type, object_, name) if {
	some entry in object_[lists[type].list]
	name_of(type, entry) == name
}

# Entries that do something before, each with what becomes of it.
pairs(change) := [{"name": name_of(change.type, before), "before": before, "after": after} |
	some before in at_work(change.type, change.change.before)
	some after in change.change.after[lists[change.type].list]
	name_of(change.type, after) == name_of(change.type, before)
]

is_covered(element, patterns) if {
	some pattern in patterns
	covers(pattern, element)
}

covers(pattern, element) if pattern == element

# "*" covers everything, "prod-*" what begins with "prod-".
covers(pattern, element) if {
	endswith(pattern, "*")
	startswith(element, trim_suffix(pattern, "*"))
}

# 0 is no limit.
is_less(after, before) if {
	after > 0
	after < before
}

is_less(after, before) if {
	after > 0
	before == 0
}
