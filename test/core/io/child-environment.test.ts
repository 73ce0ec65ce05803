import { childEnvironment } from "../../../src/core/io/child-environment";

test("leaves out what the ephemeral variables of the run are read from", () => {
  const environment = {
    PATH: "/bin",
    PASSWORD: "a",
    TF_VAR_PASSWORD: "b",
    PASSWORD_FILE: "c",
    TF_VAR_REGION: "d",
  };
  expect(childEnvironment(environment, new Set(["PASSWORD", "TOKEN"]))).toEqual({
    PATH: "/bin",
    PASSWORD_FILE: "c",
    TF_VAR_REGION: "d",
  });
});

test("leaves out credentials of consoles and of servers of states, and keeps those of clouds", () => {
  const hidden = {
    CONSOLE_PASSWORD: "a",
    CONSOLE_TOKEN: "b",
    CONSOLE_LICENSE_KEY: "c",
    TF_VAR_CONSOLE_PASSWORD: "d",
    TF_VAR_api_token: "e",
    TF_HTTP_PASSWORD: "f",
    PGPASSWORD: "g",
    TF_TOKEN_app_terraform_io: "h",
    TF_HTTP_CLIENT_PRIVATE_KEY_PEM: "i",
    TF_HTTP_ADDRESS: "https://ann:words@states.example/s",
    TF_HTTP_LOCK_ADDRESS: "https://:words@states.example/s",
    PG_CONN_STR: "postgres://ann:words@db/states",
    TF_VAR_connection: "host=db user=ann password=words",
  };
  const kept = {
    PATH: "/bin",
    CONSOLE_URL: "https://c:8083/a@b",
    TF_HTTP_UNLOCK_ADDRESS: "https://states.example:8443/s?a=b@c",
    PG_SCHEMA_NAME: "states",
    CONSOLE_CLIENT_KEY_FILE: "key.pem",
    AWS_SECRET_ACCESS_KEY: "i",
    GOOGLE_CREDENTIALS: "j",
    ARM_CLIENT_SECRET: "k",
    GITHUB_TOKEN: "l",
  };
  expect(childEnvironment({ ...hidden, ...kept })).toEqual(kept);
});
