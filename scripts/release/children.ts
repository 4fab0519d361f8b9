import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { limitedCommand } from '#platform/server/parsing/limited-command.ts'
import { toReleaseBundleName, listChildPrograms } from './programs.ts'
import type { ChildKind } from './programs.ts'

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
