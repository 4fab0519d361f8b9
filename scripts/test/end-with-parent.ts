const PARENT_POLL_MS = 250

/** Calls back when the parent process has ended, perhaps killed without forwarding a signal. `parent`: its pid, if it may already be gone. */
export function endWithParent(gone: () => void, parent = process.ppid): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, PARENT_POLL_MS)
  timer.unref()
}
