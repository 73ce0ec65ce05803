import { parseConnectionString } from "../../../src/language/config/connection-string";

test.each<[string, object]>([
  ["", {}],
  [
    "postgres://ann:s%40cret@db.example.com:6432/states?sslmode=verify-full",
    {
      host: "db.example.com",
      port: "6432",
      user: "ann",
      password: "s@cret",
      dbname: "states",
      sslmode: "verify-full",
    },
  ],
  ["postgresql://[::1]/states", { host: "::1", dbname: "states" }],
  ["postgres:///states?host=/run/postgresql", { host: "/run/postgresql", dbname: "states" }],
  ["postgres://", {}],
  [
    String.raw`host=db user = ann password='it\'s here' dbname=a\ b`,
    { host: "db", user: "ann", password: "it's here", dbname: "a b" },
  ],
  ["dbname=states application_name=''", { dbname: "states", application_name: "" }],
])("parses %j", (text, expected) => {
  expect(parseConnectionString(text)).toEqual(expected);
});

test.each([
  "db.example.com",
  "host",
  "host=db =x",
  "password='it''s'",
  "mysql://db/states",
  "postgres://db:port/x",
])("refuses %j", (text) => {
  expect(parseConnectionString(text)).toBeUndefined();
});
