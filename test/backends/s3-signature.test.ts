import { signedHeaders } from "../../src/backends/s3-signature";

// The example in AWS's documentation of signatures, version 4.
const KEYS = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

test("signs a request as AWS documents it", () => {
  const url = new URL("https://examplebucket.s3.amazonaws.com/test.txt");
  const request = { method: "GET", url, headers: { range: "bytes=0-9" } };
  const { authorization } = signedHeaders(
    request,
    KEYS,
    "us-east-1",
    new Date("2013-05-24T00:00:00Z"),
  );
  expect(authorization).toBe(
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  );
});

test("signs the token of temporary credentials", () => {
  const url = new URL("https://examplebucket.s3.amazonaws.com/test.txt");
  const keys = { ...KEYS, sessionToken: "token" };
  const headers = signedHeaders({ method: "GET", url, headers: {} }, keys, "us-east-1", new Date());
  expect(headers["x-amz-security-token"]).toBe("token");
  expect(headers.authorization).toContain("x-amz-date;x-amz-security-token,");
});
