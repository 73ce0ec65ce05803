/**
 * Installs servers of object stores for the tests; needs Python 3 with venv, and Go. Later runs use
 * the same installation.
 *
 *   tsx test/object-stores/install.ts
 */
import { installFakeGcs } from "./fake-gcs";
import { installMoto } from "./moto";

installMoto();
installFakeGcs();
