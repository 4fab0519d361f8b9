import { chmodSync, copyFileSync, linkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildConsole, buildPages } from '#apps/server/pages/pages.ts'
import { createTestDatabase } from '#platform/testing/db.ts'
import { assembleRelease } from '../../scripts/release/assemble.ts'
import { findBrokenChildren } from '../../scripts/release/children.ts'
import { canConfine, PLACEHOLDER_SETTINGS, PRODUCTION_ROLES, startRelease } from '../../scripts/release/start-release.ts'
import { aPayingKey, callChatModel, fetchPageWithFiles, startRehearsalVendor } from './rehearsal.ts'

// The same files as `npm run build`, without its documents and compiled code; `npm run release:try` starts each role of a complete release
// alone.
const dist = join(import.meta.dirname, '../../dist')
mkdirSync(dist, { recursive: true })
const release = mkdtempSync(join(dist, 'release-under-test-'))
afterAll(() => rmSync(release, { recursive: true, force: true }))

/** Hard-links a file, or copies it if it is on another file system. */
const linkOrCopy = (from: string, to: string): void => {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

test('a release starts in every role of production, read-only and without rights: site, console, a model call, workers and children', async () => {
  // built by the run's browser tests already, unless this file runs alone
  const pages = await buildPages(join(release, 'scratch'))
  await buildConsole(join(release, 'scratch'))
  await assembleRelease(release, { pages, version: 'test', put: linkOrCopy })
  chmodSync(release, 0o755)
  expect(await findBrokenChildren(release)).toEqual([])
  // by its port, because the folder of the database's socket is closed to other users
  const url = new URL((await createTestDatabase()).url)
  url.searchParams.delete('host')
  const databaseUrl = url.href
  const vendor = await startRehearsalVendor()
  const server = await startRelease(release, {
    confined: canConfine(),
    env: {
      ...PLACEHOLDER_SETTINGS,
      ROLES: PRODUCTION_ROLES.join(),
      DATABASE_URL: databaseUrl,
      OPENAI_BASE_URL: vendor.url,
      ...{ WARM_PAGES: 'false', CONSOLE_PORT: '0', PROXY_PORT: '0', MAILBOX_SMTP_PORT: '0' },
    },
  })
  try {
    for (const at of [server.url, server.consoleUrl]) {
      const page = await fetchPageWithFiles(`${at}/`)
      expect([page.status, new Set(page.files)]).toEqual([200, new Set([200])])
    }
    expect((await fetch(`${server.url}/extension/mingxi-proxy.zip`)).status).toBe(200)
    expect(await callChatModel(server.url, await aPayingKey(databaseUrl))).toContain('from the vendor')
  } finally {
    await server.stop()
    await vendor.stop()
  }
})
