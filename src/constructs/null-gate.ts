import {
  hashMapper,
  hashMapperHcl,
  stringToHclTerraform,
  stringToTerraform,
  TerraformProvider,
  TerraformResource,
} from "cdktf";
import type { Construct } from "constructs";

/*
 * The parts of hashicorp/null that a gate needs. The package of its constructs requires cdktf, so that
 * no app on cdktn could install it.
 */

const GENERATOR = {
  providerName: "null",
  providerVersion: "3.2.4",
  providerVersionConstraint: "~> 3.0",
};

export const NULL_PROVIDER = "null";

/** A `null_resource`, which is replaced if a trigger changes. */
export class NullResource extends TerraformResource {
  constructor(
    scope: Construct,
    id: string,
    private readonly triggers: Readonly<Record<string, string>>,
  ) {
    super(scope, id, {
      terraformResourceType: "null_resource",
      terraformGeneratorMetadata: GENERATOR,
    });
  }

  protected override synthesizeAttributes() {
    return { triggers: hashMapper(stringToTerraform)(this.triggers) as unknown };
  }

  protected override synthesizeHclAttributes() {
    return {
      triggers: {
        value: hashMapperHcl(stringToHclTerraform)(this.triggers) as unknown,
        isBlock: false,
        type: "map",
        storageClassType: "stringMap",
      },
    };
  }
}

/** The provider without arguments. */
export class NullProvider extends TerraformProvider {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      terraformResourceType: NULL_PROVIDER,
      terraformGeneratorMetadata: GENERATOR,
      terraformProviderSource: NULL_PROVIDER,
    });
  }
}
