import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

export const remoteMinutes = setting('remote.minutes', z.int().min(1).max(240), { fallback: 20, about: 'Minutes of a use of the remote browser' })
export const remoteIncluded = setting('remote.included', z.object({ standard: z.int().min(0).max(1000), pro: z.int().min(0).max(1000) }), {
  fallback: { standard: 3, pro: 6 },
  about: 'Uses of the remote browser that come with a card that works, by its best type',
})
export const remoteQueueMinutes = setting('remote.queue_minutes', z.int().min(1).max(240), {
  fallback: 30,
  about: 'Minutes that a place is waited for; then the money comes back',
})
export const remoteReadyMinutes = setting('remote.ready_minutes', z.int().min(1).max(60), {
  fallback: 3,
  about: 'Minutes that a browser that stands waits for its user; then it is given up unpaid',
})
export const remoteUnused = setting('remote.unused_a_day', z.int().min(1).max(1000), {
  fallback: 5,
  about: 'Browsers that were held for a member and not opened, within 24 hours; with so many of them nothing new begins',
})
export const remoteMaxMinutes = setting('remote.most_minutes', z.int().min(1).max(480), {
  fallback: 60,
  about: 'Minutes of a session at most, with everything that was added',
})
export const remoteGraceSeconds = setting('remote.grace_seconds', z.int().min(0).max(900), {
  fallback: 180,
  about: 'Seconds of a broken connection that a session gives back, in all',
})
export const remoteMegabytes = setting('remote.megabytes', z.int().min(200).max(8000), {
  fallback: 1000,
  about: 'Megabytes that one remote browser may take; above it ends',
})
export const remoteFiles = setting('remote.files', z.int().min(0).max(200), {
  fallback: 20,
  about: 'Files that a session hands over at most, uploads and downloads together; with 0 it hands over none',
})
export const remoteFileMegabytes = setting('remote.file_megabytes', z.int().min(1).max(200), {
  fallback: 20,
  about: 'Megabytes of one file that a session hands over, at most',
})
export const remoteExit = setting('remote.exit', z.string().max(32), {
  fallback: '',
  about: 'By which exit of `proxy.exits` remote browsers go out; the usual one where empty. What it is called there is what customers read',
})

export const remoteSettings = [
  remoteMinutes,
  remoteIncluded,
  remoteQueueMinutes,
  remoteReadyMinutes,
  remoteUnused,
  remoteMaxMinutes,
  remoteGraceSeconds,
  remoteMegabytes,
  remoteFiles,
  remoteFileMegabytes,
  remoteExit,
]
