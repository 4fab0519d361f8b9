import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import type { identityErrors } from '#features/identity/errors.ts'
import { markPaid, requireReady, readIdentityStatus } from '#features/identity/server/door.ts'
import { ORDER_TYPE, registerOrderKind } from '#features/payments/server/door.ts'
import type { OrderKind } from '#features/payments/server/door.ts'
import type { cardErrors } from '../../errors.ts'
import { lockCard } from '../cards/data.ts'
import { bookDeposit } from '../money/bookings.ts'
import { createRechargeKind } from '../money/recharge-kind.ts'
import { cardPrices, cardYears } from '../settings.ts'
import { addMembershipYears, selectMember, revokeMembershipYears } from '../members/data.ts'
import { requestCard } from './request-card.ts'
import { createCardServiceKinds } from './card-service-kinds.ts'
import { selectCardIdByOrder, lockOpenings } from './data.ts'
import { endCard, takeBackOpening } from './take-back.ts'
import { computeDepositPart, hasDeposit, readOpeningPrice, refuseOpening, refusePaying, parseCardType } from './terms.ts'

const OPENING_REFUSALS = [
  'CARD_OPENING_PAUSED',
  'CARD_MAINTENANCE',
  'CARD_STEP_MISSING',
  'CARD_HOLDER_REFUSED',
  'CARD_ISSUER_AWAY',
  'CARD_LIMIT_OF_CARDS',
  'CARD_IN_DEBT',
  'MEMBER_EXPIRED',
] as const satisfies (keyof typeof cardErrors)[]
const READY_REFUSALS = [
  'IDENTITY_US_TAXPAYER',
  'IDENTITY_REJECTED',
  'IDENTITY_IN_REVIEW',
  'IDENTITY_STEP_MISSING',
  'FACE_NOT_PASSED',
] as const satisfies (keyof typeof identityErrors)[]

/** Order types 1 and 2: the first card with its membership, and a further card. */
function createOpeningKind(orderType: 1 | 2, deps: () => Deps): OrderKind {
  const isFirst = orderType === ORDER_TYPE.OPEN_ACCOUNT
  return {
    orderType,
    earns: 'service',
    amounts: 'own',
    refusals: [...OPENING_REFUSALS, ...READY_REFUSALS],
    deposit: async (ctx, userId, { service }) => formatDeposit((await readOpeningPrice(ctx, ctx.db, { userId, type: parseCardType(service) })).deposit),
    price: async (ctx, userId, { wish: { service } }) => {
      const terms = await refuseOpening(ctx, userId)
      if (terms.isFirst !== isFirst) fail('CARD_STEP_MISSING', { orderType: terms.isFirst ? 1 : 2 })
      return formatUsd((await readOpeningPrice(ctx, ctx.db, { userId, type: parseCardType(service) })).total)
    },
    bought: async (_, order) => computeDepositPart(deps(), order),
    mayPay: async (ctx, order, isBack) => {
      await refusePaying(ctx, isBack)
      if ((await computeDepositPart(ctx, order)) === 0n) return
      // Ordered with a deposit that is no longer due: the face check was passed or another order paid it since.
      if ((await readIdentityStatus(ctx.db, order.userId)).method === 'face' || (await hasDeposit(ctx.db, order.userId))) fail('ORDER_NOT_PAYABLE')
    },
    fulfil: async (tx, order) => {
      const { orderNo, userId, wishes } = order
      await lockOpenings(tx, userId)
      if (isFirst && !(await isStillReady(tx, userId))) return 'impossible'
      const { clock, settings } = deps()
      const deposit = await computeDepositPart(deps(), order)
      // A parallel order has paid the deposit; each person has one.
      if (deposit > 0n && (await hasDeposit(tx, userId))) return 'impossible'
      const card = await requestCard(deps(), tx, { userId, type: parseCardType(wishes.service), orderNo })
      // An issuer's rules, or the data, may have changed since the order was made.
      if (!card) return 'impossible'
      if (isFirst) {
        await addMembershipYears(tx, { orderNo, userId }, { years: (await settings.get(cardYears)).membership, now: clock.now() })
        await markPaid(tx, userId, clock.now())
      }
      if (deposit > 0n) await bookDeposit(tx, userId, { ref: orderNo, amount: deposit })
      await tx.audit('card.requested', `card:${card.id}`, { orderNo, type: card.type, deposit: formatUsd(deposit) })
      return 'later'
    },
    undo: async (tx, order, { isAll }) => {
      const cardId = await selectCardIdByOrder(tx, order.orderNo)
      if (!isAll || cardId === undefined) return
      await endCard(tx, await lockCard(tx, cardId))
      await takeBackOpening(deps(), tx, order)
    },
  }
}

const formatDeposit = (deposit: bigint) => (deposit > 0n ? formatUsd(deposit) : undefined)

/** Rechecks the identity at fulfilment: the payment code may have been open while the user lost eligibility. */
async function isStillReady(tx: Tx, userId: string): Promise<boolean> {
  if (await selectMember(tx, userId)) return true
  try {
    await requireReady(tx, userId)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** Order type 7: renews the membership. */
const createRenewKind = (deps: () => Deps): OrderKind => ({
  orderType: ORDER_TYPE.RENEW,
  earns: 'service',
  amounts: 'own',
  refusals: ['NO_CARD'] satisfies (keyof typeof cardErrors)[],
  price: async (ctx, userId) => {
    if (!(await selectMember(ctx.db, userId))) fail('NO_CARD')
    return (await ctx.settings.get(cardPrices)).openAccount
  },
  fulfil: async (tx, { userId, orderNo }) => {
    const { clock, settings } = deps()
    const until = await addMembershipYears(tx, { orderNo, userId }, { years: (await settings.get(cardYears)).membership, now: clock.now() })
    await tx.audit('member.renewed', `user:${userId}`, { orderNo, until: until.toISOString() })
    await tx.emit('member.renewed', { userId, until: until.toISOString() })
    return 'done'
  },
  undo: async (tx, { orderNo }, { isAll }) => {
    if (isAll) await revokeMembershipYears(tx, orderNo, deps().clock.now())
  },
})

let running: Deps | undefined
const requireDeps = (): Deps => running ?? fail('UNAVAILABLE')
const kinds: readonly OrderKind[] = [
  createOpeningKind(1, requireDeps),
  createOpeningKind(2, requireDeps),
  createRenewKind(requireDeps),
  createRechargeKind(requireDeps),
  ...createCardServiceKinds(requireDeps),
]

/** Registers the order types of cards; called once per process, before it listens. */
export function registerCardKinds(deps: Deps): void {
  running = deps
  for (const kind of kinds) registerOrderKind(kind)
}
