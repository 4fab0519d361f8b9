import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { newId, randomCode } from '#platform/shared/ids.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { CardType } from '../words.ts'
import { changeCard, insertCard } from './cards/data.ts'
import type { Card } from './cards/data.ts'
import { startRecharge } from './money/start-move.ts'
import { extendMember } from './opening/data.ts'
import { billingAddress } from './settings.ts'
import type { IssuerCard } from './vendors/port.ts'

interface CardWish {
  readonly userId: string
  readonly type?: CardType
  readonly issuer?: string
  /** What the issuer made; made up unless told. */
  readonly made?: IssuerCard
}

/** A member's card that works and has had its first recharge; nothing is on it. */
export async function aCard(deps: Deps, { userId, type = 'standard', issuer = 'sandbox', made }: CardWish): Promise<Card> {
  const id = `card_${randomCode(16).toLowerCase()}`
  const { cardRef, bin, last4, expMonth, expYear } = made ?? { cardRef: newId('ic'), bin: '424242', last4: '4242', expMonth: 12, expYear: 2030 }
  const now = deps.clock.now()
  return transact(deps.db, SYSTEM, async (tx) => {
    await extendMember(tx, userId, 2, now)
    const address = await deps.settings.get(billingAddress)
    const card = await insertCard(tx, { id, userId, type, issuer, months: 24, address, orderNo: null, activated: true })
    await changeCard(tx, card, { state: 'opening' })
    await tx.audit('card.built', `card:${id}`)
    const facts = { card_ref: cardRef, bin, last4, exp_month: expMonth, exp_year: expYear, holder: 'WANG XIAOMING' }
    const validUntil = new Date(now.getTime() + 700 * 86_400_000)
    return changeCard(tx, card, { ...facts, state: 'active', issuer_state: 'active', valid_until: validUntil, opened_at: now }, { seconds: null })
  })
}

/** A recharge from its member's balance that is on its way; a job lets it arrive. Returns its id. */
export async function aRecharge(deps: Deps, card: Card, amount: Nano): Promise<string> {
  return transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('card.recharge_built', `card:${card.id}`)
    return (await startRecharge(tx, card, { amount, fee: 0n, channelType: 5 })).id
  })
}
