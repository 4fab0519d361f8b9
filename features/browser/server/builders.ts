import type { Sql } from '#platform/server/database/db.ts'
import { browserFiles } from './settings.ts'

/** The accelerated browser is offered: a file for Windows, none for macOS. */
export async function anOfferedBrowser(sql: Sql): Promise<void> {
  const windows = { url: 'https://files.example/browser.exe', sha256: 'ab'.repeat(32), version: '1.2.0', bytes: 98_000_000 }
  await sql.query(`insert into settings (key, value, updated_by) values ($1, $2, 'test') on conflict (key) do update set value = excluded.value`, [
    browserFiles.key,
    JSON.stringify({ windows, macos: null }),
  ])
}
