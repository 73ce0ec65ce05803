import { CertificateAuthority, type KeyedCertificate } from "./certificates";

/** The certificate of a server, and the authority that its clients have to trust, as PEM. */
export interface Identity {
  readonly ca: string;
  readonly identity: KeyedCertificate;
}

/** Issued by an authority that nobody keeps. `addresses`: further ones of this machine. */
export async function newIdentity(addresses: readonly string[]): Promise<Identity> {
  const authority = await CertificateAuthority.create("Simulated console");
  return { ca: authority.certificate, identity: await authority.issueServerCertificate(addresses) };
}
