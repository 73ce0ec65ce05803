import { hasErrors } from "../../core/diagnostics";
import { mark, markedTexts } from "../../core/marks";
import { useSecrets } from "../../core/io/secrets-in-use";
import { isWhollyKnown, type Evaluated } from "../../core/values";
import { locate, providerKey } from "../../language";
import { toEvaluated, unknownObject } from "../evaluation/attributes";
import { answered } from "../evaluation/provider-diagnostics";
import { conformBody } from "../evaluation/conform";
import { combine, repeatKnown, type Repeated } from "../evaluation/repetition";
import { within } from "../evaluation/stack-values";
import { resourceSchema } from "../graph/stack-context";
import type { EphemeralNode } from "../graph/configuration";
import { formatAddress } from "../../core/documents/address";
import { meetsPostconditions, meetsPreconditions } from "./conditions";
import { begin, type EphemeralStep } from "./opened-ephemerals";
import type { Planning, StackRun } from "./run";

/**
 * Opens an ephemeral resource if its configuration is known; else its result is unknown. It is in no
 * plan and no state. Returns false if that fails.
 */
export async function openEphemeral(
  planning: Planning,
  run: StackRun,
  node: EphemeralNode,
): Promise<boolean> {
  const { config, address } = node;
  const repetition = repeatKnown(config, run.values);
  run.report(repetition.diagnostics);
  if (!repetition.instances) return false;
  const opened = await Promise.all(
    repetition.instances.map(async (repeated) => openInstance(planning, run, node, repeated)),
  );
  useSecrets(opened.flatMap((one) => (one ? markedTexts(one.value) : [])));
  const values = opened.map((one, index) => {
    const key = repetition.instances?.[index]?.key;
    return [key, one && mark(one.value, { ephemeral: true })] as const;
  });
  run.values.set(address, combine(config, values));
  if (opened.some((one) => one?.isOpen === false)) run.ephemerals.defer(address);
  return opened.every((one) => one !== undefined);
}

/** Opens an instance. If that fails, the run has the diagnostics. */
async function openInstance(
  { options, limit }: Planning,
  run: StackRun,
  { config, stack }: EphemeralNode,
  { key, surroundings }: Repeated,
): Promise<{ readonly value: Evaluated; readonly isOpen: boolean } | undefined> {
  const { context } = run;
  const selected = resourceSchema(context, config);
  const connected = run.connections.get(providerKey(config.provider));
  if ("problem" in selected || !connected) return undefined;
  const { attributes } = selected;
  const { provider, connection } = connected;
  const { type } = config;
  const instance = formatAddress({ mode: "managed", type, name: config.name, key });
  const where = { ...config.where, address: `ephemeral.${instance}` };
  const checked = { target: { config, where }, surroundings };
  if (!meetsPreconditions(run, checked)) return undefined;
  const scope = within(run.values, surroundings);
  const at = { ...where, ephemeral: true };
  const configured = conformBody(config.body, attributes, scope, at);
  const { value, diagnostics } = configured;
  const problems = [
    ...diagnostics,
    ...(hasErrors(diagnostics)
      ? []
      : locate(context.validations.validate(provider, config, configured, connection), where)),
  ];
  run.report(problems);
  if (hasErrors(problems)) return undefined;
  if (!isWhollyKnown(value) || connection === undefined) {
    return { value: unknownObject(attributes), isOpen: false };
  }
  const report = (step: EphemeralStep): void => {
    options.observe({ stack, address: where.address, ...step });
  };
  const request = { connection, signal: options.abort };
  const opened = await limit.run(async () => {
    if (options.stop.aborted) return undefined;
    const done = begin({ report }, "open");
    const answer = await provider.ephemeralResources.open(type, value, request);
    done(answer.diagnostics);
    return answer;
  });
  if (!opened) return undefined;
  run.report(answered(opened.diagnostics, where, configured));
  if (!opened.result || hasErrors(opened.diagnostics)) return undefined;
  const { private: privateState, renewAt } = opened;
  const session = { ...request, private: privateState, renewAt, report };
  run.ephemerals.add({ ...session, provider, type, where, configured });
  const result = toEvaluated(attributes, opened.result);
  const self = mark(result, { ephemeral: true });
  if (!meetsPostconditions(run, checked, self)) return undefined;
  return { value: result, isOpen: true };
}
