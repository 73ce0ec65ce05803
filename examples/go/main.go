package main

import (
	"example.com/console/generated/cdktf-console/cwp/bootstrap"
	"example.com/console/generated/cdktf-console/cwp/compliancepolicyset"
	"example.com/console/generated/cdktf-console/cwp/licenseresource"
	"example.com/console/generated/cdktf-console/cwp/provider"
	"github.com/aws/jsii-runtime-go"
	"github.com/hashicorp/terraform-cdk-go/cdktf"
)

// secret returns a variable whose value is in no synthesized file, plan or state.
func secret(stack cdktf.TerraformStack, name string) *string {
	variable := cdktf.NewTerraformVariable(stack, jsii.String(name), &cdktf.TerraformVariableConfig{
		Type:      jsii.String("string"),
		Sensitive: jsii.Bool(true),
	})
	variable.AddOverride(jsii.String("ephemeral"), true)
	variable.OverrideLogicalId(jsii.String(name))
	return variable.StringValue()
}

func main() {
	app := cdktf.NewApp(nil)
	stack := cdktf.NewTerraformStack(app, jsii.String("production"))
	password := secret(stack, "CONSOLE_PASSWORD")
	provider.NewCwpProvider(stack, jsii.String("cwp"), &provider.CwpProviderConfig{
		Username: jsii.String("admin"),
		Password: password,
	})

	signUp := bootstrap.NewBootstrap(stack, jsii.String("bootstrap"), &bootstrap.BootstrapConfig{
		Username: jsii.String("admin"),
		Password: password,
	})
	license := licenseresource.NewLicenseResource(stack, jsii.String("license"), &licenseresource.LicenseResourceConfig{
		Key:       secret(stack, "CONSOLE_LICENSE_KEY"),
		DependsOn: &[]cdktf.ITerraformDependable{signUp},
	})
	compliancepolicyset.NewCompliancePolicySet(stack, jsii.String("policies"), &compliancepolicyset.CompliancePolicySetConfig{
		Ownership: jsii.String("prefix"),
		Policies: []*compliancepolicyset.CompliancePolicySetPolicies{{
			Name:   jsii.String("No root in production"),
			Checks: &map[string]interface{}{"599": true},
		}},
		DependsOn: &[]cdktf.ITerraformDependable{license},
	})
	app.Synth()
}
