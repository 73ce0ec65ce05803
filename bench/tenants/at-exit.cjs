// Loaded into each measured process: writes what it took when it ends.
const { writeFileSync } = require("node:fs");

process.once("exit", () => {
  const { user, system } = process.cpuUsage();
  const measured = {
    wallMs: performance.now(),
    cpuMs: (user + system) / 1000,
    peakKb: process.resourceUsage().maxRSS,
  };
  writeFileSync(process.env.MEASURED_FILE, JSON.stringify(measured));
});
