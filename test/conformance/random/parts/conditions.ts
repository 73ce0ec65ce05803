import type { Draft, Operand } from "../draft";
import type { Draw } from "../draw";
import { expression } from "../expressions";
import type { Part } from "./part";

const MESSAGES = ["This is not allowed.", "Not in ${terraform.workspace}.", "é: $${x}"];

/** A condition that holds, and rarely one that fails, known at plan or later. */
export function condition(
  draft: Draft,
  draw: Draw,
  feature: string,
  scope: readonly Operand[] = [],
): object[] {
  const one = expression(draft, draw, "any", { sensitive: false, depth: 1, scope });
  const fails = draw.chance(0.08);
  draft.features.add(`${feature}${fails ? " failing" : ""}`);
  if (!one.known) draft.features.add(`${feature} unknown at plan`);
  // A condition must refer to something.
  const text = `jsonencode([${one.text}, terraform.workspace])`;
  return [
    {
      condition: fails ? `\${${text} == "never"}` : `\${${text} != "never"}`,
      error_message: draw.of(MESSAGES),
    },
  ];
}

/** A check block with assertions, which may fail without an error, and a data source. */
export const check: Part = (draft, name, draw) => {
  const hasData = draw.chance(0.3);
  const fails = draw.chance(0.3);
  const value = expression(draft, draw, "any", { sensitive: false, depth: 1 });
  if (hasData) draft.features.add("check with data");
  if (fails) draft.features.add("check failing");
  if (!value.known) draft.features.add("check unknown at plan");
  const text = `jsonencode([${value.text}, terraform.workspace])`;
  draft.add("check", [name], {
    ...(hasData && { data: { cwp_connectivity: { [`${name}_data`]: {} } } }),
    assert: [
      { condition: `\${${text} ${fails ? "==" : "!="} "never"}`, error_message: "A check." },
      ...(hasData
        ? [
            {
              condition: `\${data.cwp_connectivity.${name}_data.reachable}`,
              error_message: "Not reachable.",
            },
          ]
        : []),
    ],
  });
};
