/**
 * Crash points: `CRASH_AT=name` kills the process there with SIGKILL, as a power cut would (money.md L6).
 * `CRASH_AT=name:3` kills at the third passage. The name is a no-op in every process not told to crash.
 */
let wanted = ''
let passages = 1

/** Set once at start-up from the configuration. */
export function armCrashPoint(spec: string | undefined): void {
  const [name = '', count = '1'] = (spec ?? '').split(':')
  wanted = name
  passages = Number(count)
}

export function crashPoint(name: string): void {
  if (name === wanted && --passages === 0) process.kill(process.pid, 'SIGKILL')
}
