import { createHash } from "node:crypto";
import { errorText } from "../core/io/file-problem";
import { readTextFile } from "../core/io/read-file";
import { world } from "../core/io/world";
import { awsKeys } from "./aws-credentials";
import type { Connections } from "./http-dispatcher";
import { exchangeWithServer, type HttpAnswer } from "./http-request";
import type { ListedObjects, ObjectClient, StoredBlob, WrittenObject } from "./object-store";
import type { S3Settings } from "./s3-settings";
import { isErrorDocument } from "./sent-credentials";
import { signedHeaders } from "./s3-signature";
import { NO_VERSION, StoreError, strongTag } from "./state-store";
import { xmlTexts } from "./xml-texts";

/** Sends the requests of S3. The version of an object is its ETag. */
export class S3Client implements ObjectClient {
  constructor(private readonly settings: S3Settings) {}

  async read(name: string): Promise<StoredBlob | undefined> {
    const answer = await this.send("GET", name, { headers: this.settings.readHeaders });
    if (answer.status === 404 && codeOf(answer) !== "NoSuchBucket") return undefined;
    if (answer.status !== 200 && answer.status !== 206) throw refused("read", answer);
    return { bytes: answer.body, version: strongTag(answer.headers.etag) };
  }

  async write(
    name: string,
    bytes: Buffer,
    replaces: string | undefined,
  ): Promise<WrittenObject | undefined> {
    if (replaces === "") throw new StoreError(NO_VERSION);
    const { writeHeaders, checksum } = this.settings;
    const digest = createHash("sha256").update(bytes).digest("base64");
    const headers = {
      ...writeHeaders,
      "content-type": "application/json",
      ...(checksum && { "x-amz-checksum-sha256": digest }),
      ...(replaces === undefined ? { "if-none-match": "*" } : { "if-match": replaces }),
    };
    const answer = await this.send("PUT", name, { headers, body: bytes });
    // 404: the version to replace was deleted.
    if (isOtherVersion(answer)) return undefined;
    if (answer.status !== 200 || isError(answer)) throw refused("write", answer);
    const version = strongTag(answer.headers.etag);
    const isProved = version !== "" && answer.headers["x-amz-checksum-sha256"] === digest;
    return { version, isProved };
  }

  async list(prefix: string, next: string | undefined): Promise<ListedObjects> {
    const query = {
      ...(next !== undefined && { "continuation-token": next }),
      "list-type": "2",
      prefix,
    };
    const answer = await this.send("GET", "", { query });
    if (answer.status !== 200 || isError(answer)) throw refused("list", answer);
    const [token] = xmlTexts(answer.body, "NextContinuationToken");
    return { names: xmlTexts(answer.body, "Key"), next: token };
  }

  async delete(name: string, version: string | undefined): Promise<boolean> {
    const answer = await this.send("DELETE", name, {
      headers: { ...(version && { "if-match": version }) },
    });
    if (answer.status === 412) return false;
    if (![200, 204, 404].includes(answer.status) || isError(answer))
      throw refused("delete", answer);
    return true;
  }

  private async send(
    method: string,
    name: string,
    { headers = {}, body, query = {} }: RequestContent,
  ): Promise<HttpAnswer> {
    const { address, region, identity } = this.settings;
    const connections = await this.connections();
    const url = new URL(`${address}/${name.split("/").map(encoded).join("/")}`);
    // Its order is that of the signature.
    url.search = Object.entries(query)
      .map((pair) => pair.map(encoded).join("="))
      .join("&");
    const keys = await awsKeys(identity, connections);
    const signed = signedHeaders({ method, url, headers, body }, keys, region, world.clock.now());
    return exchangeWithServer(connections, { method, url, headers: signed, body });
  }

  private async connections(): Promise<Connections> {
    const { connections, caFile } = this.settings;
    try {
      const ca = caFile === undefined ? undefined : await readTextFile(caFile);
      return { ...connections, ca };
    } catch (cause) {
      throw new StoreError(`${caFile ?? ""}: ${errorText(cause)}`, { cause });
    }
  }
}

interface RequestContent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** Encodes a part of a path as AWS does. */
function encoded(part: string): string {
  return encodeURIComponent(part).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function isOtherVersion(answer: HttpAnswer): boolean {
  return answer.status === 412 || (answer.status === 404 && codeOf(answer) === "NoSuchKey");
}

/** Reports whether a body has an error, which S3 may send after the status 200. */
function isError({ status, body }: HttpAnswer): boolean {
  return status === 200 && isErrorDocument(body);
}

function codeOf({ body }: HttpAnswer): string {
  return textIn(body, "Code") ?? "";
}

/** The text of an element of S3's errors. */
function textIn(body: Buffer, element: string): string | undefined {
  return new RegExp(`<${element}>([^<]{1,400})`).exec(body.toString("utf8", 0, 4000))?.[1];
}

function refused(verb: "read" | "write" | "delete" | "list", answer: HttpAnswer): StoreError {
  const { status, headers, body } = answer;
  const code = codeOf(answer);
  const message = textIn(body, "Message");
  const region = headers["x-amz-bucket-region"] ?? textIn(body, "Region");
  const said = message === undefined ? "" : `: ${message.replace(/\.$/, "")}`;
  const hint =
    region !== undefined && [301, 307, 400].includes(status)
      ? `. The bucket is in the region ${region}`
      : (HINTS[status] ?? "");
  return new StoreError(
    `S3 answered ${status}${code === "" ? "" : ` ${code}`} to the request to ${verb} it${said}${hint}`,
  );
}

const HINTS: Readonly<Record<number, string>> = {
  403: ". Check the credentials of AWS, and that they may s3:ListBucket on the bucket, and s3:GetObject, s3:PutObject and s3:DeleteObject on the state and its .tflock",
  501: '. The server has no conditional writes, which this program needs. Terraform can run the stack: "--engine terraform"',
};
