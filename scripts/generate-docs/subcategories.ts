/** Where a type stands in the registry's navigation. */
const SUBCATEGORIES: Readonly<Record<string, readonly string[]>> = {
  Setup: ["console_bootstrap", "console_license", "console_connectivity", "console_token"],
  Policies: [
    "console_compliance_policy_set",
    "console_compliance_policies",
    "console_runtime_policies",
    "console_custom_rules",
  ],
  Registries: ["console_registry_scan", "console_registry_settings", "console_images"],
  Containers: [
    "console_container_scan",
    "console_containers",
    "console_container_labels",
    "console_compliance_stats",
  ],
  "Serverless and cloud": [
    "console_serverless_scan",
    "console_serverless_auto_deploy",
    "console_serverless_functions",
    "console_auto_deploy_status",
    "console_cloud_discovery",
  ],
  Defenders: ["console_defender_artifact"],
};

export function subcategoryOf(type: string): string {
  const found = Object.entries(SUBCATEGORIES).find(([, types]) => types.includes(type));
  if (!found) throw new Error(`${type} stands under no subcategory.`);
  return found[0];
}
