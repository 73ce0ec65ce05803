const INTERVAL = 1000;

/**
 * Calls back, once, when the process that started this one is gone: a Terraform that was killed
 * says no goodbye. Gives a function that looks at once.
 */
export function watchParent(onGone: () => void): () => void {
  const parent = process.ppid;
  const timer = setInterval(look, INTERVAL);
  timer.unref();
  function look(): void {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }
  return look;
}
