import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPidAlive, listClusterProcesses } from '#platform/server/database/postgres-processes.ts'
import { receiveAlarms } from './alarms.ts'
import type { AlarmReceiver } from './alarms.ts'
import { summarizeFaultImpact, watchCalls } from './measure.ts'
import { openDrill } from './stage.ts'
import type { DrillStage } from './stage.ts'

const RATE = 20
const CALM_MS = 3_000
const FAULT_MS = 10_000
const AFTER_MS = 10_000

interface DatabaseFault {
  /** Duration of the fault; defaults to ten seconds, which is too short for an alarm. */
  readonly ms?: number
  readonly make: (stage: DrillStage) => Promise<void>
  readonly heal: (stage: DrillStage) => Promise<void>
}

async function runDatabaseDrill({ make, heal, ms = FAULT_MS }: DatabaseFault, folder?: string): Promise<Record<string, string | number>> {
  const alarms = await receiveAlarms()
  const stage = await openDrill(folder)
  try {
    const watch = watchCalls({ nodes: stage.nodes, keys: stage.keys, rate: RATE })
    await sleep(CALM_MS)
    const broken = performance.now()
    await make(stage)
    await sleep(ms)
    const healed = performance.now()
    await heal(stage)
    await sleep(AFTER_MS)
    await watch.stop()
    return { ...summarizeFaultImpact(watch, broken, healed), 'alarms that reached ALARM_URL': formatAlarms(alarms, broken), ...(await stage.books()) }
  } finally {
    alarms.stop()
    await stage.stop()
  }
}

const formatAlarms = ({ heard }: AlarmReceiver, broken: number): string =>
  heard.map(({ what, at }) => `${what} after ${((at - broken) / 1000).toFixed(1)} s`).join(', ') || 'none'

/** Simulates a failover to a standby behind a load balancer, and back: new sessions are read-only, existing ones are cut. */
export const drillReadOnlyDatabase = () => {
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'mingxi'`
  return runDatabaseDrill({
    make: async ({ admin }) => {
      await admin('alter database mingxi set default_transaction_read_only = on')
      await admin(cut)
    },
    // sessions stay open and are read-only until each is replaced
    heal: ({ admin }) => admin('alter database mingxi reset default_transaction_read_only'),
  })
}

/** Pauses all processes of the server: connections stay open, and no query gets a reply. */
export const drillHungDatabase = () => {
  const signal = (stage: DrillStage, name: NodeJS.Signals) => {
    for (const pid of listClusterProcesses(join(stage.folder, 'postgres/cluster'))) process.kill(Number(pid), name)
  }
  return runDatabaseDrill({ ms: 20_000, make: async (stage) => signal(stage, 'SIGSTOP'), heal: async (stage) => signal(stage, 'SIGCONT') })
}

const DISK_MB = 260

/** Puts data and WAL on a separate file system, which a file fills to the last byte. Needs root for its mount. */
export const drillFullDisk = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-drill-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', folder])
  const filler = join(folder, 'filler')
  let ended = 0
  try {
    const figures = await runDatabaseDrill(
      {
        make: async () => fill(filler),
        heal: async (stage) => {
          rmSync(filler)
          if (isPidAlive(stage.postgres.pid)) return
          ended++
          await stage.startAgain()
        },
      },
      join(folder, 'data'),
    )
    return { ...figures, 'PostgreSQL ended and was started again': ended }
  } finally {
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  }
}

function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (let size = 1 << 20; size >= 4096; size >>= 2) {
      try {
        for (;;) writeSync(file, Buffer.alloc(size))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    closeSync(file)
  }
}
