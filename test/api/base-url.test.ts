import { normalizeBaseUrl } from "../../src/api/base-url";
import { ConfigurationError } from "../../src/api/errors";

test.each([
  ["console.example.com", "https://console.example.com:8083"],
  ["Console.Example.COM", "https://console.example.com:8083"],
  ["10.0.0.7", "https://10.0.0.7:8083"],
  ["::1", "https://[::1]:8083"],
  ["[::1]", "https://[::1]:8083"],
  ["[::1]:9000", "https://[::1]:9000"],
  ["console:9000", "https://console:9000"],
  ["console:443", "https://console"],
  ["console/tenant", "https://console:8083/tenant"],
  ["console:9000/tenant/", "https://console:9000/tenant"],
  ["  console  ", "https://console:8083"],
])("adds https and the default port 8083 to the bare host %j", (given, expected) => {
  expect(normalizeBaseUrl(given)).toBe(expected);
});

test.each([
  ["https://console.example.com", "https://console.example.com"],
  ["https://console.example.com/", "https://console.example.com"],
  ["https://console.example.com:8083", "https://console.example.com:8083"],
  ["HTTPS://console:444", "https://console:444"],
  ["https://us.hosted.example.com/us-3-159//", "https://us.hosted.example.com/us-3-159"],
])("keeps port and prefix of the URL %j", (given, expected) => {
  expect(normalizeBaseUrl(given)).toBe(expected);
});

test.each([
  ["", /empty/],
  ["   ", /empty/],
  ["http://console:8083", /begin with https:.*http:\/\//],
  ["ftp://console", /ftp:\/\//],
  ["https://", /neither a host name nor a URL/],
  ["console:port", /neither a host name nor a URL/],
  ["con sole", /neither a host name nor a URL/],
  ["https://console?tenant=1", /query/],
  ["console#1", /fragment/],
  ["https//console", /misspelled scheme/],
  ["https:/console", /misspelled scheme/],
  ["htps//console:8083", /misspelled scheme/],
  ["https://https://console:8083", /misspelled scheme/],
  ["https://console:8083/api/v1", /not contain \/api\/v1/],
])("refuses %j", (given, message) => {
  expect(() => normalizeBaseUrl(given)).toThrow(ConfigurationError);
  expect(() => normalizeBaseUrl(given)).toThrow(message);
});

test.each(["https://admin:canary@console", "admin:canary@console", "http://canary@console"])(
  "an address with credentials is refused, and not shown",
  (given) => {
    expect(() => normalizeBaseUrl(given)).toThrow(/username or a password/);
    expect(() => normalizeBaseUrl(given)).not.toThrow(/canary/);
  },
);

test("is idempotent", () => {
  const once = normalizeBaseUrl("console/tenant");
  expect(normalizeBaseUrl(once)).toBe(once);
});
