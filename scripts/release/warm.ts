import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '#platform/server/database/postgres.ts'
import { PLACEHOLDER_SETTINGS, PRODUCTION_ROLES, startRelease } from './start-release.ts'

/**
 * Starts every role of a release once: Node's compile cache is kept in its folder `compiled`, and the build fails if the release does not
 * start.
 */
export async function warmRelease(folder: string): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'mingxi-warm-'))
  const postgres = await startPostgres(place)
  try {
    const env = {
      ...PLACEHOLDER_SETTINGS,
      DATABASE_URL: postgres.url,
      ROLES: PRODUCTION_ROLES.join(),
      CONSOLE_PORT: '0',
      PROXY_PORT: '0',
      MAILBOX_SMTP_PORT: '0',
    }
    const server = await startRelease(folder, { env, confined: false })
    for (const url of [`${server.url}/`, `${server.url}/login`, `${server.url}/v1/models`, `${server.consoleUrl}/`])
      await fetch(url, { headers: { accept: 'text/html' } }).then((reply) => reply.text())
    await server.stop()
  } finally {
    await postgres.stop()
    rmSync(place, { recursive: true, force: true })
  }
}
