import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'

/**
 * Crash points: `CRASH_AT=name` kills the process there with SIGKILL, like a power cut (L6). `CRASH_AT=name:3` kills at the third passage.
 * `CRASH_AT=@file` reads the name from a file at each point and kills once: the file is removed first. A name in a file may also pause: `stop:name`
 * sends SIGSTOP to the process, `block:name` blocks its event loop; meanwhile the file is renamed to `<file>-held`, and a blocked loop continues when
 * that is removed. Without CRASH_AT a crash point is a no-op.
 */
let armedPoint = ''
let passagesLeft = 1
let crashFile: string | undefined

/** Set once at start-up from the configuration. */
export function armCrashPoint(spec: string | undefined): void {
  crashFile = spec?.startsWith('@') ? spec.slice(1) : undefined
  const [name = '', count = '1'] = (crashFile ? '' : (spec ?? '')).split(':')
  armedPoint = name
  passagesLeft = Number(count)
}

export function crashPoint(name: string): void {
  if (crashFile) return crashByFile(crashFile, name)
  if (name === armedPoint && --passagesLeft === 0) process.kill(process.pid, 'SIGKILL')
}

const FILE_POLL_MS = 20

function crashByFile(path: string, name: string): void {
  let named: string
  try {
    named = readFileSync(path, 'utf8')
  } catch {
    return // No file, no crash.
  }
  const how = named.includes(':') ? named.slice(0, named.indexOf(':')) : 'kill'
  if (named.slice(named.indexOf(':') + 1) !== name) return
  if (how === 'kill') {
    rmSync(path)
    process.kill(process.pid, 'SIGKILL')
    return
  }
  const held = `${path}-held`
  renameSync(path, held)
  if (how === 'stop') process.kill(process.pid, 'SIGSTOP')
  else while (existsSync(held)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FILE_POLL_MS)
}
