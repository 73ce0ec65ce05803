import { compliancePolicySetAttributes } from "../../../src/provider/resources/compliance-policy-set";
import { bootstrapAttributes } from "../../../src/provider/resources/bootstrap";
import { licenseAttributes } from "../../../src/provider/resources/license";
import {
  computed,
  type Attribute,
  type Attributes,
  optional,
  optionalComputed,
  required,
  string,
} from "../../../src/core/schema/attribute";
import { isComputed, isConfigurable } from "../../../src/core/schema/terraform";
import { encodeType } from "../../../src/core/type-json";

const objectType = (attributes: Attributes) => encodeType({ kind: "object", attributes });

test("encodes the type of the policy set", () => {
  const strings = ["set", "string"];
  expect(objectType(compliancePolicySetAttributes)).toEqual([
    "object",
    {
      id: "string",
      ownership: "string",
      on_destroy: "string",
      in_position: "bool",
      content_sha256: "string",
      collection_scopes: [
        "list",
        [
          "object",
          {
            name: "string",
            ...{ hosts: strings, images: strings, labels: strings },
            ...{ containers: strings, namespaces: strings, account_ids: strings },
          },
        ],
      ],
      policies: [
        "list",
        [
          "object",
          {
            name: "string",
            disabled: "bool",
            verbose: "bool",
            resources: [
              "object",
              {
                hosts: strings,
                images: strings,
                labels: strings,
                containers: strings,
                namespaces: strings,
                account_ids: strings,
              },
            ],
            collections: ["list", "string"],
            checks: ["map", "bool"],
            extra_json: "string",
          },
        ],
      ],
    },
  ]);
});

test("encodes the types of bootstrap and license", () => {
  expect(objectType(bootstrapAttributes)).toEqual([
    "object",
    { id: "string", username: "string", password: "string", wait_timeout: "number" },
  ]);
  expect(objectType(licenseAttributes)).toEqual([
    "object",
    { id: "string", key: "string", key_fingerprint: "string", expires_at: "string" },
  ]);
});

test.each<[Attribute, object]>([
  [required(string(), ""), { computed: false, configurable: true }],
  [optional(string(), ""), { computed: false, configurable: true }],
  [optional(string(), "", { default: "x" }), { computed: true, configurable: true }],
  [optionalComputed(string(), ""), { computed: true, configurable: true }],
  [computed(string(), ""), { computed: true, configurable: false }],
])("derives the flags of %j", (attribute, expected) => {
  expect({ computed: isComputed(attribute), configurable: isConfigurable(attribute) }).toEqual(
    expected,
  );
});
