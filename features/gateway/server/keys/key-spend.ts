import type { ReplyOf } from '#platform/shared/contract.ts'
import { sumNano, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import type { keysContract } from '../../contract-keys.ts'
import { selectKeyDays } from './data-secrets.ts'
import type { KeyDay } from './data-secrets.ts'

const DAYS = 30
const DAY_MS = 86_400_000

/** Spending per key and day over the last 30 days, from the sums. Omits keys without use. */
export async function keySpend(ctx: Ctx): Promise<ReplyOf<(typeof keysContract)['keySpend']>> {
  const now = ctx.clock.now().getTime()
  const days = Array.from({ length: DAYS }, (_, at) => toShanghaiDay(now - (DAYS - 1 - at) * DAY_MS))
  const accountId = await openAccount(ctx.db, `user:${ctx.userId}`, { kind: 'customer' })
  const byKey = new Map<string, KeyDay[]>()
  for (const row of await selectKeyDays(ctx.db, accountId, days[0]!)) byKey.set(row.keyId, [...(byKey.get(row.keyId) ?? []), row])
  return {
    from: days[0]!,
    to: days.at(-1)!,
    keys: [...byKey].map(([keyId, rows]) => {
      const amounts = new Map(rows.map((row) => [row.day, row.amount]))
      return {
        keyId,
        days: days.map((day) => formatUsd(amounts.get(day) ?? 0n)),
        callNum: rows.reduce((calls, row) => calls + Number(row.calls), 0),
        consumeAmount: formatUsd(sumNano(rows.map((row) => row.amount))),
      }
    }),
  }
}
