from cdktf import App, TerraformStack, TerraformVariable
from constructs import Construct

from imports.cwp.bootstrap import Bootstrap
from imports.cwp.compliance_policy_set import CompliancePolicySet
from imports.cwp.license_resource import LicenseResource
from imports.cwp.provider import CwpProvider


class Console(TerraformStack):
    def __init__(self, scope: Construct, id: str) -> None:
        super().__init__(scope, id)
        password = self.secret("CONSOLE_PASSWORD")
        CwpProvider(self, "cwp", username="admin", password=password)

        bootstrap = Bootstrap(self, "bootstrap", username="admin", password=password)
        license = LicenseResource(
            self,
            "license",
            key=self.secret("CONSOLE_LICENSE_KEY"),
            depends_on=[bootstrap],
        )
        CompliancePolicySet(
            self,
            "policies",
            ownership="prefix",
            policies=[
                {
                    "name": "No root in production",
                    "resources": {"namespaces": ["prod-*"]},
                    "checks": {"599": True},
                }
            ],
            depends_on=[license],
        )

    def secret(self, name: str) -> str:
        """A variable whose value is in no synthesized file, plan or state."""
        variable = TerraformVariable(self, name, type="string", sensitive=True)
        variable.add_override("ephemeral", True)
        variable.override_logical_id(name)
        return variable.string_value


app = App()
Console(app, "production")
app.synth()
