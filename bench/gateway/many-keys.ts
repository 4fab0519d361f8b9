import { openAccount } from '#features/wallet/server/door.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { generateKeySecret, hashKeySecret } from '#features/gateway/server/keys/secret.ts'
import type { Db } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'

const KEY_BALANCE_NANO = 1_000_000_000_000n
const BATCH = 10_000

/** Makes keys, shared out evenly among new accounts with money; their secrets. */
export async function createManyKeys(db: Db, keys: number, accounts: number): Promise<string[]> {
  const owners: Array<{ userId: string; accountId: bigint }> = []
  for (let i = 0; i < accounts; i++) {
    const userId = await aFundedUser(db, { purchased: KEY_BALANCE_NANO * BigInt(Math.ceil(1000 / accounts)) })
    const accountId = await transact(db, SYSTEM, async (tx) => {
      await tx.audit('bench.account', `user:${userId}`)
      return openAccount(tx, `user:${userId}`, 'customer')
    })
    owners.push({ userId, accountId })
  }
  const secrets: string[] = []
  while (secrets.length < keys) {
    const batch = Array.from({ length: Math.min(BATCH, keys - secrets.length) }, () => generateKeySecret())
    const owner = batch.map((_, i) => owners[(secrets.length + i) % owners.length]!)
    await db.query(
      `insert into gateway_keys (key_id, user_id, account_id, name, secret_hash, last4)
       select k, u, a, 'bench', decode(h, 'hex'), l from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[]) as t (k, u, a, h, l)`,
      [
        batch.map(() => createId('key')),
        owner.map((o) => o.userId),
        owner.map((o) => o.accountId),
        batch.map((secret) => hashKeySecret(secret)),
        batch.map((secret) => secret.slice(-4)),
      ],
    )
    secrets.push(...batch)
  }
  return secrets
}
