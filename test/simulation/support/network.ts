import { Readable } from "node:stream";
import { NothingSent } from "../../../src/core/io/proxy";
import type {
  Transport,
  TransportRequest,
  TransportResponse,
} from "../../../src/api/http/transport";
import type { ConsoleResponse } from "../../../src/simulator";
import type { Faults, NetworkFault } from "./faults";
import { Killed, type Process } from "./machine";
import type { Tenant } from "./tenant";

const ORIGIN = "https://consoles.invalid";

/** An address of a console, by its first part of a path. */
export const addressOf = (name: string) => `${ORIGIN}/${name}`;

/** The name that states have for the console at an address. */
export const nameOfConsole = (name: string) => `${new URL(ORIGIN).host}:443/${name}`;

const failed = (code: string) => Object.assign(new Error(code), { code });

/** A process that meets faults. */
export interface Sender {
  readonly process: Process;
  readonly faults: Faults;
}

/** The way of a stack in a process to the console at the address of its requests. */
export function transportOf(
  { process, faults }: Sender,
  tenants: readonly Tenant[],
  stack: string,
): Transport {
  return async (request) => {
    process.check();
    request.signal?.throwIfAborted();
    const [, name = "", path = ""] = /^\/([^/]+)(\/.*)$/.exec(request.path) ?? [];
    const tenant = tenants.find(({ addresses }) => addresses.includes(name));
    if (!tenant) throw new Error(`there is no console ${name}`);
    const step = tenant.stepOf(request.method, path);
    const fault = faults.onRequest(step, process);
    process.machine.note(`${process.pid} ${stack} ${step} ${fault ?? ""}`);
    return unlessAborted(
      request,
      exchange({ process, faults }, { tenant, stack, step }, { ...request, path }, fault),
    );
  };
}

async function exchange(
  { process, faults }: Sender,
  {
    tenant,
    stack,
    step,
  }: { readonly tenant: Tenant; readonly stack: string; readonly step: string },
  request: TransportRequest,
  fault: NetworkFault | undefined,
): Promise<TransportResponse> {
  const wait = () => process.wait(faults.networkDelay(), () => undefined);
  await wait();
  if (fault === "refused") throw new NothingSent(failed("ECONNREFUSED"));
  if (fault === "cut before") throw failed("ECONNRESET");
  if (typeof fault === "number") return refusal(fault);
  const answer = await new Promise<ConsoleResponse>((resolve, reject) => {
    // A request that was sent arrives, also after the death of the sender.
    const arrive = async () => {
      resolve(await tenant.handle(request, process, stack, step));
      faults.onEffect(step, process);
      if (!process.alive) reject(new Killed());
    };
    process.machine.schedule(faults.networkDelay(), arrive, { current: process });
  });
  process.check();
  if (fault === "no answer") {
    await process.wait(30_000, () => undefined);
    throw failed("UND_ERR_HEADERS_TIMEOUT");
  }
  await wait();
  if (fault === "cut after") throw failed("ECONNRESET");
  return {
    status: answer.status,
    headers: answer.headers,
    body: Readable.from(pieces(answer, fault === "half an answer")),
  };
}

function refusal(status: number): TransportResponse {
  const headers = { "content-type": "application/json" };
  return { status, headers, body: Readable.from([Buffer.from('{"err":"an injected fault"}')]) };
}

function* pieces({ body }: ConsoleResponse, isCut: boolean): Generator<Uint8Array> {
  const bytes = Buffer.from(body);
  if (!isCut) {
    yield bytes;
    return;
  }
  yield bytes.subarray(0, Math.floor(bytes.length / 2));
  throw failed("ECONNRESET");
}

function unlessAborted<T>({ signal }: TransportRequest, answer: Promise<T>): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason instanceof Error ? signal.reason : new Killed());
    };
    signal.addEventListener("abort", abort, { once: true });
    answer.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", abort);
    });
  });
}
