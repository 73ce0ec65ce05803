import { z } from "zod";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import type { Diagnostic } from "../../core/diagnostics";
import { printable, prose } from "../../core/printed";
import { decodeSharedPlan, encodeSharedPlan, type Providers, type StackPlan } from "../../runtime";
import { decodeLines, encodeLines } from "./part-text";

/** The result of planning a batch, for reviews elsewhere. */
export interface ReviewPart {
  /** Without sensitive values once they were encoded. */
  readonly plans: readonly StackPlan[];
  readonly excluded: readonly ExcludedStack[];
  /** Diagnostics of no single stack. */
  readonly problems: readonly Diagnostic[];
  /** The diagnostics of the gate. */
  readonly verdict: readonly Diagnostic[];
}

/** Text from another machine is escaped again. */
const diagnostic = z.object({
  severity: z.enum(["error", "warning"]),
  summary: z.string().transform(printable),
  detail: z.string().transform((text) => prose(text).toString()),
  path: z.array(z.union([z.string(), z.number()])).exactOptional(),
  entry: z.string().exactOptional(),
  address: z.string().exactOptional(),
  constructPath: z.string().exactOptional(),
  isFinding: z.literal(true).exactOptional(),
  source: z.string().exactOptional(),
});

const diagnostics = z.array(diagnostic);

const head = z.object({
  excluded: z.array(
    z.object({ stack: z.string(), diagnostics, isInput: z.literal(true).exactOptional() }),
  ),
  problems: diagnostics,
  verdict: diagnostics,
  /** Those of each plan, in the order of the plans. */
  plans: z.array(diagnostics),
});

/** Encodes a part as compressed text; undefined if it is too large for one message. */
export function encodePart({ plans, ...part }: ReviewPart): string | undefined {
  const first = { ...part, plans: plans.map((plan) => plan.diagnostics) };
  return encodeLines([JSON.stringify(first), ...plans.map(encodeSharedPlan)]);
}

/** Decodes a part, which anybody with access to the server may have written. */
export function decodePart(text: string, providers: Providers): ReviewPart {
  const [first = "", ...lines] = decodeLines(text);
  const { plans, ...part } = head.parse(JSON.parse(first));
  return {
    ...part,
    plans: lines.map((line, at) => {
      const plan = decodeSharedPlan(line, providers);
      if (!plan) throw new Error("a plan in the review is not what this program writes");
      return { ...plan, diagnostics: plans[at] ?? [] };
    }),
  };
}
