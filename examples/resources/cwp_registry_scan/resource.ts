import { RegistryScan } from "cdktf-console";
import { stack } from "../../stack";

new RegistryScan(stack, "registries", {
  ownership: "shared", // unmanaged specifications are kept
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
