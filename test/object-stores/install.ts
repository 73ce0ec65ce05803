/**
 * Installs servers of object stores for the tests; needs Python 3 with venv, Go, and npm. Later runs use
 * the same installation.
 *
 *   tsx test/object-stores/install.ts
 */
import { installAzurite } from "./azurite";
import { installFakeGcs } from "./fake-gcs";
import { installMoto } from "./moto";

installAzurite();
installMoto();
installFakeGcs();
