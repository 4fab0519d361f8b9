import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listRunProcesses, readPidStat } from './processes.ts'

/**
 * Everything that a run starts or writes belongs to one folder: its processes carry the path in their environment, and their temporary
 * files are in it. A keeper in a separate session waits for the run's end, whatever its cause, and ends the remaining processes.
 */
export interface RunFolder {
  readonly folder: string
  /** Environment for every process of the run. */
  readonly env: Readonly<Record<string, string>>
  /** Ends all processes of the run, and resolves when they are gone. */
  end(): Promise<void>
  /** Ends all processes of the run and removes the folder. */
  remove(): Promise<void>
}

export const RUN_VARIABLE = 'MINGXI_RUN'
const PREFIX = 'mingxi-run-'
const KEEPER = join(import.meta.dirname, 'keeper.ts')
/** Time for PostgreSQL and browsers to exit before they are killed. */
const GRACE_MS = 3_000

export function openRunFolder(base = tmpdir()): RunFolder {
  const folder = mkdtempSync(join(base, PREFIX))
  // Traversable, but not readable, for the system users that remote browsers run as.
  chmodSync(folder, 0o711)
  writeFileSync(join(folder, 'owner'), JSON.stringify({ pid: process.pid, startedAt: readPidStat(process.pid)?.startedAt }))
  const keeper = spawn(process.execPath, [KEEPER, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env: removeRunVariable(process.env),
  })
  keeper.on('error', () => {})
  keeper.stdin.on('error', () => {})
  keeper.unref()
  ;(keeper.stdin as unknown as { unref(): void }).unref()
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  return {
    folder,
    // Code compiled by one process of the run is reused by the next one.
    env: { [RUN_VARIABLE]: folder, TMPDIR: temporary, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    end: () => endProcesses(folder),
    remove: () => removeRun(folder),
  }
}

/** Ends the remaining processes of a run and removes its folder. */
export async function removeRun(folder: string): Promise<void> {
  await endProcesses(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Cleans up after runs whose owner is dead, including keepers; reports which. */
export async function removeStaleRuns(base = tmpdir()): Promise<string[]> {
  const left = readdirSync(base)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(base, name))
    .filter((folder) => !isOwned(folder))
  for (const folder of left) await removeRun(folder)
  return left
}

async function endProcesses(folder: string): Promise<void> {
  const left = () => listRunProcesses(`${RUN_VARIABLE}=${folder}`, folder)
  // PostgreSQL frees its shared memory on SIGQUIT, its immediate shutdown; all others are killed on the second pass.
  for (const { pid, name } of left()) sendSignal(pid, name === 'postgres' ? 'SIGQUIT' : 'SIGKILL')
  for (let waited = 0; ; waited += 20) {
    const rest = left()
    if (rest.length === 0) return
    if (waited >= GRACE_MS) for (const { pid } of rest) sendSignal(pid, 'SIGKILL')
    await new Promise((done) => setTimeout(done, 20))
  }
}

function isOwned(folder: string): boolean {
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(join(folder, 'owner'), 'utf8')) as { pid: number; startedAt: string }
    return readPidStat(pid)?.startedAt === startedAt
  } catch {
    return false
  }
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already exited.
  }
}

const removeRunVariable = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...env, [RUN_VARIABLE]: undefined })
