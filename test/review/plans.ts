import type { ResourceChange, StackPlan } from "../../src/core/documents/stack-plan";

export function stackPlan(
  changes: readonly ResourceChange[],
  given: Partial<StackPlan> = {},
): StackPlan {
  return {
    stack: "main",
    mode: "normal",
    complete: true,
    changes,
    drift: [],
    outputs: [],
    diagnostics: [],
    relevantAttributes: [],
    endpoints: [...new Set(changes.flatMap(({ endpoint }) => endpoint ?? []))],
    dependencies: [],
    ...given,
  };
}

/** Names that must not become markup, a mention, a cell, a line or an escape sequence. */
export const HOSTILE = [
  "<script>alert(1)</script>",
  "</code></pre></details><img src=x onerror=alert(1)>",
  '" onload="alert(1)',
  "`code` ``` fence",
  "a|b\\|c",
  "@everyone and #1",
  "[link](https://evil.example) ![](https://evil.example/x.png)",
  "**bold** _italic_ ~~gone~~",
  "line\n\n# heading\r\n---",
  "\u001b[31mred\u202eright to left",
  "</script><!-- ]]> &amp; &lt;",
] as const;
