import { afterAll, expect, test } from 'vitest'
import { SYSTEM } from '#platform/server/database/transact.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { launchServer } from '#platform/testing/launch.ts'
import type { TestServer } from '#platform/testing/launch.ts'
import { freezeAccount, aUser } from '#features/account/server/builders.ts'
import { anOperator } from '#features/backoffice/server/builders.ts'
import { insertPlannedUsage } from '#features/gateway/server/builders.ts'
import { chooseCaptcha } from '#features/risk/server/builders.ts'
import { readBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { features } from '../features.ts'

// A process killed between an approval and its effect, and one killed with the effect uncommitted.
const db = await useTestDb()
const { deps } = createTestApp({ features, db, surface: 'operators' })
await chooseCaptcha(deps, 'off')
const servers: TestServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.stop())))

const readConsoleUrl = (server: TestServer) => `http://127.0.0.1:${[...server.output().matchAll(/"consolePort":(\d+)/g)].at(-1)![1]}`
async function call(server: TestServer, token: string, { path, body }: { readonly path: string; readonly body: object }) {
  const headers = { 'content-type': 'application/json', 'operatortoken': token, 'idempotency-key': `k${Math.random()}` }
  const reply = await fetch(`${readConsoleUrl(server)}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await reply.json()) as { code: number; data: Record<string, any> }
}

/** Returns the killed process's active jobs to the queue, which otherwise gives them up only after 15 minutes. */
const requeueActiveJobs = () => db.owner.query(`update jobs.job set state = 'retry' where state = 'active'`)

test.each(['backoffice.after-approval', 'backoffice.effect-before-commit'])('killed at %s: one effect, after the next start', async (point) => {
  const server = await launchServer({ databaseUrl: db.url, pagesDir: '', roles: 'worker,console', crashes: true })
  servers.push(server)
  const [finance, owner, user] = [await anOperator(deps, ['finance']), await anOperator(deps, ['owner']), await aUser(deps)]
  const input = { user: user.userId, amount: '60', purpose: 'compensation', days: 30 }
  const { data } = await call(server, finance.token, { path: '/operator/do/credit.grant/preview', body: input })
  const asked = await call(server, finance.token, {
    path: '/operator/do/credit.grant',
    body: {
      ...input,
      expects: data['expects'],
      reasonCode: 'ourFault',
      reason: 'an outage of an hour',
    },
  })
  expect(asked.data['state']).toBe('waiting')
  server.crashAt(point)
  await expect(call(server, owner.token, { path: '/operator/command/approve', body: { no: asked.data['no'] } })).rejects.toThrow()
  expect(await db.query('select state from backoffice_commands where no = $1', [asked.data['no']])).toEqual([{ state: 'approved' }])
  expect((await readBalance(db, user.userId)).grantedUnspent).toBe(0n)
  await requeueActiveJobs()
  await server.restart()
  await expect.poll(() => db.query('select state from backoffice_commands where no = $1', [asked.data['no']])).toEqual([{ state: 'done' }])
  expect((await readBalance(db, user.userId)).grantedUnspent).toBe(60_000_000_000n)
  expect(await db.query(`select count(*)::int as n from audit_rows where action = 'credit.granted' and target = $1`, [`user:${user.userId}`])).toEqual([
    { n: 1 },
  ])
  expect((await call(server, owner.token, { path: '/operator/command/approve', body: { no: asked.data['no'] } })).code).toBe(5015)
  await server.stop()
})

/** Waits without a timeout: starting a whole server is slow on a busy machine. */
async function untilTrue(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Waits for the exit: signalling a process that is gone fails. */
function waitForExit(server: TestServer): Promise<void> {
  const pid = server.pid()
  return untilTrue(() => {
    try {
      return !process.kill(pid, 0)
    } catch {
      return true
    }
  })
}

/** `COMPENSATED_CALLS=10000` sets the number for a release. */
const CALLS = Number(process.env['COMPENSATED_CALLS'] ?? 200)

test('a compensation of many calls, one in a hundred refused, killed twice: every row has its result, every customer the money once', async () => {
  const users = Array.from({ length: CALLS / 2 }, (_, n) => `usr_${String(n).padStart(26, '0')}`)
  await db.query('insert into account_users (id, created_at) select unnest($1::text[]), now()', [users])
  const frozen = users.filter((_, n) => n % 100 === 7)
  for (const userId of frozen) await freezeAccount(deps, SYSTEM, { userId, reason: 'before' })
  const at = new Date(Date.now() - 1_800_000)
  const cost = 40_000_000n
  await insertPlannedUsage(
    db,
    Array.from({ length: CALLS }, (_, n) => ({ userId: users[n % users.length]!, callId: `call_${n}`, at, amount: cost, outcome: 'upstream_cut' })),
  )
  const server = await launchServer({ databaseUrl: db.url, pagesDir: '', roles: 'worker,console', crashes: true })
  servers.push(server)
  const [finance, owner] = [await anOperator(deps, ['finance']), await anOperator(deps, ['owner'])]
  const hour = { from: new Date(at.getTime() - 60_000).toISOString(), to: new Date(at.getTime() + 60_000).toISOString() }
  const input = { ...hour, title: 'An hour of cut answers', outcome: 'upstream_cut', percent: 100, budget: '400.00', days: 90 }
  const { data } = await call(server, finance.token, { path: '/operator/do/compensation.run/preview', body: input })
  const why = { reasonCode: 'vendorFault', reason: 'an outage of an hour' }
  const asked = await call(server, finance.token, { path: '/operator/do/compensation.run', body: { ...input, ...why, expects: data['expects'] } })
  expect(asked.data['state']).toBe('waiting')

  const tally = async () => {
    const [row] = await db.query<Record<'done' | 'refused' | 'waiting', number>>(
      `select count(*) filter (where state = 'done')::int as done, count(*) filter (where state = 'refused')::int as refused, count(*) filter (where state = 'waiting')::int as waiting
        from backoffice_bulk_rows`,
    )
    return row!
  }
  server.crashAt('backoffice.bulk-unit')
  await call(server, owner.token, { path: '/operator/command/approve', body: { no: asked.data['no'] } }).catch(() => {})
  await waitForExit(server)
  const first = await tally()
  expect(first.done + first.refused).toBeGreaterThan(0)
  expect(first.waiting).toBeGreaterThan(0)
  server.crashAt('backoffice.bulk-uncommitted')
  // The process may exit before it listens.
  await server.restart().catch(() => {})
  await waitForExit(server)
  expect(await tally()).toEqual(first)
  await requeueActiveJobs()
  await server.restart()
  await untilTrue(async () => (await tally()).waiting === 0)
  expect(await tally()).toEqual({ done: CALLS - 2 * frozen.length, refused: 2 * frozen.length, waiting: 0 })
  await untilTrue(async () => (await db.query<{ state: string }>('select state from backoffice_bulks'))[0]!.state === 'done')
  const [granted] = await db.query<{ wrong: number; n: number }>(
    `select count(*) filter (where granted <> 2 * $2::bigint)::int as wrong, count(*)::int as n from (
       select sum(l.amount) as granted from wallet_lots l join wallet_accounts a on a.id = l.account_id where a.owner = any($1) group by a.owner) g`,
    [users.map((id) => `user:${id}`), cost],
  )
  expect(granted).toEqual({ wrong: 0, n: users.length - frozen.length })
  expect((await verifyLedger(db)).problems).toEqual([])
  await server.stop()
})
