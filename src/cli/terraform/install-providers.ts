import { join } from "node:path";
import { error, type Diagnostic } from "../../core/diagnostics";
import { fileFault } from "../../core/io/file-fault";
import { errorText, fileProblem } from "../../core/io/file-problem";
import { install, PROVIDER_BUNDLE, type Installation } from "../../terraform-provider/installation";
import { ChangedFileError } from "../../terraform-provider/released";

/** The folder below `directory` in which Terraform looks for plugins. */
export function pluginFolder(directory: string): string {
  return join(directory, "terraform.d/plugins");
}

export interface InstalledProvider extends Installation {
  readonly path: string;
}

/**
 * Installs providers below a folder of plugins.
 *
 * @param put - writes one provider; the default leaves it unpacked
 */
export async function installProviders(
  folder: string,
  installations: readonly Installation[],
  put: typeof install = install,
): Promise<{
  readonly installed: readonly InstalledProvider[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const installed: InstalledProvider[] = [];
  try {
    for (const installation of installations) {
      installed.push({ ...installation, path: await put(folder, installation, PROVIDER_BUNDLE) });
    }
    return { installed, diagnostics: [] };
  } catch (failure) {
    const problem = fileProblem(failure);
    if (!problem && !(failure instanceof ChangedFileError)) throw failure;
    const detail = problem ? `${folder}: ${fileFault(failure, folder)}` : errorText(failure);
    return { installed, diagnostics: [error("Provider cannot be installed", detail)] };
  }
}
