import { onceForEach } from "../../core/alike";
import { warning, type Diagnostic } from "../../core/diagnostics";
import type { Attribute, Attributes } from "../../core/schema/attribute";
import { walkAttributes } from "../../core/schema/walk";
import { type Body, EMPTY_SCOPE, locate, type Location } from "../../language";
import { conformBody } from "../evaluation/conform";

/**
 * Warns of secrets that are literals of the configuration: everybody who can read cdk.tf.json has
 * them. Constructs refuse literals unless they are marked; other languages do not.
 *
 * @param isSecret Default: the write-only attributes.
 */
export function plainSecrets(
  body: Body,
  attributes: Attributes,
  where: Location,
  isSecret: (attribute: Attribute) => boolean = ({ writeOnly }) => writeOnly === true,
): readonly Diagnostic[] {
  const { value } = conformBody(plainPart(body), attributes, EMPTY_SCOPE, where);
  const found = walkAttributes(attributes, value).filter(
    ({ attribute, value: secret }) =>
      isSecret(attribute) && typeof secret === "string" && secret !== "",
  );
  return found.flatMap(({ path }) =>
    locate([warning("Secret in plain text", advice(String(path.at(-1))), path)], where),
  );
}

const plainPart = onceForEach((body: Body): Body => {
  const plain = [...body].filter(([, expression]) => expression.references().length === 0);
  return plain.length === body.size ? body : new Map(plain);
});

function advice(name: string): string {
  return `The value of ${name} is in cdk.tf.json, which everybody can read who has the file. Set it from a variable with "sensitive" and "ephemeral", as Secret.fromEnv does, and replace the secret if others have seen it.`;
}
