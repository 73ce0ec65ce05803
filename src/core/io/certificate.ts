import { X509Certificate } from "node:crypto";

/** Reports whether a text is a certificate in PEM. */
export function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
