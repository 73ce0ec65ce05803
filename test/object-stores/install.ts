/**
 * Installs servers of object stores for the tests; needs Python 3 with venv, Go, and npm. Later runs use
 * the same installation.
 *
 *   tsx test/object-stores/install.ts          those of test:all
 *   tsx test/object-stores/install.ts minio    MinIO, for test:matrix
 */
import { installAzurite } from "./azurite";
import { installFakeGcs } from "./fake-gcs";
import { installMinio } from "./minio";
import { installMoto } from "./moto";

if (process.argv[2] === "minio") installMinio();
else {
  installAzurite();
  installMoto();
  installFakeGcs();
}
