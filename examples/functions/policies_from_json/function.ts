import { join } from "node:path";
import { TerraformAsset, Token } from "cdktf";
import { CompliancePolicySet } from "cdktf-console";
import { stack } from "../../stack";

// The exported policies of another console become the policies of this one.
const exported = new TerraformAsset(stack, "export", { path: join(__dirname, "policies.json") });
const file = `file("\${path.module}/${exported.path}")`;
new CompliancePolicySet(stack, "policies", {
  policies: Token.asAny(`\${provider::cwp::policies_from_json(${file})}`),
});
