import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Creates a private key and a certificate for `localhost` in memory, by which Terraform authenticates this process. Node's
 * crypto creates keys and signatures but no certificates, and loading a library for them takes half
 * the time of Node's start, so the fields are encoded here (RFC 5280). Clocks may differ by a day.
 */
export function selfSign(now = Date.now()) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(oid("2.5.4.3"), utf8("localhost"))));
  const algorithm = sequence(oid("1.2.840.10045.4.3.2")); // ecdsa-with-SHA256
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))), // Version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    sequence(utcTime(now - DAY_MS), utcTime(now + 365 * DAY_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(
      3,
      sequence(
        extension("2.5.29.19", sequence(TRUE), "critical"), // Its own authority
        extension("2.5.29.15", bits(0b1000_0100, 2), "critical"), // digitalSignature, keyCertSign
        extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1"))), // serverAuth
        extension("2.5.29.17", sequence(der(0x82, Buffer.from("localhost")))),
      ),
    ),
  );
  const signature = sign("sha256", body, privateKey);
  const certificate = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`,
    /** The certificate as DER, base64 without padding, for the handshake. */
    encoded: certificate.toString("base64").replace(/=+$/, ""),
  };
}

/** Encodes a value of ASN.1: tag, length, content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const digits = body.length.toString(16);
  const length = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

const TRUE = der(0x01, Buffer.from([0xff]));

const sequence = (...members: readonly Uint8Array[]) => der(0x30, ...members);
const set = (...members: readonly Uint8Array[]) => der(0x31, ...members);
const tagged = (number: number, content: Uint8Array) => der(0xa0 | number, content);
/** The first byte is below 0x80, so the integer is positive. */
const integer = (bytes: Uint8Array) => der(0x02, bytes);
const utf8 = (text: string) => der(0x0c, Buffer.from(text));
const bits = (byte: number, unused: number) => der(0x03, Buffer.from([unused, byte]));

/** `YYMMDDhhmmssZ`; from 2050 on another type is required. */
function utcTime(time: number): Buffer {
  const digits = new Date(time).toISOString().replace(/\D/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** Seven bits a byte, the highest first; all bytes but the last have the high bit. */
function base128(number: number): number[] {
  const last = number & 0x7f;
  const before = number >> 7;
  return before === 0 ? [last] : [...base128(before).map((byte) => byte | 0x80), last];
}

function extension(id: string, value: Uint8Array, critical?: "critical"): Buffer {
  return sequence(oid(id), ...(critical ? [TRUE] : []), der(0x04, value));
}
