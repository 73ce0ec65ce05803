/** Certificates, for the rooms that may not import `api`. */
export { isCertificate } from "../api/http/certificate";
export { EXTRA_CA_VARIABLE } from "../api/http/extra-authorities";
