import { mark, NO_MARKS, remark, unmarkTyped } from "../../core/marks";
import type { Evaluated } from "../../core/values";
import type { OutputConfig } from "../../language";

/** The prefix of the outputs that cdktf generates for references between stacks, all sensitive. */
const GENERATED = "cross-stack-output-";

/**
 * Returns the value of an output as another stack reads it, in plans and applies alike. Terraform's
 * terraform_remote_state gives its outputs no marks: the other stack accepts and stores them as plain
 * values. Only their text is hidden, if their author declared them sensitive, or if a part of the value
 * is.
 *
 * @param declared The configuration of the output, if it is known.
 */
export function crossing(
  value: Evaluated,
  declared?: Pick<OutputConfig, "name" | "sensitive">,
): Evaluated {
  const { value: plain, marks } = unmarkTyped(value);
  const hidden = marks
    .filter((one) => one.sensitive || one.hidden)
    .map(({ path }) => ({ ...NO_MARKS, path, hidden: true }));
  const isDeclared = declared?.sensitive === true && !declared.name.startsWith(GENERATED);
  return mark(remark(plain, hidden), { hidden: isDeclared });
}
