import type { Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { upsertUpgradeDraft } from './data.ts'
import { createUpgradeId } from './orders/draft.ts'

/** Creates a complete ChatGPT Plus order that is not queued. Returns its id. */
export async function aDraftUpgrade(deps: Deps, { userId, account }: { readonly userId: string; readonly account: string }): Promise<string> {
  return transact(deps.db, { kind: 'user', id: userId }, async (tx) => {
    const link = 'https://pay.openai.com/c/pay/cs_live_a1B2c3D4e5F6g7H8i9J0#fidkdWxOYHwnPyd1blpxYHZxWjA0'
    const { id } = await upsertUpgradeDraft(tx, createUpgradeId(), { userId, fields: { plan: 'chatgpt-plus', service: 'chatgpt', seats: 1, account, link } })
    await tx.audit('upgrade.drafted', `upgrade:${id}`)
    return id
  })
}
