import type { Db } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createSettings } from '#platform/server/settings.ts'
import { aProxyNode } from '#features/proxy/server/builders.ts'
import { browserFiles } from './settings.ts'

/** Offers the accelerated browser with a file for Windows, none for macOS, and a running proxy. */
export async function anOfferedBrowser(db: Db): Promise<void> {
  const windows = { url: 'https://files.example/browser.exe', sha256: 'ab'.repeat(32), version: '1.2.0', bytes: 98_000_000 }
  await aProxyNode(db)
  await transact(db, SYSTEM, (tx) => createSettings(db).set(tx, browserFiles, { windows, macos: null }))
}

/** Removes the download files, as on a new machine. */
export async function anUnofferedBrowser(db: Db): Promise<void> {
  await transact(db, SYSTEM, (tx) => createSettings(db).set(tx, browserFiles, browserFiles.fallback))
}
