import "../support/over-terraform-1.15";
import { describeWithTerraform115 } from "../../terraform-1.15/install";
import { agreeOnStacks } from "./agree";

/** A quarter of the stacks that CI runs over Terraform 1.11; `npm run test:terraform-1.15` runs more. */
describeWithTerraform115("the executor and Terraform 1.15 treat random stacks alike", () => {
  agreeOnStacks({ count: 3, seed: 3, first: 0 });
});
