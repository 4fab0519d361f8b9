import { existsSync } from 'node:fs'

const PATHS = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium']

export const BROWSER_ARGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The machine's Chromium; `npm run doctor` says how to get it. */
export function chromiumPath(): string {
  const found = PATHS.find((path) => path && existsSync(path))
  if (!found) throw new Error('No Chromium found. On Debian: apt-get update && apt-get install -y chromium fonts-noto-cjk')
  return found
}
