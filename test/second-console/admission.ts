import type { Answer, LoggedRequest, SecondConsoleOptions, WriteLimits } from "./options";

const UNAUTHORIZED: Answer = { status: 401, json: { err: "unauthorized" } };

/** Answers sign-up, tokens and refusals: credentials, projects and limits of writes. */
export class Admission {
  private readonly tokens = new Map<string, number>();
  private issued = 0;
  private writes: number[] = [];

  constructor(private readonly options: SecondConsoleOptions) {}

  /** Returns the answer to a request that gets no further; undefined lets it through. */
  answer(request: LoggedRequest): Answer | undefined {
    const { method, path, body } = request;
    const { projects, writes } = this.options;
    if (path === "_ping") return { status: 200 };
    if (path === "signup") return { status: 400, json: { err: "an initial user already exists" } };
    if (path === "authenticate") return this.token(body);
    if (!this.isAuthorized(String(request.headers.authorization ?? ""))) return UNAUTHORIZED;
    const isWrite = method !== "GET";
    if (isWrite && writes && this.isBeyond(writes)) return tooMany(writes);
    const { project } = request;
    const isKnown = project === CENTRAL || (projects?.includes(project) ?? true);
    return isKnown ? undefined : { status: 404, json: { err: "project not found" } };
  }

  private token(body: string): Answer {
    const { password, tokenMs = 3_600_000 } = this.options;
    if (password !== undefined && !body.includes(JSON.stringify(password))) return UNAUTHORIZED;
    const token = `t${++this.issued}`;
    this.tokens.set(token, Date.now() + tokenMs);
    return { status: 200, json: { token } };
  }

  private isAuthorized(header: string): boolean {
    const [, scheme, value = ""] = /^(Bearer|Basic) (.*)$/.exec(header) ?? [];
    if (scheme === "Bearer") return (this.tokens.get(value) ?? 0) > Date.now();
    const { password } = this.options;
    const given = Buffer.from(value, "base64").toString();
    return scheme === "Basic" && (password === undefined || given.endsWith(`:${password}`));
  }

  /** Counts a write; true if it is beyond the limits. */
  private isBeyond({ perMinute, perWindow, windowMs = 60_000 }: WriteLimits): boolean {
    const now = Date.now();
    const last = this.writes.at(-1) ?? -Infinity;
    if (perMinute !== undefined && now - last < 60_000 / perMinute) return true;
    const recent = this.writes.filter((one) => now - one < windowMs);
    if (perWindow !== undefined && recent.length >= perWindow) return true;
    this.writes = [...recent, now];
    return false;
  }
}

/** The project of requests that name none. */
export const CENTRAL = "Central Console";

function tooMany({ retryAfter, body = "json" }: WriteLimits): Answer {
  const headers = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  if (body === "json") return { status: 429, json: { err: "too many requests" }, headers };
  const bytes = Buffer.from(body === "html" ? "<html><h1>429 Too Many Requests</h1></html>" : "");
  return { status: 429, bytes, headers: { ...headers, "content-type": "text/html" } };
}
