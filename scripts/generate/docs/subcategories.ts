/** Where a type stands in the registry's navigation. */
const SUBCATEGORIES: Readonly<Record<string, readonly string[]>> = {
  Setup: ["cwp_bootstrap", "cwp_license", "cwp_connectivity", "cwp_token"],
  Policies: [
    "cwp_compliance_policy_set",
    "cwp_compliance_policies",
    "cwp_runtime_policies",
    "cwp_custom_rules",
  ],
  Registries: ["cwp_registry_scan", "cwp_registry_settings", "cwp_images"],
  Containers: [
    "cwp_container_scan",
    "cwp_containers",
    "cwp_container_labels",
    "cwp_compliance_stats",
  ],
  "Serverless and cloud": [
    "cwp_serverless_scan",
    "cwp_serverless_auto_deploy",
    "cwp_serverless_functions",
    "cwp_auto_deploy_status",
    "cwp_cloud_discovery",
  ],
  Defenders: ["cwp_defender_artifact"],
};

export function subcategoryOf(type: string): string {
  const found = Object.entries(SUBCATEGORIES).find(([, types]) => types.includes(type));
  if (!found) throw new Error(`${type} stands under no subcategory.`);
  return found[0];
}
