/** Certificates, for the rooms that may not import `api`. */
export { isCertificate } from "../core/io/certificate";
export { EXTRA_CA_VARIABLE } from "../core/io/extra-authorities";
