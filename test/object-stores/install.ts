/**
 * Installs the servers of object stores for the tests. Later runs use the same installation.
 *
 *   tsx test/object-stores/install.ts
 */
import { installMoto } from "./moto";

installMoto();
