import type { Db } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { newId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { credit } from './verbs/credit.ts'
import { hold } from './verbs/hold.ts'

export { rewardAccounts } from './data-reward-accounts.ts'

/** A user with money: 100 dollars purchased unless told. Returns the user's id. */
export async function aFundedUser(db: Db, options: { userId?: string; purchased?: Nano; granted?: Nano; currency?: string } = {}): Promise<string> {
  const { userId = newId('user'), purchased = 100n * NANO_PER_USD, granted = 0n, currency } = options
  await transact(db, SYSTEM, async (tx) => {
    if (purchased) await credit(tx, { userId, amount: purchased, from: 'wash', ref: newId('topup'), currency })
    if (granted) await credit(tx, { userId, amount: granted, from: 'grants', ref: newId('grant'), currency })
    await tx.audit('wallet.funded', `user:${userId}`)
  })
  return userId
}

/** A pending hold of a user's money; returns its id. */
export async function aHold(db: Db, userId: string, amount: Nano, options: { ttlSeconds?: number; onlyPurchased?: boolean } = {}): Promise<string> {
  const id = newId('hold')
  await transact(db, SYSTEM, async (tx) => {
    await hold(tx, { id, userId, amount, ttlSeconds: options.ttlSeconds ?? 600, purpose: 'test', onlyPurchased: options.onlyPurchased })
    await tx.audit('wallet.held', `hold:${id}`)
  })
  return id
}
