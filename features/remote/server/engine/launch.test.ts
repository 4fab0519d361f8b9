import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { CannotLaunch, launch, launchable } from './launch.ts'

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
const wish = (chromium: string, startMs: number) => {
  const folder = join(base, `session-${startMs}`)
  return { slot: 5, folder, size: { width: 300, height: 200 }, proxy: 'http://127.0.0.1:9', chromium, isOwnUser: true, heapMegabytes: 64, startMs }
}
const can = () => {
  try {
    return launchable({ chromium: '/bin/sh', isOwnUser: true }) !== undefined
  } catch {
    return false
  }
}

test.skipIf(!can()).each([
  ['ends at once', 'exit 1', 60_000],
  ['never answers', 'exec sleep 1000', 100],
])('a browser that %s is reported, and leaves neither a process nor a folder', async (name, text, startMs) => {
  const asked = wish(program(name.replaceAll(' ', '-'), text), startMs)
  await expect(launch(asked)).rejects.toThrow(CannotLaunch)
  expect(existsSync(asked.folder)).toBe(false)
})
