import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BrowserLaunchError, launchBrowser, findChromium } from './launch.ts'

const base = mkdtempSync(join(tmpdir(), 'remote-launch-'))
chmodSync(base, 0o711)
afterAll(() => rmSync(base, { recursive: true, force: true }))
/** A program other than Chromium. */
function program(name: string, text: string): string {
  const path = join(base, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}
const launchOptions = (chromium: string, startMs: number) => {
  const folder = join(base, `session-${startMs}`)
  return { slot: 5, folder, size: { width: 300, height: 200 }, proxy: 'http://127.0.0.1:9', chromium, isOwnUser: true, heapMegabytes: 64, startMs }
}
const can = () => {
  try {
    return findChromium({ chromium: '/bin/sh', isOwnUser: true }) !== undefined
  } catch {
    return false
  }
}

test.skipIf(!can()).each([
  ['ends at once', 'exit 1', 60_000],
  ['never answers', 'exec sleep 1000', 100],
])('a browser that %s is reported, and leaves neither a process nor a folder', async (name, text, startMs) => {
  const asked = launchOptions(program(name.replaceAll(' ', '-'), text), startMs)
  await expect(launchBrowser(asked)).rejects.toThrow(BrowserLaunchError)
  expect(existsSync(asked.folder)).toBe(false)
})
