import { existsSync } from 'node:fs'

const PATHS = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
]

export const BROWSER_ARGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A fake microphone, granted automatically: headless runs have no Allow button.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
]

/** The machine's Chromium; `npm run doctor` explains how to get it. `windows`: the full browser instead of the headless shell. */
export function findInstalledChromium({ windows = false } = {}): string {
  const found = PATHS.find((path) => path && existsSync(path) && !(windows && path.endsWith('-shell')))
  if (!found) throw new Error('No Chromium found. On Debian: apt-get update && apt-get install -y chromium fonts-noto-cjk')
  return found
}
