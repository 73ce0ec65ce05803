# Refuses plans that weaken protection: settings that are destroyed, policies, registries and scopes that
# are removed or disabled, checks that are removed or no longer block, scopes and limits that are narrowed.
# Reviews mark these changes too, and also a policy that moves behind a broader, weaker one.
#
# lists.rego, which is generated, has the lists to compare. Copy both files.
#
#   cdktf-console plan production --out plan.bin
#   cdktf-console show plan.bin --json > plan.json
#   conftest test plan.json --policy policy
package main

import rego.v1

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
	message := sprintf("%s: %v is removed", [change.address, name_of(change.type, entry)])
}

deny contains message if {
	some change in changes
	some pair in pairs(change)
	is_off(change.type, pair.after)
	message := sprintf("%s: %v is disabled", [change.address, pair.name])
}

deny contains message if {
	some change in changes
	some pair in pairs(change)
	some attribute, noun in lists[change.type].rules
	some rule, _ in pair.before[attribute]
	not rule in object.keys(pair.after[attribute])
	message := sprintf("%s: %v no longer has %s %s", [change.address, pair.name, noun, rule])
}

deny contains message if {
	some change in changes
	some pair in pairs(change)
	some attribute, noun in lists[change.type].rules
	some rule, blocks in pair.before[attribute]
	blocks == true
	pair.after[attribute][rule] == false
	message := sprintf("%s: %v no longer blocks on %s %s", [change.address, pair.name, noun, rule])
}

deny contains message if {
	some change in changes
	some pair in pairs(change)
	some scope, path in lists[change.type].scopes
	after := object.get(pair.after, path, null)
	is_array(after)
	some element in object.get(pair.before, path, [])
	not is_covered(element, after)
	message := sprintf("%s: %v is no longer for %s %q", [change.address, pair.name, scope, element])
}

deny contains message if {
	some change in changes
	some pair in pairs(change)
	some limit in lists[change.type].limits
	is_less(pair.after[limit], pair.before[limit])
	message := sprintf("%s: %v has %s %v only", [change.address, pair.name, limit, pair.after[limit]])
}

# The entries that are enabled.
at_work(type, object_) := [entry |
	some entry in object_[lists[type].list]
	not is_off(type, entry)
]

is_off(type, entry) if {
	some attribute in lists[type].off_switches
	entry[attribute] == true
}

is_off(type, entry) if {
	some attribute in lists[type].on_switches
	entry[attribute] == false
}

name_of(type, entry) := [part |
	some attribute in lists[type].key
	part := entry[attribute]
]

entry_named(type, object_, name) if {
	some entry in object_[lists[type].list]
	name_of(type, entry) == name
}

# Pairs of an entry that was enabled and the entry of the same name in the plan.
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

# "*" covers everything, "prod-*" covers each name that begins with "prod-".
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
