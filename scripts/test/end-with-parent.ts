const LOOK_MS = 250

/** Calls back when the process that started this one is gone, killed perhaps, so that nobody could forward its signal. `parent`: its number, where it may be gone already. */
export function endWithParent(gone: () => void, parent = process.ppid): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, LOOK_MS)
  timer.unref()
}
