/**
 * The bare loop: sends recorded requests to each console, as fast as undici does. Arguments: a file
 * with the requests, a file with the consoles, and the number of requests in flight.
 */
import { readFileSync } from "node:fs";
import { Pool } from "undici";
import type { Served } from "../command";
import type { Recorded } from "./record";

async function main([requestsFile = "", consolesFile = "", concurrency = ""]: readonly string[]) {
  const requests = JSON.parse(readFileSync(requestsFile, "utf8")) as readonly Recorded[];
  const waiting = JSON.parse(readFileSync(consolesFile, "utf8")) as Served[];
  const [first] = waiting;
  if (!first) return;
  const connect = { ca: readFileSync(first.caFile, "utf8") };
  const pool = new Pool(new URL(first.url).origin, { connect, connections: Number(concurrency) });
  const worker = async () => {
    for (let served = waiting.pop(); served; served = waiting.pop()) {
      await replay(pool, served, requests);
    }
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, worker));
  await pool.close();
}

async function replay(pool: Pool, { url }: Served, requests: readonly Recorded[]): Promise<void> {
  const { pathname } = new URL(url);
  const prefix = pathname === "/" ? "" : pathname;
  let token = "";
  for (const { method, path, contentType, authorized, body } of requests) {
    const response = await pool.request({
      method,
      path: prefix + path,
      headers: {
        ...(contentType !== undefined && { "content-type": contentType }),
        ...(authorized && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body }),
    });
    const answer = await response.body.text();
    if (path.endsWith("/authenticate") && response.statusCode === 200) {
      token = (JSON.parse(answer) as { token: string }).token;
    }
  }
}

void main(process.argv.slice(2));
