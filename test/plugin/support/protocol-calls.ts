import { Client, credentials, Metadata, status, type ServiceError } from "@grpc/grpc-js";

const SERVICE = "tfplugin6.Provider";

/** The calls of protocol 6.8, which is that of Terraform 1.11, and the actions of 1.14. */
const SERVED = [
  "GetMetadata",
  "GetProviderSchema",
  "ValidateProviderConfig",
  "ValidateResourceConfig",
  "ValidateDataResourceConfig",
  "ValidateEphemeralResourceConfig",
  "UpgradeResourceState",
  "ConfigureProvider",
  "ReadResource",
  "PlanResourceChange",
  "ApplyResourceChange",
  "ImportResourceState",
  "MoveResourceState",
  "ReadDataSource",
  "OpenEphemeralResource",
  "RenewEphemeralResource",
  "CloseEphemeralResource",
  "GetFunctions",
  "CallFunction",
  "StopProvider",
  "ValidateActionConfig",
  "PlanAction",
  "InvokeAction",
];

/** The calls that protocol 6.9 to 6.11 added. Terraform does without those that are unimplemented. */
const NEWER = [
  "GetResourceIdentitySchemas",
  "UpgradeResourceIdentity",
  "GenerateResourceConfig",
  "ListResource",
  "ValidateListResourceConfig",
  "ValidateStateStoreConfig",
  "ConfigureStateStore",
  "ReadStateBytes",
  "WriteStateBytes",
  "LockState",
  "UnlockState",
  "GetStates",
  "DeleteState",
];

const UNKNOWN_PATHS = [
  ...[...NEWER, "CallOfTheFuture", "toString"].map((name) => `/${SERVICE}/${name}`),
  `/${SERVICE}/`,
  `/${SERVICE}`,
  "/tfplugin7.Provider/GetMetadata",
  "/plugin.GRPCBroker/StartStream",
  "/",
];

/** A request without content gets an answer, or a refusal for its content. */
const ANSWERS = [status.OK, status.INVALID_ARGUMENT, status.FAILED_PRECONDITION];

/** Calls everything that a client may call, and returns each answer that is wrong. */
export async function wrongAnswers(
  address: string,
  tls = credentials.createInsecure(),
): Promise<readonly string[]> {
  const client = new Client(address, tls, {
    "grpc.default_authority": "localhost",
    "grpc.max_receive_message_length": -1,
  });
  try {
    const wrong: string[] = [];
    for (const path of UNKNOWN_PATHS) {
      const { code, details } = await codeOf(client, path);
      if (code !== status.UNIMPLEMENTED) wrong.push(`${path}: ${code} ${details}`);
    }
    for (const name of SERVED) {
      const { code, details } = await codeOf(client, `/${SERVICE}/${name}`);
      if (!ANSWERS.includes(code)) wrong.push(`${name}: ${code} ${details}`);
    }
    return wrong;
  } finally {
    client.close();
  }
}

function codeOf(client: Client, path: string): Promise<{ code: status; details: string }> {
  const asIs = (bytes: Buffer) => bytes;
  return new Promise((resolve) => {
    const ended = (failure: ServiceError | null) => {
      resolve(failure ?? { code: status.OK, details: "" });
    };
    client.makeUnaryRequest(path, asIs, asIs, Buffer.alloc(0), new Metadata(), ended);
  });
}
