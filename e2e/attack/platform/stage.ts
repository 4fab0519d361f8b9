import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { connect } from '#platform/server/database/db.ts'
import { migrate } from '#platform/server/database/migrate.ts'
import { generateTotp } from '#platform/server/proof/one-time.ts'
import { scaleTimeout } from '#platform/testing/patience.ts'
import { createRobotDesk } from '../../robots/desk/desk.ts'
import { signInOperator, type OperatorSignIn } from '../../robots/desk/operator.ts'
import type { RobotOperator } from '../../robots/desk/operator.ts'
import { moveClockToEleven } from '../../robots/stage/hours.ts'
import { startRobotProduct } from '../../robots/stage/product.ts'
import type { RobotProduct } from '../../robots/stage/product.ts'

/** The whole platform as `npm start` leaves it, behind a DNS resolver that the attackers control. */
export interface PlatformStage {
  readonly product: RobotProduct
  /** Server errors that customers saw. */
  readonly faults: string[]
  /** Two operators from the demo data. */
  owner(): Promise<RobotOperator>
  finance(): Promise<RobotOperator>
  /** A new operator with one role, invited by the owner. */
  insider(role: string): Promise<RobotOperator>
  workThrough(): Promise<void>
  /** Waits until no job is due and no call is open. */
  atRest(): Promise<void>
  /** Connections to an internal port of this machine that customers must not reach. */
  innerCalls(): number
  stop(): Promise<void>
}

export interface PlatformStageOptions {
  readonly databaseUrl: string
  readonly port: number
  readonly pagesDir?: string | undefined
  readonly program?: string
}

/** Address of an internal service that only this machine may reach, on a port that tunnels may use. */
const INNER_SERVICE = { host: '127.0.0.7', port: 80 } as const

export async function openPlatformStage(options: PlatformStageOptions): Promise<PlatformStage> {
  let inner = 0
  const door = createServer((socket) => {
    inner++
    socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nmetadata')
  })
  // if the port cannot be bound, a breach still shows in the replies that the attackers get
  await new Promise<void>((done) => door.once('error', () => done()).listen(INNER_SERVICE.port, INNER_SERVICE.host, done))
  await prepare(options.databaseUrl)
  const resolver = pathToFileURL(join(import.meta.dirname, 'resolver.ts')).href
  const product = await startRobotProduct({
    ...options,
    env: {
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${resolver}`,
      SANDBOX_CHUNK_MS: '0',
      VOICE_PORTS: `${options.port + 20}-${options.port + 99}`,
      GATEWAY_NODE_DEAD_MS: '20000',
    },
  })
  await moveClockToEleven(product)
  const faults: string[] = []
  const report = (violation: { readonly seen: string; readonly subject: string }): void => void faults.push(`${violation.subject}: ${violation.seen}`)
  const operators = new Map<string, Promise<RobotOperator>>()
  const operator = (mail: string): Promise<RobotOperator> => {
    const known = operators.get(mail) ?? signInOperator(product, mail, { report })
    operators.set(mail, known)
    return known
  }
  return {
    product,
    faults,
    owner: () => operator(product.demo.owner),
    finance: () => operator(product.demo.finance),
    insider: async (role) => inviteAndSignIn(product, await operator(product.demo.owner), { role, report }),
    workThrough: async () => {
      const desk = createRobotDesk(await operator(product.demo.owner), await operator(product.demo.finance))
      await desk.workThrough(APPROVING_RANDOM)
    },
    atRest: () => waitUntilAtRest(product),
    innerCalls: () => inner,
    stop: async () => {
      await product.stop()
      await new Promise((done) => door.close(done))
    },
  }
}

/** The owner sends an invitation, and the invited operator signs in for the first time. */
async function inviteAndSignIn(
  product: RobotProduct,
  owner: RobotOperator,
  { role, report }: { readonly role: string; readonly report: OperatorSignIn['report'] },
): Promise<RobotOperator> {
  // strategies run in parallel, and each needs separate insiders
  const mail = `${role.toLowerCase()}-${randomUUID()}@insiders.example`
  const made = await owner.command('operator.invite', { name: role, mail, roles: [role] }, 'staff')
  if (made.state !== 'done') throw new Error(`${role} is not invited: ${made.state}`)
  const [row] = await product.db.query<{ id: string }>('select id from backoffice_operators where mail = $1', [mail])
  const { data } = await owner.post('/operator/invite/renew', { operatorId: row!.id })
  const post = async (path: string, input: object): Promise<any> => {
    const reply = await fetch(`${product.consoleUrl}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) })
    const answer = (await reply.json()) as { code: number; msg: string; data: unknown }
    if (answer.code !== 200) throw new Error(`${path}: ${answer.code} ${answer.msg}`)
    return answer.data
  }
  const { secret } = await post('/operator/invite/open', { invite: data.invite })
  const began = await post('/operator/invite/accept', {
    invite: data.invite,
    password: product.demo.password,
    code: generateTotp(secret, new Date(Date.now() + product.movedMs())),
  })
  return signInOperator(product, mail, { report, begun: began })
}

/** Disables included uses and advance notice, so that each use is paid and each charge is due at once. */
async function prepare(databaseUrl: string): Promise<void> {
  await migrate(databaseUrl, join(import.meta.dirname, '../../../apps/server/migrations'))
  const db = connect(databaseUrl, { max: 1, asOwner: true })
  await db.query(`insert into settings (key, value, updated_by) values ('payments.auto_lead_minutes', '0', 'attack'),
    ('remote.included', '{"standard":0,"pro":0}', 'attack') on conflict (key) do nothing`)
  await db.close()
}

/** Random source for a desk that approves everything: our worst case. */
const APPROVING_RANDOM = {
  fraction: () => 0,
  int: (least: number) => least,
  pick: <T>(list: readonly T[]): T => list[0]!,
  weighted: <T>(list: readonly (readonly [T, number])[]): T => list[0]![0],
  percent: () => true,
}

const REST_MS = scaleTimeout(30_000)

/** Does not wait for jobs that are scheduled for a retry. */
async function waitUntilAtRest({ db }: RobotProduct): Promise<void> {
  const until = Date.now() + REST_MS
  for (let calm = 0; calm < 5 && Date.now() < until; await sleep(150)) {
    const [row] = await db.query<{ busy: number }>(
      `select ((select count(*) from jobs.job where state = 'active' or (state in ('created', 'retry') and start_after <= now()))
        + (select count(*) from gateway_calls) + (select count(*) from gateway_unposted)
        + (select count(*) from payments_sandbox_notices where done_at is null and due_at <= now()))::int as busy`,
    )
    calm = row!.busy ? 0 : calm + 1
  }
}
