/** Queries of teams over Terraform's plans in jq, which work on plans of both engines. */
export const RULES = {
  version: ".format_version",
  actions: `
    [.resource_changes[].change.actions | join("+")]
    | group_by(.) | map({ key: .[0], value: length }) | from_entries`,
  applyable: "[.applyable, .complete, .errored]",
  deletesPolicySet: `
    any(.resource_changes[];
      .type == "cwp_compliance_policy_set" and (.change.actions | index("delete") != null))`,
  // Checkov leaves out a change that lacks one.
  beforeAndAfter: `
    all(.resource_changes[], .resource_drift[]?; .change | has("before") and has("after"))`,
  nullWhereAbsent: `
    all(.resource_changes[].change;
      ((.before == null) == (.actions == ["create"])) and
      ((.after == null) == (.actions == ["delete"] or .actions == ["forget"])))`,
  // An active policy is removed, is disabled, loses a check or its effect, or a part of its scope.
  weakened: `
    [ .resource_changes[]
      | select(.type == "cwp_compliance_policy_set" and .change.actions != ["forget"])
      | (.change.after.policies // []) as $after
      | .change.before.policies[]?
      | select(.disabled | not)
      | . as $was
      | first(($after[] | select(.name == $was.name)), null) as $will
      | select(
          $will == null or $will.disabled
          or any($was.checks | to_entries[];
            $will.checks[.key] == null or (.value and ($will.checks[.key] | not)))
          or any($was.resources | to_entries[];
            $will.resources[.key] as $scope
            | ($scope | index("*")) == null and (.value - $scope | length) > 0))
      | .name ]`,
  replacedBecause: `
    [ .resource_changes[]
      | select(.change.actions | length == 2)
      | { address, action_reason, paths: .change.replace_paths } ]`,
  movedFrom: "[.resource_changes[] | select(.previous_address) | [.previous_address, .address]]",
  imported: "[.resource_changes[] | select(.change.importing) | [.address, .change.importing.id]]",
  drifted: "[.resource_drift[]? | [.address, .change.actions[]]]",
  unknown: `
    [.resource_changes[] | { address, unknown: [.change.after_unknown | paths(. == true)] }]`,
  sensitive: `
    [ .resource_changes[]
      | { address, sensitive: [.change.after_sensitive | paths(. == true)] } ]`,
  outputs: ".output_changes // {} | map_values(.actions)",
  plannedPolicies: `
    [ .planned_values.root_module.resources[]?
      | select(.type == "cwp_compliance_policy_set") | .values.policies[]?.name ]`,
  references: `
    [ .configuration.root_module.resources[]
      | { address, references: [.expressions | .. | .references? // empty | .[]] } ]`,
  constants: `
    [.configuration.root_module.resources[] | .expressions | [paths | .[-1]] | index("constant_value")]
    | any(. != null)`,
  providers: `
    [.resource_changes[].provider_name] | unique`,
  stored: "[.prior_state.values.root_module.resources[]?.address]",
} as const;
