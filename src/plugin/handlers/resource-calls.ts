import { decodePrivate, encodePrivate } from "../../provider/private-state";
import { refuseWriteOnly } from "../../provider/schema/validate-attributes";
import { rpc } from "../rpc";
import { encodePath } from "../values/diagnostics";
import { bytes, field, int64, message, optional, repeated, string } from "../wire/message";
import {
  attributePath,
  clientCapabilities,
  diagnostic,
  diagnosticsOnly,
  dynamicValue,
  rawState,
} from "../wire/messages";

export const validateResourceConfig = rpc({
  name: "ValidateResourceConfig",
  request: message({
    typeName: field(1, string),
    config: optional(2, dynamicValue),
    clientCapabilities: optional(3, clientCapabilities),
  }),
  response: diagnosticsOnly,
  handle: (session, { typeName, config: encoded, clientCapabilities: client }) => {
    const codec = session.resource(typeName);
    const config = codec.decodeConfig(encoded);
    const unsupported = client?.writeOnlyAttributesAllowed
      ? []
      : refuseWriteOnly(codec.attributes, config);
    const diagnostics = session.provider.validateResource(typeName, config);
    return { diagnostics: codec.diagnostics([...diagnostics, ...unsupported]) };
  },
});

export const upgradeResourceState = rpc({
  name: "UpgradeResourceState",
  request: message({
    typeName: field(1, string),
    version: field(2, int64),
    rawState: optional(3, rawState),
  }),
  response: message({
    upgradedState: optional(1, dynamicValue),
    diagnostics: repeated(2, diagnostic),
  }),
  handle: (session, { typeName, version, rawState: stored }) => {
    const codec = session.resource(typeName);
    const { state, diagnostics } = session.provider.upgradeState(typeName, {
      schemaVersion: version,
      attributes: codec.decodeStored(stored?.json),
    });
    return {
      upgradedState: state === null ? undefined : codec.encode(state),
      diagnostics: codec.diagnostics(diagnostics),
    };
  },
});

export const readResource = rpc({
  name: "ReadResource",
  request: message({
    typeName: field(1, string),
    currentState: optional(2, dynamicValue),
    private: field(3, bytes),
  }),
  response: message({
    newState: optional(1, dynamicValue),
    diagnostics: repeated(2, diagnostic),
    private: field(3, bytes),
  }),
  handle: async (session, { typeName, currentState, private: kept }, signal) => {
    const codec = session.resource(typeName);
    const stored = { state: codec.decode(currentState), private: decodePrivate(kept) };
    const reached = await session.read(typeName, stored, signal);
    return {
      newState: codec.encode(reached.state),
      private: encodePrivate(reached.private),
      diagnostics: codec.diagnostics(reached.diagnostics),
    };
  },
});

/**
 * Ignores the state that Terraform proposes: it carries the prior members of lists over by index,
 * and write-only values.
 */
export const planResourceChange = rpc({
  name: "PlanResourceChange",
  request: message({
    typeName: field(1, string),
    priorState: optional(2, dynamicValue),
    config: optional(4, dynamicValue),
    priorPrivate: field(5, bytes),
  }),
  response: message({
    plannedState: optional(1, dynamicValue),
    requiresReplace: repeated(2, attributePath),
    plannedPrivate: field(3, bytes),
    diagnostics: repeated(4, diagnostic),
  }),
  handle: async (session, request, signal) => {
    const codec = session.resource(request.typeName);
    const config = codec.decode(request.config);
    const prior = codec.decode(request.priorState);
    const stored = decodePrivate(request.priorPrivate);
    const plan = await session.plan(request.typeName, { config, prior, private: stored }, signal);
    return {
      plannedState: codec.encode(plan.planned),
      requiresReplace: plan.requiresReplace.flatMap(
        (path) => encodePath(codec.attributes, path) ?? [],
      ),
      plannedPrivate: encodePrivate(plan.private),
      diagnostics: codec.diagnostics(plan.diagnostics),
    };
  },
});

export const applyResourceChange = rpc({
  name: "ApplyResourceChange",
  request: message({
    typeName: field(1, string),
    priorState: optional(2, dynamicValue),
    plannedState: optional(3, dynamicValue),
    config: optional(4, dynamicValue),
    plannedPrivate: field(5, bytes),
  }),
  response: message({
    newState: optional(1, dynamicValue),
    private: field(2, bytes),
    diagnostics: repeated(3, diagnostic),
  }),
  handle: async (session, request, signal) => {
    const codec = session.resource(request.typeName);
    const planned = codec.decode(request.plannedState);
    const config = codec.decode(request.config);
    const prior = codec.decode(request.priorState);
    const privateState = decodePrivate(request.plannedPrivate);
    const reached = await session.provider.apply(request.typeName, {
      ...session.call(signal),
      prior,
      planned,
      config,
      private: privateState,
    });
    return {
      newState: codec.encode(reached.state),
      private: reached.state === null ? undefined : encodePrivate(reached.private),
      diagnostics: codec.diagnostics(reached.diagnostics),
    };
  },
});

const importedResource = message({
  typeName: field(1, string),
  state: optional(2, dynamicValue),
  private: field(3, bytes),
});

export const importResourceState = rpc({
  name: "ImportResourceState",
  request: message({ typeName: field(1, string), id: field(2, string) }),
  response: message({
    importedResources: repeated(1, importedResource),
    diagnostics: repeated(2, diagnostic),
  }),
  handle: async (session, { typeName, id }, signal) => {
    const codec = session.resource(typeName);
    const reached = await session.provider.import(typeName, id, session.call(signal));
    const imported = {
      typeName,
      state: codec.encode(reached.state),
      private: encodePrivate(reached.private),
    };
    return {
      importedResources: reached.state === null ? [] : [imported],
      diagnostics: codec.diagnostics(reached.diagnostics),
    };
  },
});

export const moveResourceState = rpc({
  name: "MoveResourceState",
  request: message({
    sourceProviderAddress: field(1, string),
    sourceTypeName: field(2, string),
    sourceSchemaVersion: field(3, int64),
    sourceState: optional(4, rawState),
    targetTypeName: field(5, string),
    sourcePrivate: field(6, bytes),
  }),
  response: message({
    targetState: optional(1, dynamicValue),
    diagnostics: repeated(2, diagnostic),
    targetPrivate: field(3, bytes),
  }),
  handle: (session, request) => {
    const codec = session.resource(request.targetTypeName);
    const source = { provider: request.sourceProviderAddress, type: request.sourceTypeName };
    const { state, diagnostics } = session.provider.moveState(source, request.targetTypeName, {
      schemaVersion: request.sourceSchemaVersion,
      attributes: codec.decodeStored(request.sourceState?.json),
    });
    return {
      targetState: state === null ? undefined : codec.encode(state),
      targetPrivate: state === null ? undefined : request.sourcePrivate,
      diagnostics: codec.diagnostics(diagnostics),
    };
  },
});
