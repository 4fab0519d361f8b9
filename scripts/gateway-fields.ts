import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findMissingTerms } from '#features/gateway/server/hot/testing/sdk-terms.ts'

/**
 * `npm run gateway:fields [version]`: compares the tables of terms (features/gateway/server/hot/terms) with the vendors' newest SDKs, and
 * prints fields missing from the tables. Exit code 1 if there are any: then decide their terms, and pin the new SDK.
 */
const SDKS = ['openai', '@anthropic-ai/sdk', '@google/genai']

const folder = mkdtempSync(join(tmpdir(), 'gateway-fields-'))
try {
  for (const name of SDKS) console.log(`${name} ${fetchSdk(name)}`)
  const { unknown, gone } = findMissingTerms(folder)
  for (const line of unknown) console.log(`no terms for ${line}`)
  for (const line of gone) console.log(`no longer a type: ${line}`)
  if (unknown.length + gone.length > 0) process.exitCode = 1
  else console.log('Every field, tool, tier and figure has its terms.')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Unpacks the newest version without its dependencies: its types are read, and nothing is run. */
function fetchSdk(name: string): string {
  run('npm', ['pack', `${name}@latest`, '--pack-destination', folder, '--loglevel=error', '--silent'])
  const home = join(folder, 'node_modules', name)
  mkdirSync(home, { recursive: true })
  const packed = `${name.replace('@', '').replace('/', '-')}-*.tgz`
  run('sh', ['-c', `tar -xzf ${packed} --strip-components=1 -C "$1"`, 'sh', home])
  return (JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }).version
}

function run(command: string, args: readonly string[]): void {
  const done = spawnSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
}
