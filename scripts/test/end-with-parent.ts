const LOOK_MS = 250

/** Calls back when the parent process has ended, perhaps killed without forwarding a signal. `parent`: its pid, if it may already be gone. */
export function endWithParent(gone: () => void, parent = process.ppid): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, LOOK_MS)
  timer.unref()
}
