/**
 * The phrases of Terraform and OpenTofu by which a failed `init` is understood, since it has no JSON.
 * Lines are broken and framed at any place, and each space matches that. The error of a release with other
 * words is printed without advice.
 */
export const PHRASES = {
  backendChanged: phrase("Backend configuration changed"),
  workspaceMissing: phrase("[Cc]urrently selected workspace"),
  otherChecksums: phrase("do(es)?n?'?t? (not )?match any of the checksums"),
  /** The group is the source of a provider, which may begin with the host of a registry. */
  providerNamed: phrase("(?:provider|installing|query) (?:[\\w.-]+\\.\\w+\\/)?([\\w-]+\\/[\\w-]+)"),
} as const;

function phrase(pattern: string): RegExp {
  return new RegExp(pattern.replaceAll(" ", "[\\s│]+"), "g");
}

/** Reports whether the output of a program has a phrase. */
export function says(output: string | undefined, name: keyof typeof PHRASES): boolean {
  return output !== undefined && output.search(PHRASES[name]) !== -1;
}
