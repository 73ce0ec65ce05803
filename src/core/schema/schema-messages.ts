// Re-exported for the executor, which does not import the API.
export { schemaMessages, MISSING } from "../../api/check";
