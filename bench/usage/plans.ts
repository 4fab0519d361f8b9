import type { Db } from '#platform/server/database/db.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import { selectHoursToSearch, listCalls, listCallsOfHours, selectCall } from '#features/gateway/server/usage/data-calls.ts'
import { selectUsageDays } from '#features/gateway/server/usage/data.ts'

export interface UsageQueryPlan {
  readonly name: string
  readonly months: number
  readonly allMonths: number
  readonly scans: string
  readonly good: boolean
}

const DAY = 86_400_000

/** Explains PostgreSQL's plans for the page's queries: the months that each opens, and that none scans a whole month. */
export async function explainUsageQueries(db: Db, userId: string): Promise<UsageQueryPlan[]> {
  const accountId = await openAccount(db, `user:${userId}`, { kind: 'customer' })
  const allMonths = Number((await db.query<{ n: bigint }>(`select count(*) as n from pg_inherits where inhparent = 'gateway_usage'::regclass`))[0]!.n)
  const seen: string[] = []
  const spy = {
    query: async (text: string, values?: readonly unknown[]) => {
      seen.push((await db.query(`explain (analyze, costs off, timing off, summary off) ${text}`, values)).map((row) => row['QUERY PLAN'] as string).join('\n'))
      return []
    },
  } as unknown as Db
  const now = Date.now()
  const day = { accountId, from: new Date(now - 41 * DAY), before: new Date(now - 40 * DAY) }
  const hours = Array.from({ length: 20 }, (_, i) => new Date(Math.floor((now - 40 * DAY) / 3_600_000) * 3_600_000 - i * 3_600_000))
  const asks: [string, number, () => Promise<unknown>][] = [
    ['calls of a day', 2, () => listCalls(spy, day, { cursor: undefined, direction: 'older', limit: 20 })],
    ['calls of a day and key', 2, () => listCalls(spy, { ...day, keyId: 'key_bench_1_3' }, { cursor: undefined, direction: 'older', limit: 20 })],
    ['calls behind a cursor', allMonths, () => listCalls(spy, { accountId }, { cursor: { at: day.before, callId: 'call_x' }, direction: 'older', limit: 20 })],
    ['calls of chosen hours', 2, () => listCallsOfHours(spy, hours, { filter: { ...day, model: 'x' }, cursor: undefined, direction: 'older', limit: 20 })],
    ['hours that can hold a match', 0, () => selectHoursToSearch(spy, { accountId, model: 'x' }, { from: day.from, before: day.before, direction: 'older' })],
    ['one call', 3, () => selectCall(spy, accountId, `call_${Math.floor((now - 40 * DAY) / 1000).toString(16)}${'0'.repeat(16)}`)],
    [
      'sums of days',
      0,
      () => selectUsageDays(spy, { accountId, from: '2020-01-01', before: '2099-01-01', keyId: undefined, model: undefined }, { group: 'model', atLeast: 20 }),
    ],
  ]
  const plans: UsageQueryPlan[] = []
  for (const [name, most, ask] of asks) {
    seen.length = 0
    await ask()
    // Drops plan nodes that never ran.
    const run = seen[0]!.split('\n').filter((line) => !line.includes('never executed'))
    const months = new Set(run.join('\n').match(/on (gateway_usage_(?:\d{6}|other))/g)).size
    const whole = run.filter((line) => /Seq Scan on gateway_usage/.test(line) && !line.includes('_unposted'))
    const scans = [...new Set(run.flatMap((line) => /((?:Index|Bitmap|Seq)[\w ]*Scan)/.exec(line)?.[1] ?? []))].join(', ')
    plans.push({ name, months, allMonths, scans, good: months <= most && whole.length === 0 })
  }
  return plans
}
