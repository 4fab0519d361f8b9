import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { changeRoutes, changeUpstream } from '#features/gateway/server/upstreams/change-routes.ts'
import { startAttackVendor } from './vendor/server.ts'
import type { AttackVendor } from './vendor/server.ts'

/** Three gateways on one database, and the vendor behind all of them. */
export interface AttackStage {
  readonly nodes: readonly string[]
  readonly vendor: AttackVendor
  readonly db: Db
  /** Starts another gateway, which a strategy may pause. */
  spareNode(): Promise<SpareNode>
  /** The gateways' latest output. */
  output(): string
  /** Warnings and errors in that output. */
  warnings(): string[]
  /** Stops the gateways as a deployment does: open calls are settled and leases returned. */
  stopNodes(): Promise<void>
  stop(): Promise<void>
}

export interface SpareNode {
  readonly url: string
  pause(): void
  resume(): void
}

const ROOT = join(import.meta.dirname, '../..')
const operator = { kind: 'operator', id: 'attack' } as const
/** Model that is served by two upstreams, one of which fails late. */
export const TWICE_SERVED_MODEL = 'gpt-5.4-nano'

/** Starts the stage. Also used outside a test runner, so it does not import platform/testing. */
export async function openAttackStage(databaseUrl: string, count = 3): Promise<AttackStage> {
  const vendor = await startAttackVendor()
  const db = connect(databaseUrl, { max: 8 })
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-attack-'))
  const node = { databaseUrl, vendorUrl: vendor.url, folder }
  // The first node creates what a new database lacks.
  const first = await startAttackNode(node)
  const nodes = [first, ...(await Promise.all(Array.from({ length: count - 1 }, () => startAttackNode(node))))]
  // The models exist once a node has started.
  await changeUpstream(db, operator, {
    id: 'late',
    change: { vendor: 'openai', baseUrl: `${vendor.url}/late`, credentialEnv: 'UPSTREAM_ATTACK_KEY' },
    reason: 'attack',
  })
  await changeUpstream(db, operator, {
    id: 'second',
    change: { vendor: 'openai', baseUrl: `${vendor.url}/second`, credentialEnv: 'UPSTREAM_ATTACK_KEY' },
    reason: 'attack',
  })
  await changeRoutes(db, operator, { upstream: 'late', models: [TWICE_SERVED_MODEL], change: { priority: 0 }, reason: 'attack' })
  await changeRoutes(db, operator, { upstream: 'second', models: [TWICE_SERVED_MODEL], change: { priority: 1 }, reason: 'attack' })
  const stopNodes = async (): Promise<void> => {
    await Promise.all(nodes.map((one) => endAttackNode(one)))
  }
  const output = (): string => nodes.map((node) => node.output()).join('')
  return {
    nodes: nodes.map((node) => node.url),
    vendor,
    db,
    spareNode: async () => {
      const spare = await startAttackNode(node)
      nodes.push(spare)
      return { url: spare.url, pause: () => void spare.child.kill('SIGSTOP'), resume: () => void spare.child.kill('SIGCONT') }
    },
    output,
    warnings: () =>
      output()
        .split('\n')
        .filter((line) => /^\{"level":(?:"(?:warn|error|fatal)"|[4-6]0)/.test(line)),
    stopNodes,
    stop: async () => {
      await stopNodes()
      await db.close()
      await vendor.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface AttackNode {
  readonly url: string
  readonly child: ChildProcess
  output(): string
}

export interface AttackNodeOptions {
  readonly databaseUrl: string
  readonly vendorUrl: string
  /** Data of the node. */
  readonly folder: string
  /** Checkout whose server is run; defaults to this one. */
  readonly root?: string
}

export async function startAttackNode({ databaseUrl, vendorUrl, folder, root = ROOT }: AttackNodeOptions): Promise<AttackNode> {
  const vendors = ['OPENAI', 'ANTHROPIC', 'GEMINI', 'COHERE'].flatMap((name) => [
    [`${name}_API_KEY`, 'attack'],
    [`${name}_BASE_URL`, vendorUrl],
  ])
  const child = spawn(process.execPath, [join(root, 'apps/server/main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...Object.fromEntries(vendors),
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: join(tmpdir(), 'mingxi-compiled'),
      UPSTREAM_ATTACK_KEY: 'attack',
      LOG_LEVEL: 'info',
      ROLES: 'gateway',
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      HOST: '127.0.0.1',
      PORT: '0',
    },
  })
  // leaves no process behind if the attack is interrupted or fails before the stage is ready
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-200_000)
    })
  for (let port: string | undefined; ; await sleep(20)) {
    port = /"port":(\d+),"msg":"listening"/.exec(text)?.[1]
    if (port !== undefined) return { url: `http://127.0.0.1:${port}`, child, output: () => text }
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`a gateway did not start:\n${text}`)
  }
}

export async function endAttackNode({ child }: Pick<AttackNode, 'child'>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  // a process that an attack left paused does not receive SIGTERM
  child.kill('SIGCONT')
  child.kill('SIGTERM')
  await gone
}
