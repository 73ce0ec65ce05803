/** The program of the suite that imports this file first; jest gives each suite its own environment. */
process.env.CONFORMANCE = "terraform-1.15";
