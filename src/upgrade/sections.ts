/** A section of the specification that says what a release changes. */
export interface Section {
  /** Stable: reports name rules by it. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** What findings refer to, by section. */
export const SECTIONS: Readonly<Record<string, Section>> = {
  "9.1.1": {
    name: "defender-install-method",
    title: "Defender installation files are asked for by POST",
    description:
      "From release 20.09 on, the four endpoints that give out defender installation files take POST. Up to 20.04 they took GET.",
  },
  "9.1.2": {
    name: "inline-credentials",
    title: "Credentials are named by ID only",
    description:
      "From release 20.09 on, registry and serverless scan settings name stored credentials by ID. Inline credentials are refused in what is sent, and are empty in what is answered.",
  },
  "9.1.3": {
    name: "auto-deploy-path",
    title: "Serverless auto-protect is called auto-deploy",
    description:
      "Release 20.09 renames the endpoints of serverless auto-protect: the settings and the status have other paths.",
  },
  "9.2": {
    name: "deprecated",
    title: "Deprecated in release 20.09",
    description:
      "Release 20.09 deprecates endpoints of network firewall policies, host models, high availability, radar and others. They still answer; the rules of network firewall policies are deleted by the upgrade.",
  },
  "9.3.1": {
    name: "compliance-statistics",
    title: "Compliance statistics have other data",
    description:
      "The release after 20.12 answers stats/compliance with rates, a trend and a list of all checks. The data of today is removed.",
  },
  "9.3.3": {
    name: "serverless-scan-scope",
    title: "Serverless scan scopes are set per account, and replaced by PUT",
    description:
      "In the release after 20.12 a serverless scan scope has no region and no pattern and takes several credential IDs. PUT replaces all scopes; POST, which did so before, adds one.",
  },
  "9.3.4": {
    name: "custom-rules-path",
    title: "Custom rules have another path",
    description:
      "In the release after 20.12 the path policies/runtime/custom-rules becomes custom-rules.",
  },
  "9.3.5": {
    name: "scanner-report",
    title: "Image scanner reports have another schema",
    description:
      "In the JSON output file of the release after 20.12's image scanner, riskFactors is an array of strings, and publishedDate and discoveredDate take the place of publishedDays and discoveredDays.",
  },
  "9.3.6": {
    name: "defended",
    title: "Protected becomes defended",
    description:
      "The release after 20.12 says defended for protected: in query parameters, members of answers and CSV columns of the serverless, cloud discovery and auto-deploy endpoints.",
  },
  "9.3.7": {
    name: "layer-time",
    title: "The layer time of binaries is deprecated",
    description:
      "The release after 20.12 deprecates binaries[].layerTime in image scan reports: applications[].layerTime is its equivalent.",
  },
  "9": {
    name: "other-release",
    title: "Belongs to another release",
    description:
      "What is configured or called belongs to a release that is not the one upgraded to.",
  },
};
