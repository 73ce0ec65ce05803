/**
 * The bare loop: sends recorded requests to each console, as fast as undici does. Arguments: a file
 * with the requests, a file with the consoles, and the number of requests in flight. With the folder
 * of stacks as a fourth argument, it is the floor of a tool that manages them: it also parses and
 * writes JSON, reads each configuration, and locks and writes a durable state.
 */
import { readFileSync } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Agent } from "undici";
import type { Served } from "../command";
import type { Recorded } from "./record";

async function main([requestsFile = "", consolesFile = "", concurrency = "", outDir]: readonly (
  string | undefined
)[]) {
  const requests = JSON.parse(readFileSync(requestsFile, "utf8")) as readonly Recorded[];
  const waiting = JSON.parse(readFileSync(consolesFile, "utf8")) as Served[];
  const [first] = waiting;
  if (!first) return;
  const connect = { ca: readFileSync(first.caFile, "utf8") };
  const agent = new Agent({ connect, connections: Number(concurrency) });
  const isWritten = requests.some(({ method }) => method === "PUT");
  const worker = async () => {
    for (let served = waiting.pop(); served; served = waiting.pop()) {
      const stack = outDir === undefined ? undefined : join(outDir, "stacks", served.name);
      if (stack === undefined) {
        await replay(agent, served, requests, false);
        continue;
      }
      const configuration = await parsed(join(stack, "cdk.tf.json"));
      const lock = join(stack, "bench.lock");
      await (await open(lock, "wx")).close();
      const answers = await replay(agent, served, requests, true);
      if (isWritten) await writeState(stack, { configuration, answers });
      await rm(lock);
    }
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, worker));
  await agent.close();
}

async function parsed(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, "utf8"));
}

async function writeState(stack: string, content: unknown): Promise<void> {
  const file = await open(join(stack, "bench.new"), "w");
  await file.writeFile(JSON.stringify(content, undefined, 2));
  await file.sync();
  await file.close();
  await rename(join(stack, "bench.new"), join(stack, "bench.state"));
}

/** Sends the requests of one console in their order, and returns the answers. */
async function replay(
  agent: Agent,
  { url }: Served,
  requests: readonly Recorded[],
  readsJson: boolean,
): Promise<readonly unknown[]> {
  const { origin, pathname } = new URL(url);
  const prefix = pathname === "/" ? "" : pathname;
  const answers: unknown[] = [];
  let token = "";
  for (const { method, path, contentType, authorized, body } of requests) {
    const sent = readsJson && body?.startsWith("{") ? JSON.stringify(JSON.parse(body)) : body;
    const response = await agent.request({
      origin,
      method,
      path: prefix + path,
      headers: {
        ...(contentType !== undefined && { "content-type": contentType }),
        ...(authorized && { authorization: `Bearer ${token}` }),
      },
      ...(sent !== undefined && { body: sent }),
    });
    const answer = await response.body.text();
    if (readsJson && /^\s*[[{]/.test(answer)) answers.push(JSON.parse(answer));
    if (path.endsWith("/authenticate") && response.statusCode === 200) {
      token = (JSON.parse(answer) as { token: string }).token;
    }
  }
  return answers;
}

void main(process.argv.slice(2));
