// Loaded into each measured process: writes what it took when it ends.
const { readFileSync, writeFileSync } = require("node:fs");

process.once("exit", () => {
  const { user, system } = process.cpuUsage();
  const measured = {
    wallMs: performance.now(),
    cpuMs: (user + system) / 1000,
    mainCpuMs: mainThread(),
    peakKb: process.resourceUsage().maxRSS,
  };
  writeFileSync(process.env.MEASURED_FILE, JSON.stringify(measured));
});

/** CPU time of the main thread; V8 compiles and collects in others. Linux only. */
function mainThread() {
  if (process.platform !== "linux") return null;
  const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return ticks * 10;
}
