// Finds a Redis or Valkey server for the tests of limits, or installs one on Debian as root. Without one those tests are skipped.
import { spawnSync } from 'node:child_process'
import { onPath } from './chromium.mjs'

const INSTALL = 'apt-get update && apt-get install -y --no-install-recommends redis-server'

export function findRedis(env = process.env) {
  return onPath('redis-server', env) ?? onPath('valkey-server', env)
}

/** Installs Redis if needed and possible; returns a message for the user if there is none. The package's own service is not started. */
export function ensureRedis(say = console.log) {
  if (findRedis()) return undefined
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return `No Redis was found: its tests are skipped. Run: sudo sh -c '${INSTALL}'`
  say('No Redis was found; installing redis-server ...')
  const done = spawnSync('sh', ['-c', INSTALL], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  })
  return done.status === 0 && findRedis() ? undefined : `No Redis was found, and installing failed: its tests are skipped. Run: ${INSTALL}`
}
