import { FUNCTIONS } from "./expressions";

const CONDITIONS = [
  "precondition",
  "postcondition",
  "precondition of the console's",
  "postcondition of the console's",
  "data precondition",
  "data postcondition",
  "output precondition",
  "check",
].flatMap((name) => [name, `${name} failing`, `${name} unknown at plan`]);

/** The features that a run of 200 stacks meets: a missing one is a fault of the generator. */
export const FEATURES: readonly string[] = [
  ...FUNCTIONS,
  ...CONDITIONS,
  ...["conditional", "for expression", "interpolation", "splat", "template directive"],
  ...["variable", "variable null", "variable not nullable"],
  ...["variable sensitive", "variable ephemeral"],
  ...["string", "number", "bool", "list", "set", "map", "any", "tuple", "object"].map(
    (type) => `variable of ${type}`,
  ),
  ...["validation", "validation failing", "validation unknown at plan"],
  ...["locals", "output", "output sensitive", "output sensitive without the mark"],
  ...["output unknown", "check with data"],
  ...["resource", "count", "count computed", "count unknown"],
  ...[
    "for_each of a map",
    "for_each of a set",
    "for_each unknown",
    "for_each with computed values",
  ],
  ...["trigger", "trigger sensitive", "trigger unknown", "trigger unknown sensitive"],
  ...["terraform_data", "moved to another type"],
  ...["input", "triggers_replace"].flatMap((name) => [
    ...[name, `${name} of members`, `${name} unknown`],
    ...[`${name} sensitive`, `${name} unknown sensitive`],
  ]),
  ...["triggers as a whole", "provisioner", "depends_on"],
  ...["create_before_destroy", "ignore_changes", "prevent_destroy", "replace_triggered_by"],
  ...["data", "data deferred", "data with count"],
  ...["remote state", "remote state of a workspace", "remote state repeated"],
  ...["cwp_compliance_policy_set", "cwp_registry_scan", "cwp_serverless_auto_deploy"],
  ...["cwp_serverless_scan", "cwp_license", "cwp_defender_artifact", "cwp_container_scan"],
  ...["edit add", "edit change", "edit drop", "edit nothing"],
  ...["moved", "removed", "import", "taint", "state rm", "workspace"],
  ...["drift emptied", "drift foreign", "drift functions", "drift registry", "drift reversed"],
  ...["-replace", "-target", "-refresh=false", "refresh-only", "destroy"],
];
