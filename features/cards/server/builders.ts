import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId, createRandomCode } from '#platform/shared/ids.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { CardType } from '../words.ts'
import { requestCard } from './opening/request-card.ts'
import { selectCardById, changeCard, insertCard, lockCard } from './cards/data.ts'
import type { Card } from './cards/data.ts'
import { workCard } from './lifecycle/work-cards.ts'
import { startRecharge } from './money/start-move.ts'
import { workMove } from './money/work-moves.ts'
import { extendMember } from './members/data.ts'
import { billingAddress } from './settings.ts'
import { playSandboxMerchants } from './vendors/index.ts'
import type { IssuerCard } from './vendors/port.ts'

interface CardOptions {
  readonly userId: string
  readonly type?: CardType
  readonly issuer?: string
  /** Card at the issuer; defaults to a made-up one. */
  readonly made?: IssuerCard
}

/** Builds an active card of a member, with the first recharge made and an empty balance. */
export async function anActiveCard(deps: Deps, { userId, type = 'standard', issuer = 'sandbox', made }: CardOptions): Promise<Card> {
  const id = `card_${createRandomCode(16).toLowerCase()}`
  const { cardRef, bin, last4, expMonth, expYear } = made ?? { cardRef: createId('ic'), bin: '424242', last4: '4242', expMonth: 12, expYear: 2030 }
  const now = deps.clock.now()
  return transact(deps.db, SYSTEM, async (tx) => {
    await extendMember(tx, userId, { years: 2, now })
    const card = await insertCard(tx, { id, userId, type, issuer, months: 24, orderNo: null, activated: true })
    await changeCard(tx, card, { change: { state: 'opening' } })
    await tx.audit('card.built', `card:${id}`)
    const { agreed: _, ...address } = await deps.settings.get(billingAddress)
    const facts = { cardRef, bin, last4, expMonth, expYear, holder: 'WANG XIAOMING', address, addressKnown: true }
    const validUntil = new Date(now.getTime() + 700 * 86_400_000)
    return changeCard(tx, card, { change: { ...facts, state: 'active', issuerState: 'active', validUntil, openedAt: now }, options: { seconds: null } })
  })
}

/** A recharge in progress from the member's balance; a job completes it. Returns its id. */
export async function aRecharge(deps: Deps, card: Card, amount: Nano): Promise<string> {
  return transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('card.recharge_built', `card:${card.id}`)
    return (await startRecharge(tx, card, { amount, fee: 0n, channelType: 5 })).id
  })
}

/** A card that a job requests from the connected issuer, without an order. Returns its id. */
export async function aCardOrder(deps: Deps, userId: string, type: CardType = 'standard'): Promise<string> {
  return transact(deps.db, SYSTEM, async (tx) => {
    await extendMember(tx, userId, { years: 2, now: deps.clock.now() })
    const card = (await requestCard(deps, tx, { userId, type, orderNo: null })) ?? fail('CARD_HOLDER_REFUSED')
    await tx.audit('card.built', `card:${card.id}`)
    return card.id
  })
}

/** A card that the issuer has opened. Throws if the issuer does not. */
export async function anOpenedCard(deps: Deps, userId: string, type: CardType = 'standard'): Promise<Card> {
  const id = await aCardOrder(deps, userId, type)
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    await workCard(deps, id)
    const card = (await selectCardById(deps.db, id))!
    if (card.state === 'active') return card
    if (card.state === 'failed') break
  }
  throw new Error('the issuer made no card')
}
const MAX_ATTEMPTS = 5

/** A completed recharge. */
export async function anArrivedRecharge(deps: Deps, card: Card, amount: Nano): Promise<void> {
  await workMove(deps, await aRecharge(deps, card, amount))
}

/** Lets merchants of the sandbox issuer charge the card, so that its statement has varied rows. */
export const startSandboxMerchants = (deps: Deps, { issuer, cardRef: ref }: Card): Promise<void> =>
  ref === null ? Promise.resolve() : playSandboxMerchants(deps, issuer, ref)

/** Freezes a card as its member would; a job informs the issuer. */
export async function freezeCard(deps: Deps, { id }: Card): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    const change = { state: 'frozen', frozenBy: 'user', issuerWanted: 'frozen' } as const
    await changeCard(tx, await lockCard(tx, id), { change, options: { seconds: 0, reason: 'built' } })
    await tx.audit('card.frozen', `card:${id}`)
  })
}

/** Replaces the real issuers by those of a test. */
export { replaceIssuers } from './vendors/index.ts'
