import fc from "fast-check";
import { normalizeBaseUrl } from "../../src/api/base-url";
import { identityOfConsole } from "../../src/api/console-identity";

interface Given {
  readonly url: string;
  readonly project?: string;
  readonly consoleId?: string;
  readonly previous?: readonly string[];
}

const identity = ({ url, project, consoleId, previous = [] }: Given) =>
  identityOfConsole({
    baseUrl: normalizeBaseUrl(url),
    project,
    consoleId,
    previousBaseUrls: previous,
  });
const nameOf = (given: Given) => identity(given).name;

test.each([
  ["console.example.com", "console.example.com:8083"],
  ["https://console.example.com", "console.example.com:443"],
  ["https://console.example.com:443/", "console.example.com:443"],
  ["HTTPS://Console.Example.COM:8083//", "console.example.com:8083"],
  ["https://console.example.com/eu-1/", "console.example.com:443/eu-1"],
  ["https://[::1]:8083", "[::1]:8083"],
  ["::1", "[::1]:8083"],
])("names the console at %s %s", (url, name) => {
  expect(nameOf({ url })).toBe(name);
});

test("distinguishes the path prefix by letter case", () => {
  expect(nameOf({ url: "https://h/EU" })).not.toBe(nameOf({ url: "https://h/eu" }));
});

test("distinguishes projects, of which Central Console is the one without a name", () => {
  const url = "https://h:8083";
  expect(nameOf({ url, project: "team a" })).toBe("h:8083?project=team%20a");
  expect(nameOf({ url, project: "Central Console" })).toBe("h:8083");
  expect(identity({ url }).names.has(nameOf({ url, project: "team a" }))).toBe(false);
});

test("takes an ID in place of the address, which then says nothing", () => {
  const { name, names } = identity({ url: "https://127.0.0.1:8083", consoleId: "payments" });
  expect(name).toBe("payments");
  expect(names.has("127.0.0.1:8083")).toBe(false);
});

test("knows previous addresses in each spelling, in the project of the console or in their own", () => {
  const previous = ["Old.example.com", "https://old.example.com/eu/", "h:1?project=old%20name"];
  const { names } = identity({ url: "https://new", project: "b", previous });
  expect(names.has("old.example.com:8083?project=b")).toBe(true);
  expect(names.has("old.example.com:443/eu?project=b")).toBe(true);
  expect(names.has("h:1?project=old%20name")).toBe(true);
  expect(names.has("old.example.com:8083")).toBe(false);
});

test("knows the names of previous consoles that had an ID", () => {
  expect(identity({ url: "https://new", previous: ["payments"] }).names.has("payments")).toBe(true);
});

test.each(["http://old", "https://user@old", "https://old?x=1", ""])(
  "refuses the previous address %j",
  (address) => {
    expect(() => identity({ url: "https://new", previous: [address] })).toThrow(
      /^A previous address is invalid\. /,
    );
  },
);

test("a name is a previous address of the console that it names", () => {
  const host = fc.constantFrom("a", "b.example.com", "127.0.0.1", "[::1]");
  const given = fc.record({
    url: fc
      .tuple(host, fc.integer({ min: 1, max: 65_535 }), fc.constantFrom("", "/", "/eu", "/eu/a/"))
      .map(([name, port, path]) => `https://${name}:${port}${path}`),
    project: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
  });
  const of = ({ url, project }: { url: string; project: string | undefined }): Given => ({
    url,
    ...(project !== undefined && { project }),
  });
  fc.assert(
    fc.property(given, given, (before, now) => {
      const stored = nameOf(of(before));
      expect(identity({ ...of(now), previous: [stored] }).names.has(stored)).toBe(true);
      const isEqual = stored === nameOf(of(now));
      expect(identity(of(now)).names.has(stored)).toBe(isEqual);
    }),
  );
});
