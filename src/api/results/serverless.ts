import { z } from "zod";
import { jsonNumber } from "../json";

const text = z.string().nullish();

/** Whether, or how many of something, defenders protect; its type is not specified throughout. */
const defended = z.union([z.boolean(), jsonNumber, z.string()]).nullish();

/** A function of GET serverless (section 4.5). `protected` of up to 20.12 reads `defended`. */
export const serverlessFunctionSchema = z.looseObject({
  _id: text,
  name: text,
  provider: text,
  region: text,
  runtime: text,
  defended,
});
/** A serverless function that the console knows of (section 4.5). */
export type ServerlessFunction = z.infer<typeof serverlessFunctionSchema>;

/**
 * An element of GET cloud/discovery (section 4.5). One may carry nothing but `err`: what kept its
 * account from being looked at. `protected` of up to 20.12 reads `defended`.
 */
export const cloudDiscoverySchema = z.looseObject({
  provider: text,
  /** How many are protected. */
  defended: jsonNumber.nullish(),
  err: text,
});
/** What was discovered of one service in a cloud account (section 4.5). */
export type CloudDiscovery = z.infer<typeof cloudDiscoverySchema>;

/** One record of an auto-deploy status (section 4.4). `protected` reads `defended`. */
export const autoDeployRecordSchema = z.looseObject({ defended });
/** How auto-deploy came along in one place (section 4.4). */
export type AutoDeployRecord = z.infer<typeof autoDeployRecordSchema>;
