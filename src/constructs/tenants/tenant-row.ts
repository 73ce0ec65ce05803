import { z } from "zod";
import { settingsSchema, type Adapt } from "./settings-schema";

/** Letters, digits, `_`, `-` and `.`: the name is part of file names, and of patterns that select stacks. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const LABEL = /^[^\s=][^=]*$/;

/** The schema of a row. */
export function rowSchema(adapt: Adapt = (schema) => schema) {
  return z.strictObject({
    name: z
      .string()
      .max(200, "must have at most 200 characters")
      .regex(NAME, 'must consist of letters, digits, "_", "-" and "."')
      .refine(
        (name) => !Object.hasOwn(Object.prototype, name),
        "is one that constructs cannot have; choose another",
      )
      .describe(
        "Name of the tenant's stack. It is unique and never changes: the state belongs to it.",
      ),
    url: z
      .string()
      .min(1)
      .describe("Address of the tenant's console, such as https://acme.example.com:8083."),
    project: z
      .string()
      .min(1)
      .optional()
      .describe("Project of the console that is the tenant's. Default: the first one."),
    previousUrls: adapt(z.union([z.string(), z.array(z.string().min(1))]))
      .optional()
      .describe(
        "Other addresses of the same console, after it has moved: a list, or a text with blanks or commas between them.",
      ),
    consoleId: z
      .string()
      .min(1)
      .optional()
      .describe("Name of a console without a stable address, such as one behind a tunnel."),
    labels: adapt(
      z.record(
        z.string().regex(LABEL, 'must not be empty, begin with a blank or contain "="'),
        z.string(),
      ),
    )
      .optional()
      .describe("Labels of the stack, which --label selects, such as ring: canary."),
    secrets: adapt(z.record(z.string().min(1), z.string().regex(VARIABLE, VARIABLE_HINT)))
      .optional()
      .describe(
        "Names of the environment variables with the secrets of the tenant: password, token and license are those of ConsoleTenant, others are for your own code. Never the secrets themselves.",
      ),
    values: adapt(z.record(z.string(), z.unknown()))
      .optional()
      .describe("Values for the function that builds the stacks; anything."),
    policiesFile: z
      .string()
      .min(1)
      .optional()
      .describe(
        "File with all policies of the tenant, as a JSON list that replaces the base line's. Its path starts at the folder of this file.",
      ),
    settings: settingsSchema(adapt)
      .optional()
      .describe("Changes to the base line for this tenant, by the merge rules of ConsoleTenant."),
    removed: adapt(z.boolean())
      .optional()
      .describe(
        "True destroys all that the stack manages; the stack keeps its provider and its state. Default: false.",
      ),
  });
}

// The value is not shown: it may be a secret that was entered by mistake.
const VARIABLE_HINT =
  "must be the name of an environment variable: letters, digits and underscores, and no digit first";

/** A row of a file of tenants. */
export type TenantRow = z.output<ReturnType<typeof rowSchema>>;

/** The published JSON Schema describes this: all of a YAML or JSON file. */
export function fileSchema() {
  const rows = z
    .array(rowSchema().meta({ id: "tenant" }))
    .describe("The tenants, a stack each. The order does not matter.");
  return z.union([z.strictObject({ $schema: z.string().optional(), tenants: rows }), rows]);
}
