import type { Db } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { creditUser } from './verbs/credit.ts'
import { placeHold } from './verbs/hold.ts'

export { selectRewardAccounts } from './data.ts'

/** A user with money: 100 dollars purchased by default. Returns the user's id. */
export async function aFundedUser(db: Db, options: { userId?: string; purchased?: Nano; granted?: Nano; currency?: string } = {}): Promise<string> {
  const { userId = createId('user'), purchased = 100n * NANO_PER_USD, granted = 0n, currency } = options
  await transact(db, SYSTEM, async (tx) => {
    if (purchased) await creditUser(tx, { userId, amount: purchased, from: 'wash', ref: createId('topup'), currency })
    if (granted) await creditUser(tx, { userId, amount: granted, from: 'grants', ref: createId('grant'), currency })
    await tx.audit('wallet.funded', `user:${userId}`)
  })
  return userId
}

/** A pending hold of a user's money; returns its id. */
export async function aHold(
  db: Db,
  userId: string,
  { amount, options = {} }: { readonly amount: Nano; readonly options?: { ttlSeconds?: number; onlyPurchased?: boolean } },
): Promise<string> {
  const id = createId('hold')
  await transact(db, SYSTEM, async (tx) => {
    await placeHold(tx, { id, userId, amount, ttlSeconds: options.ttlSeconds ?? 600, purpose: 'test', onlyPurchased: options.onlyPurchased })
    await tx.audit('wallet.held', `hold:${id}`)
  })
  return id
}
