import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { parseUsd, addNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { queryFaceCheck, requireReady, readIdentityStatus } from '#features/identity/server/door.ts'
import { isPartClosed, ORDER_TYPE } from '#features/payments/server/door.ts'
import type { SoldOrder } from '#features/payments/server/door.ts'
import { readPostedBalance, userAccount } from '#features/wallet/server/door.ts'
import type { CardType } from '../../words.ts'
import { requireNoCardDebt } from '../money/debts.ts'
import { cardPrices, maxCards, openingPaused } from '../settings.ts'
import type { CardPrices } from '../settings.ts'
import { selectMember } from '../members/data.ts'
import { chooseIssuer } from './choose-issuer.ts'
import { countUserCards } from './data.ts'

export interface OpeningPrice {
  readonly isFirst: boolean
  readonly price: Nano
  /** Deposit due in place of a face check; 0 if one is paid already. */
  readonly deposit: Nano
  readonly total: Nano
}

/** Price of an opening: members buy a further card, all others the first one. */
export async function readOpeningPrice(
  deps: Pick<Deps, 'settings'>,
  sql: Sql,
  { userId, type }: { readonly userId: string; readonly type: CardType },
): Promise<OpeningPrice> {
  const prices = await deps.settings.get(cardPrices)
  const isFirst = (await selectMember(sql, userId)) === undefined
  const price = computeCardPrice(prices, type, isFirst)
  const deposit = (await lacksDeposit(sql, userId)) ? parseUsd(prices.deposit) : 0n
  return { isFirst, price, deposit, total: addNano(price, deposit) }
}

/** Price of the card without deposit. */
export const computeCardPrice = (prices: CardPrices, type: CardType, isFirst: boolean): Nano =>
  parseUsd(type === 'pro' ? prices.proCard : isFirst ? prices.openAccount : prices.multipleCard)

/** Deposit part of an order: the amount above the card's price alone. */
export async function computeDepositPart(
  deps: Pick<Deps, 'settings'>,
  { amount, wishes, orderType }: Pick<SoldOrder, 'amount' | 'wishes' | 'orderType'>,
): Promise<Nano> {
  const prices = await deps.settings.get(cardPrices)
  const deposit = parseUsd(prices.deposit)
  return amount >= addNano(computeCardPrice(prices, parseCardType(wishes.service), orderType === ORDER_TYPE.OPEN_ACCOUNT), deposit) ? deposit : 0n
}

export const parseCardType = (service: string | undefined): CardType => (service === 'pro' ? 'pro' : 'standard')

/**
 * True if the user chose the deposit in place of the face check but has none with us: it was returned with the last card, or never paid.
 */
export async function lacksDeposit(sql: Sql, userId: string): Promise<boolean> {
  return (await readIdentityStatus(sql, userId)).method === 'deposit' && !(await hasDeposit(sql, userId))
}

export async function hasDeposit(sql: Sql, userId: string): Promise<boolean> {
  return (await readPostedBalance(sql, userAccount(userId, 'deposit'))) > 0n
}

/** Errors that block the payment but not the order (2112, 2139): the face check. */
const FACE_FIRST: readonly string[] = ['FACE_NOT_PASSED', 'IDENTITY_MISMATCH']

/** Requires every step but the face check, which may follow the order; payment waits for it (`refusePaying`). */
export async function requireOrderable(sql: Sql, userId: string): Promise<void> {
  await requireReady(sql, userId).catch((error: unknown) => {
    if (!(error instanceof Failure) || !FACE_FIRST.includes(error.errorName)) throw error
  })
}

/**
 * Refuses payment for a card until the identity steps are done. Rechecks them for users without membership: an order can outlive its
 * user's eligibility.
 */
export async function refusePaying(ctx: Ctx, isBack: boolean): Promise<void> {
  if (await selectMember(ctx.db, ctx.userId)) return
  if (isBack) await queryFaceCheck(ctx)
  await requireReady(ctx.db, ctx.userId)
}

/**
 * Refuses an order for a card that cannot be opened now. Errors: CARD_OPENING_PAUSED, CARD_MAINTENANCE, those of the missing step,
 * MEMBER_EXPIRED, CARD_IN_DEBT, CARD_ISSUER_AWAY, CARD_HOLDER_REFUSED with `reason`, CARD_LIMIT_OF_CARDS.
 */
export async function refuseOpening(deps: Deps, userId: string): Promise<{ isFirst: boolean }> {
  const { paused, until } = await deps.settings.get(openingPaused)
  if (paused) fail('CARD_OPENING_PAUSED', { until })
  if (await isPartClosed(deps, 'openCard')) fail('CARD_MAINTENANCE')
  const member = await selectMember(deps.db, userId)
  // Members have passed every step; their documents may be deleted by now.
  if (!member) await requireOrderable(deps.db, userId)
  if (member && member.until <= deps.clock.now()) fail('MEMBER_EXPIRED')
  await requireNoCardDebt(deps.db, userId)
  const { issuer, refused } = await chooseIssuer(deps, deps.db, userId)
  if (refused) fail('CARD_HOLDER_REFUSED', { reason: refused })
  if (!issuer) fail('CARD_ISSUER_AWAY')
  if ((await countUserCards(deps.db, userId)) >= (await deps.settings.get(maxCards))) fail('CARD_LIMIT_OF_CARDS')
  return { isFirst: member === undefined }
}
