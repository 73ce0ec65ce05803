import fc from "fast-check";
import { secretsOfBody } from "../../../src/api/http/body-secrets";
import { redact } from "../../../src/core/redact";
import { serverMessage } from "../../../src/api/http/status-error";

describe("the message of an error body", () => {
  test.each([
    ['{"err":"license expired"}', "license expired"],
    ['{"error":"no such path"}', "no such path"],
    ['{"error":{"code":7,"message":"nested"}}', "nested"],
    ['{"message":"forbidden"}', "forbidden"],
    ['{"err":"","message":"used"}', "used"],
    ['{"err":5,"message":"used"}', "used"],
    ['"just text"', "just text"],
    ['{"code":12}', '{"code":12}'],
    ["bad gateway\nsecond line", "bad gateway"],
    ["\n\n  first  \n", "first"],
    ["<html><head><title>502 Bad Gateway</title></head><body>x</body></html>", "502 Bad Gateway"],
    [
      "<!DOCTYPE html><html><head><style>p{}</style></head><body><h1>Too many</h1></body>",
      "Too many",
    ],
    ["<p>5 &lt; 6 &amp; 7</p>", "5 < 6 & 7"],
    ["a < b", "a < b"],
    ["\u001b[31mred\u0007", "[31mred"],
    ["", ""],
    ["   ", ""],
    ["null", "null"],
  ])("%j says %j", (body, expected) => {
    expect(serverMessage(body, [])).toBe(expected);
  });

  test("is bounded, on one line, for any body", () => {
    expect(serverMessage("x".repeat(5000), [])).toBe(`${"x".repeat(300)}…`);
    fc.assert(
      fc.property(fc.string({ maxLength: 1000 }), (body) => {
        const message = serverMessage(body, []);
        expect(message.length).toBeLessThanOrEqual(301);
        expect(message).not.toMatch(/[\r\n]/);
      }),
    );
  });

  test("is not slow on hostile HTML", () => {
    const body = "<!--".repeat(8000) + "<script".repeat(4000) + "<".repeat(8000);
    expect(serverMessage(body, []).length).toBeLessThanOrEqual(301);
  });
});

describe("secrets", () => {
  const secret = `c4n"a<r&y\\é +1`;

  test.each([
    ["plainly", secret],
    ["as JSON", JSON.stringify({ err: `bad ${secret}` })],
    ["as JSON in JSON", JSON.stringify({ err: JSON.stringify({ key: secret }) })],
    ["as JSON in JSON of another member", JSON.stringify({ x: JSON.stringify({ key: secret }) })],
    ["as Go's JSON", String.raw`{"x":{"key":"c4n\"a\u003cr\u0026y\\é +1"}}`],
    ["as ASCII JSON", String.raw`{"x":{"key":"c4n\"a<r&y\\\u00e9 +1"}}`],
    ["as ASCII JSON in JSON", String.raw`{"x":"{\"key\":\"c4n\\\"a<r&y\\\\\\u00e9 +1"}`],
    ["in a URL", `/login?p=${encodeURIComponent(secret)}`],
    ["in a form", new URLSearchParams({ p: secret }).toString()],
    ["in Base64", Buffer.from(secret).toString("base64")],
    [
      "in HTML",
      `<p>${secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")}</p>`,
    ],
    ["in HTML with numbers", "<p>c4n&#34;a&lt;r&amp;y\\é +1</p>"],
  ])("are removed %s", (_, body) => {
    const message = serverMessage(body, [secret]);
    expect(message).toContain("[redacted]");
    expect(message).not.toMatch(/c4n|a<r|\\\\é|u00e9/);
  });

  test.each([
    ["Base64 without its end", Buffer.from(secret).toString("base64").replace(/=+$/, "")],
    ["Base64 of URLs", Buffer.from(`${secret}ÿ?`).toString("base64url")],
    ["hexadecimal digits", Buffer.from(secret).toString("hex")],
    ["capital hexadecimal digits", Buffer.from(secret).toString("hex").toUpperCase()],
    ["the text of HTML", 'c4n"a&lt;r&amp;y\\é +1'],
  ])("are removed in %s", (_, spelling) => {
    const message = serverMessage(JSON.stringify({ err: spelling }), [secret, `${secret}ÿ?`]);
    expect(message).toBe("[redacted]");
  });

  test.each([
    ["to the shown length", "x".repeat(295)],
    ["to the searched length", `<p title="${"x".repeat(8174)}">`],
  ])("are removed before the text is cut %s", (_, before) => {
    const message = serverMessage(`${before}canary-canary`, ["canary-canary"]);
    expect(message).not.toContain("can");
  });

  test("that contain one another are removed completely", () => {
    expect(redact("token-long token", ["token", "token-long"])).toBe("[redacted] [redacted]");
  });

  test("are masked once: the mask itself is not searched", () => {
    expect(redact("an-edited-text: edited", ["edited", "an-edited-text"])).toBe(
      "[redacted]: [redacted]",
    );
    expect(redact("canary canary-2", ["canary", "redacted"])).toBe("[redacted] [redacted]-2");
  });

  test.each(["a", "wrong", "hunter2", "password"])(
    "such as %s leave out the whole text, which would reveal them",
    (secret) => {
      expect(serverMessage(`{"err":"username or password is wrong for hunter2"}`, [secret])).toBe(
        "",
      );
    },
  );

  test("that are short leave other texts as they are", () => {
    expect(serverMessage('{"err":"no such user"}', ["hunter2", "password"])).toBe("no such user");
  });

  test("that are empty change nothing", () => {
    expect(redact("text", [""])).toBe("text");
  });

  test("of a body are the texts of secret members at any depth", () => {
    const body = {
      username: "admin",
      password: "p",
      specifications: [
        { registry: "r", credential: { secret: { plain: "s" }, apiToken: { encrypted: "e" } } },
      ],
      key: "k",
    };
    expect(secretsOfBody(body)).toEqual(["p", "s", "e", "k"]);
    expect(secretsOfBody(undefined)).toEqual([]);
  });
});
