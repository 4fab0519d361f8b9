import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into the server (`--import`): writes, ten times a second, the longest processor time of one turn of its loop, in milliseconds, to
 * LOOP_DELAY_FILE. Processor time instead of elapsed time excludes other processes of the machine. Worker threads load this too, but are
 * meant to be blocked.
 */
const file = process.env['LOOP_DELAY_FILE']
if (file !== undefined && isMainThread) {
  const used = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let last = used()
  let longest = 0
  setInterval(() => {
    const now = used()
    longest = Math.max(longest, now - last)
    last = now
  }, 1).unref()
  setInterval(() => {
    appendFileSync(file, `${longest.toFixed(1)}\n`)
    longest = 0
  }, 100).unref()
}
