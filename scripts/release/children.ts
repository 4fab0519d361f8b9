import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { limitedCommand } from '#platform/server/parsing/limited-command.ts'
import { toReleaseBundleName, listChildPrograms, type ChildKind } from './programs.ts'
import { commands } from '../commands.mjs'

// The program of a release: `mingxi` serves, `mingxi migrate` brings the database up to date, `mingxi COMMAND` is `npm run COMMAND` of a checkout.
const PROGRAMS: Readonly<Record<string, () => Promise<unknown>>> = {
  'apps/server/main.ts': () => import('#apps/server/main.ts'),
  'apps/server/operate/operate-command.ts': () => import('#apps/server/operate/operate-command.ts'),
  'apps/server/first-owner-command.ts': () => import('#apps/server/first-owner-command.ts'),
  'apps/server/reseal-command.ts': () => import('#apps/server/reseal-command.ts'),
  'features/wallet/server/verify-command.ts': () => import('#features/wallet/server/verify-command.ts'),
  'features/gateway/server/books/compare-command.ts': () => import('#features/gateway/server/books/compare-command.ts'),
  'features/gateway/server/usage/sums-command.ts': () => import('#features/gateway/server/usage/sums-command.ts'),
}
const SERVER = 'apps/server/main.ts'

const [name = 'serve', ...rest] = process.argv.slice(2)
const program = name === 'serve' || name === 'migrate' ? SERVER : commands[name]
const load = program === undefined ? undefined : PROGRAMS[program]
if (program !== undefined && load) {
  process.argv = [process.execPath, program, ...(name === 'migrate' ? ['--migrate'] : []), ...rest]
  await load()
} else {
  console.error(`mingxi: unknown command ${name}. Known: serve (default), migrate, version, ${Object.keys(commands).join(', ')}`)
  process.exitCode = 2
}

const IN_PROCESS = 'import(process.argv[1]).then(() => process.exit(0))'
/** A worker's module reads its port while loading. */
const IN_THREAD = `
const { Worker } = require('node:worker_threads')
const code = 'import(' + JSON.stringify(process.argv[1]) + ").then(() => require('node:worker_threads').parentPort.postMessage('loaded'))"
new Worker(code, { eval: true, workerData: {} }).once('message', () => process.exit(0))
`
const LIMITS = { dataBytes: 2_000_000_000, cpuSeconds: 60, heapMb: 512 } as const

/** Starts a parser as the server does, within its limits: it reports that it is ready, and exits with its input. */
function buildCommand(kind: ChildKind, entry: string, node: string): { command: string; args: string[] } {
  if (kind === 'parser') return limitedCommand({ entry, limits: LIMITS, usesAddons: true })
  return { command: node, args: ['--input-type=commonjs', '-e', kind === 'worker' ? IN_THREAD : IN_PROCESS, entry] }
}

/** Finds workers and child processes that a release lacks, or that do not load there, with the reason. */
export async function findBrokenChildren(release: string): Promise<string[]> {
  const looks = [...listChildPrograms()].map(async ([source, kind]) => {
    const entry = join(release, 'server', `${toReleaseBundleName(source)}.mjs`)
    if (!existsSync(entry)) return [`${source} is missing`]
    const { command, args } = buildCommand(kind, entry, join(release, 'bin/node'))
    const child = spawn(command, args, { env: {}, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const code = await new Promise((done) => child.once('exit', done))
    return code === 0 ? [] : [`${source} does not load: ${said.slice(0, 500)}`]
  })
  return (await Promise.all(looks)).flat()
}
