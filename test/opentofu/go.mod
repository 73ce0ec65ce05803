// Builds OpenTofu, the second program that runs our provider in the tests (install.ts). A `replace`
// holds only in the main module, so this one repeats that of OpenTofu.
module cdktf-console/test/opentofu

go 1.26.6

tool github.com/opentofu/opentofu/cmd/tofu

require github.com/opentofu/opentofu v1.12.6

replace github.com/hashicorp/hcl/v2 v2.20.1 => github.com/opentofu/hcl/v2 v2.20.2-0.20251021132045-587d123c2828
