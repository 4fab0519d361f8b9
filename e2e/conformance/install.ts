import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const CODEX = { package: '@openai/codex', version: '0.169.0' } as const

/** Command-line clients, pinned: what the compatibility page says was seen with these. They are no packages of the project. */
export const PINNED_CLIENTS = {
  'claude-code': { package: '@anthropic-ai/claude-code', version: '2.1.329' },
  'codex': CODEX,
  'codex-socket': CODEX,
  'gemini-cli': { package: '@google/gemini-cli', version: '0.61.0' },
} as const
export type PinnedClientId = keyof typeof PINNED_CLIENTS

/**
 * Installs the tools into their own folder that any user may read, because they run unprivileged when this runs as root, with a copy of this Node,
 * whose own folder may be unreadable. Does nothing if the same versions are installed.
 */
export async function installPinnedClients(folder = process.env['CONFORMANCE_CLIENTS'] ?? join(tmpdir(), 'mingxi-clients')): Promise<string> {
  const wanted = [...new Set(Object.values(PINNED_CLIENTS).map((tool) => `${tool.package}@${tool.version}`))]
  const stamp = join(folder, 'installed.json')
  const said = JSON.stringify({ wanted, node: process.version })
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === said) return folder
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...wanted], { cwd: folder, maxBuffer: 16 * 1024 * 1024 })
  copyFileSync(process.execPath, join(folder, 'bin', 'node'))
  chmodSync(join(folder, 'bin', 'node'), 0o755)
  writeFileSync(stamp, said)
  return folder
}
