import {
  TerraformDataSource,
  TerraformLocal,
  TerraformModule,
  TerraformOutput,
  TerraformResource,
  type TerraformStack,
} from "cdktf";
import type { IConstruct } from "constructs";
import { isSecretVariable } from "../secret";
import { constructsOf } from "../setup-order";

/**
 * Removes all that has objects or reads them from a stack, so that the next plan destroys what is in
 * its state. Providers and the backend stay, with the secrets and local values that providers use.
 */
export function destroyContent(stack: TerraformStack): void {
  removeAll(stack, isContent);
  const { provider } = stack.toTerraform() as { readonly provider?: unknown };
  const used = JSON.stringify(provider ?? {});
  removeAll(stack, (construct) => {
    if (isSecretVariable(construct)) return !used.includes(`var.${construct.friendlyUniqueId}}`);
    return construct instanceof TerraformLocal && !used.includes(construct.friendlyUniqueId);
  });
}

function removeAll(stack: TerraformStack, isUnwanted: (construct: IConstruct) => boolean): void {
  for (const construct of constructsOf(stack).filter(isUnwanted)) {
    construct.node.scope?.node.tryRemoveChild(construct.node.id);
  }
}

function isContent(construct: IConstruct): boolean {
  return (
    TerraformResource.isTerraformResource(construct) ||
    TerraformDataSource.isTerraformDataSource(construct) ||
    TerraformOutput.isTerraformOutput(construct) ||
    construct instanceof TerraformModule
  );
}
