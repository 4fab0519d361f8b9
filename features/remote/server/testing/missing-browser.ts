import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BrowserLaunchError, launchBrowser } from '../engine/launch.ts'

/** The reason this machine starts no Chromium with its sandbox on, as in a container without user namespaces; session tests are skipped then. */
export async function explainMissingBrowser(): Promise<string | undefined> {
  const base = mkdtempSync(join(tmpdir(), 'why-not-'))
  chmodSync(base, 0o711)
  try {
    const launched = await launchBrowser({
      slot: 63,
      folder: join(base, 'session'),
      size: { width: 300, height: 200 },
      proxy: 'http://127.0.0.1:9',
      isOwnUser: true,
      heapMegabytes: 64,
    })
    await launched.end()
    return undefined
  } catch (error) {
    if (!(error instanceof BrowserLaunchError)) throw error
    console.log(`remote browsers are not tested here: ${error.message}`)
    return error.message
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}
