import { RegistryScan } from "cdktf-console";
import { stack } from "../../stack";

new RegistryScan(stack, "registries", {
  ownership: "shared", // other registries, repositories and tags stay as they are
  specifications: [
    {
      registry: "registry.example.com",
      repository: "team/*",
      tag: "v*",
      cap: 5,
      credentialId: "registry-reader", // stored on the console
    },
  ],
});
