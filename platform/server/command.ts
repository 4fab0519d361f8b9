import { resolve } from 'node:path'
import { Failure } from '#platform/shared/errors.ts'
import { systemClock } from './clock.ts'
import { ConfigError, platformConfig, readConfig } from './config.ts'
import type { PlatformConfig, SettingProblem, ConfigShape } from './config.ts'
import { armCrashPoint } from './crash.ts'
import { connect } from './database/db.ts'
import { collectCommands } from './feature.ts'
import type { Deps, Feature } from './feature.ts'
import { loadInstallationKeys } from './sealing/installation-key.ts'
import { createJobs } from './jobs.ts'
import type { Jobs } from './jobs.ts'
import { createLog } from './log.ts'
import { createOrigins } from './http/origins.ts'
import { hasEmbeddedPostgres } from './database/postgres-programs.ts'
import { startPostgres } from './database/postgres.ts'
import { createSettings } from './settings.ts'

/**
 * Runs an operator's command on the installation's database; starts the embedded one if it is not running. `shape` lists the environment
 * variables that the command reads in addition to the platform's. A refusal or a missing setting is printed, and the exit code is 1.
 */
export async function runInstallationCommand(
  name: string,
  shape: ConfigShape,
  { work, features = [] }: { readonly work: (deps: Deps) => Promise<void>; readonly features?: readonly Feature[] },
): Promise<void> {
  try {
    await runWithDeps(readConfig({ ...platformConfig, ...shape }, undefined, findMissingDatabase), { name, work, features })
  } catch (error) {
    const lack = describeFixableError(error)
    if (lack === undefined) throw error
    console.error(lack)
    process.exitCode = 1
  }
}

function findMissingDatabase({ DATABASE_URL }: Partial<PlatformConfig>): SettingProblem[] {
  if (DATABASE_URL || hasEmbeddedPostgres()) return []
  return [
    { setting: 'DATABASE_URL', problem: 'address of the database that the servers use; on a machine set up by deploy/README.md, /etc/mingxi/secrets/app_url' },
  ]
}

/** Advice by SQLSTATE or system error code. */
const FIXABLE_ERRORS: Readonly<Record<string, string>> = {
  'ECONNREFUSED': 'the database does not answer: is PostgreSQL started, and DATABASE_URL its address?',
  'ENOTFOUND': 'the host of the database is not known: is DATABASE_URL right?',
  'ETIMEDOUT': 'the database does not answer: is DATABASE_URL its address?',
  '28P01': "the database refuses the user's password: is DATABASE_URL right?",
  '28000': 'the database refuses the user: is DATABASE_URL right?',
  '3D000': 'there is no such database: is DATABASE_URL right?',
  '42P01': 'the database has no tables of this program yet: start the server once, or run `migrate`',
  '42883': 'the database has no functions of this program yet: start the server once, or run `migrate`',
  '42501': 'the user of DATABASE_URL may not do this: use the one that the servers use',
}

/** Describes in one line an error that the user can fix; undefined for a bug. */
function describeFixableError(error: unknown): string | undefined {
  if (error instanceof Failure) return `${error.errorName} ${JSON.stringify(error.data ?? {})}`
  if (error instanceof ConfigError) return error.message
  const { code = '', message, errors: [first] = [] } = error as Error & { code?: string; errors?: (Error & { code?: string })[] }
  const advice = FIXABLE_ERRORS[code] ?? FIXABLE_ERRORS[first?.code ?? '']
  return advice && `${advice} (${message || first?.message})`
}

interface Command {
  readonly name: string
  readonly work: (deps: Deps) => Promise<void>
  readonly features: readonly Feature[]
}

async function runWithDeps(config: PlatformConfig & Readonly<Record<string, unknown>>, { name, work, features }: Command): Promise<void> {
  armCrashPoint(config.CRASH_AT)
  const dataDir = resolve(config.DATA_DIR)
  const postgres = config.DATABASE_URL ? undefined : await startPostgres(dataDir)
  const databaseUrl = config.DATABASE_URL ?? postgres!.url
  const db = connect(databaseUrl, { max: 4, name: `mingxi-${name}` })
  const log = createLog('warn')
  const jobs = createJobs(databaseUrl, log, { keeps: false, migrates: false })
  let opened: Promise<void> | undefined
  /** Opens the queue on first use: most commands enqueue nothing, and opening it is slow. */
  const send: Jobs['send'] = async (...job) => {
    await (opened ??= jobs.start([], deps, false))
    await jobs.send(...job)
  }
  const deps: Deps = {
    db,
    config,
    settings: createSettings(db),
    jobs: { send },
    log,
    clock: systemClock,
    commands: collectCommands(features),
    publicUrl: () => config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://127.0.0.1:${config.PORT}`,
    siteUrl: createOrigins(config, () => config.PORT).stored,
    // Loaded lazily: loading generates a key if there is none.
    get secretKey() {
      return loadInstallationKeys(config, dataDir)[0]
    },
    get secretKeys() {
      return loadInstallationKeys(config, dataDir)
    },
  }
  try {
    await work(deps)
  } finally {
    if (opened) await jobs.stop()
    await db.close()
    await postgres?.stop()
  }
}

/** The actor recorded for a command: the operator given with `--as`, else the command itself. */
export function toOperatorActor(as: string | undefined): { readonly kind: 'operator'; readonly id: string } {
  return { kind: 'operator', id: as ?? 'command' }
}
