import { resolve } from 'node:path'
import { Failure } from '#platform/shared/errors.ts'
import { systemClock } from './clock.ts'
import { platformConfig, readConfig } from './config.ts'
import type { Shape } from './config.ts'
import { armCrashPoint } from './crash.ts'
import { connect } from './database/db.ts'
import { commandsOf } from './feature.ts'
import type { Deps, Feature } from './feature.ts'
import { installationKeys } from './sealing/installation-key.ts'
import { createJobs } from './jobs.ts'
import type { Jobs } from './jobs.ts'
import { createLog } from './log.ts'
import { createOrigins } from './http/origins.ts'
import { startPostgres } from './database/postgres.ts'
import { createSettings } from './settings.ts'

/**
 * Runs an operator's command on the installation's database, which is started where it is the embedded one and does not run. `shape` is what
 * the command reads of the environment beside the platform's own. A refusal is printed, and the exit code is 1.
 */
export async function runCommand(name: string, shape: Shape, work: (deps: Deps) => Promise<void>, features: readonly Feature[] = []): Promise<void> {
  const config = readConfig({ ...platformConfig, ...shape })
  armCrashPoint(config.CRASH_AT)
  const dataDir = resolve(config.DATA_DIR)
  const postgres = config.DATABASE_URL ? undefined : await startPostgres(dataDir)
  const databaseUrl = config.DATABASE_URL ?? postgres!.url
  const db = connect(databaseUrl, { max: 4, name: `mingxi-${name}` })
  const log = createLog('warn')
  const jobs = createJobs(databaseUrl, log, { keeps: false, migrates: false })
  let opened: Promise<void> | undefined
  /** Most commands enqueue nothing, and the queue takes its time to open. */
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
    commands: commandsOf(features),
    publicUrl: () => config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://127.0.0.1:${config.PORT}`,
    siteUrl: createOrigins(config, () => config.PORT).stored,
    // Asked for only where they are needed: one is made when there is none.
    get secretKey() {
      return installationKeys(config, dataDir)[0]
    },
    get secretKeys() {
      return installationKeys(config, dataDir)
    },
  }
  try {
    await work(deps)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    console.error(`${error.errorName} ${JSON.stringify(error.data ?? {})}`)
    process.exitCode = 1
  } finally {
    if (opened) await jobs.stop()
    await db.close()
    await postgres?.stop()
  }
}

/** Who decides: the name that was given, or the command itself. */
export function operatorNamed(as: string | undefined): { readonly kind: 'operator'; readonly id: string } {
  return { kind: 'operator', id: as ?? 'command' }
}
