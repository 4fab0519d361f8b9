// Finds the machine's Chromium; on Debian as root it installs one, with a font that has Chinese. Runs on Node 20 and newer.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The headless shell first: the same engine without windows, so opening a page costs a fifth of the processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const install = (/** @type {string} */ browsers) => `apt-get install -y --no-install-recommends ${browsers} fonts-noto-cjk`
/** The full browser too: Lighthouse needs windows. */
export const INSTALL = `apt-get update && ${install('chromium chromium-headless-shell')}`
/** Distributions without a package of the shell. */
const INSTALL_ANY = `${INSTALL} || ${install('chromium')}`

/** Full path of a program on PATH, or undefined. */
export function onPath(name, env = process.env) {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // Not in this folder.
    }
  }
  return undefined
}

/** Finds the browser for tests: CHROMIUM if set, else the first known name on PATH. */
export function findChromium(env = process.env) {
  if (env.CHROMIUM) return existsSync(env.CHROMIUM) ? env.CHROMIUM : undefined
  for (const name of NAMES) {
    const found = onPath(name, env)
    if (found) return found
  }
  return undefined
}

/** Checks for a Chinese font, without which every Chinese screenshot is wrong. Undefined if the machine cannot tell (no fontconfig). */
export function hasChineseFont(env = process.env) {
  if (!onPath('fc-list', env)) return undefined
  return spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8', env }).stdout.trim() !== ''
}

/** Installs the shell beside a full Chromium, if this machine allows it; otherwise the full browser is used. */
function cheapest(/** @type {string} */ found, /** @type {(line: string) => void} */ say) {
  if (process.env.CHROMIUM || found.endsWith(NAMES[0] ?? '') || process.getuid?.() !== 0 || !onPath('apt-get')) return found
  say('installing chromium-headless-shell, which opens a page for a fifth ...')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', NAMES[0] ?? ''], { stdio: 'ignore', env, timeout: 60_000 })
  return findChromium() ?? found
}

/** Finds or installs a browser; if neither works, the message explains the manual steps. */
export function ensureChromium(say = console.log) {
  const found = findChromium()
  const font = hasChineseFont()
  if (found && font !== false) return { path: cheapest(found, say), problem: undefined }
  const missing = found ? 'No font with Chinese was found' : 'No Chromium was found'
  if (process.env.CHROMIUM && !found) return { path: undefined, problem: `CHROMIUM=${process.env.CHROMIUM} does not exist` }
  if (process.getuid?.() !== 0 || !onPath('apt-get'))
    return { path: found, problem: `${missing}. Run: sudo sh -c '${INSTALL}'   (or set CHROMIUM=/path/to/chrome)` }
  say(`${missing}; installing Chromium and fonts-noto-cjk ...`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const done = spawnSync('sh', ['-c', INSTALL_ANY], { stdio: ['ignore', 'ignore', 'inherit'], env })
  const path = findChromium()
  return { path, problem: done.status === 0 && path ? undefined : `${missing}, and installing failed. Run: ${INSTALL}` }
}
