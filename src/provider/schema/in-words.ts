// For the executor, which sees nothing of the API.
export { inWords, MISSING } from "../../api/schema-messages";
