const LOOK_MS = 250

/** Calls back when the process that started this one is gone, killed perhaps, so that nobody could forward its signal. */
export function endWithParent(gone: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, LOOK_MS)
  timer.unref()
}
