/** The part of @azure/identity that is used: without those for browsers and developers, a third less. */
export {
  AzureCliCredential,
  ClientAssertionCredential,
  ClientSecretCredential,
  ManagedIdentityCredential,
} from "@azure/identity";
