import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { minNano, subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { selectFirstCalls } from '#features/gateway/server/door.ts'
import { creditUser } from '#features/wallet/server/door.ts'
import { freeRequests } from '../settings.ts'
import { updateFreeDay, lockFreeDay, selectMembersAfter } from './data.ts'

const BATCH = 500
const DAY_MS = 86_400_000

/**
 * Job: refunds members' first calls of a day as granted credit, which is spent first. Calls are charged as usual, so the request path needs
 * no special case; calls settled late are refunded in the next round, yesterday's too.
 */
export async function refundFreeRequests(deps: Deps): Promise<void> {
  const { perDay, most } = await deps.settings.get(freeRequests)
  if (perDay === 0) return
  const now = deps.clock.now()
  let after = ''
  for (;;) {
    const members = await selectMembersAfter(deps.db, after, { now, limit: BATCH })
    if (!members.length) return
    after = members.at(-1)!
    for (const day of [toShanghaiDay(now.getTime() - DAY_MS), toShanghaiDay(now)])
      for (const { userId, amount } of await selectFirstCalls(deps.db, members, { day, most: perDay }))
        await refundMember(deps, userId, { day, due: minNano(amount, parseUsd(most)) })
  }
}

async function refundMember(deps: Deps, userId: string, { day, due }: { readonly day: string; readonly due: Nano }): Promise<void> {
  if (due === 0n) return
  await transact(deps.db, SYSTEM, async (tx) => {
    const given = await lockFreeDay(tx, userId, day)
    if (due <= given) return
    await updateFreeDay(tx, userId, { day, given: due })
    await creditUser(tx, { userId, amount: subtractNano(due, given), from: 'grants', ref: `free:${userId}:${day}:${given}` })
    await tx.audit('member.free_requests', `user:${userId}`, { day, given: formatUsd(due) })
  })
}
