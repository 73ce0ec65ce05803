import {
  LICENSE,
  licenseSchema,
  noLicenseSchema,
  type FoundLicense,
} from "../../api/areas/license";
import { ApiError, SchemaMismatchError } from "../../api/errors";
import type { ConsoleClient } from "../../api/client";
import { number, string } from "../../core/schema/attribute";
import { dataSource } from "../listing";
import { knownAttribute, numberOf, textOf, timeText } from "./attributes";

const attributes = {
  type: knownAttribute(string(), "Type of the license, such as `evaluation`."),
  expires_at: knownAttribute(string(), "Time at which the license expires, in ISO 8601."),
  workloads: knownAttribute(number(), "Number of workloads that the license covers."),
};

/** A read that consoles in the field answer, of the installed license without its access token. */
export const license = dataSource({
  type: "cwp_license",
  category: "Setup",
  description:
    "The installed license: for alarms before it expires. The specification has no read of it. All attributes are null if the console has none.",
  attributes,
  endpointsOf: () => [LICENSE],
  async read(_config, { connection: { client }, signal }) {
    const { type, expiration_date, workloads } = (await answerOf(client, signal)) ?? {};
    return {
      state: {
        type: textOf(type),
        expires_at: timeText(textOf(expiration_date)),
        workloads: numberOf(workloads),
      },
    };
  },
});

/** The answer; undefined if the console has no such read. */
async function answerOf(
  client: ConsoleClient,
  signal: AbortSignal,
): Promise<FoundLicense | undefined> {
  try {
    const answer = (await client.request(LICENSE, { signal })).json();
    if (noLicenseSchema.safeParse(answer).success) return undefined;
    const found = licenseSchema.safeParse(answer);
    if (found.success) return found.data;
  } catch (failure) {
    if (failure instanceof ApiError && [404, 405].includes(failure.status)) return undefined;
    throw failure;
  }
  throw new SchemaMismatchError("The answer of GET /api/v1/settings/license is no object.", []);
}
