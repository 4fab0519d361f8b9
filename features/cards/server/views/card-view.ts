import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { maxNano, subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { pick } from '#platform/shared/pick.ts'
import type { CardBalance } from '#features/wallet/server/door.ts'
import { readCardBalances } from '#features/wallet/server/door.ts'
import type { CardRow } from '../../contract.ts'
import { CARD_FIELDS } from '../../contract-card.ts'
import { selectRefusalCounts } from '../authorisations/data-decisions.ts'
import { selectBills } from '../bills/data.ts'
import { readSpendingLimit, toShanghaiMonth, computeNextMonthStart } from '../figures.ts'
import { findIssuer, findCardPlatform } from '../vendors/index.ts'
import { readOpeningFailure, computeOpeningPace, toOpenReason } from '../opening/failure.ts'
import { cardTypes, closingRules, expiringDays } from '../settings.ts'
import { selectCardMonths } from '../cards/data-months.ts'
import type { CardMonth } from '../cards/data-months.ts'
import type { Card } from '../cards/data.ts'

interface CardContext {
  readonly has: CardBalance
  readonly month: CardMonth | undefined
  readonly ceiling: bigint
  readonly rate: { readonly all: number; readonly refused: number }
}

/** Cards as their user sees them: spendable balance, remaining monthly limit, warnings. */
export async function buildCardRows(deps: Deps, sql: Sql, cards: readonly Card[]): Promise<CardRow[]> {
  if (!cards.length) return []
  const ids = cards.map(({ id }) => id)
  const balances = await readCardBalances(sql, ids)
  const months = await selectCardMonths(sql, ids, toShanghaiMonth(deps.clock.now()))
  const ceiling = await readSpendingLimit(deps, sql, cards[0]!.userId)
  const { days } = await deps.settings.get(closingRules)
  const rows: CardRow[] = []
  for (const card of cards)
    rows.push(
      await buildRow(deps, sql, {
        card,
        around: {
          has: balances.get(card.id)!,
          month: months.get(card.id),
          ceiling,
          rate: await selectRefusalCounts(sql, card.id, days),
        },
      }),
    )
  return rows
}

export async function buildCardRow(deps: Deps, sql: Sql, card: Card): Promise<CardRow> {
  return (await buildCardRows(deps, sql, [card]))[0]!
}

async function buildRow(deps: Deps, sql: Sql, { card, around }: { readonly card: Card; readonly around: CardContext }): Promise<CardRow> {
  const { has, month, ceiling, rate } = around
  const rules = await deps.settings.get(closingRules)
  const types = (await deps.settings.get(cardTypes))[card.type]
  const { address } = card
  return {
    ...pick(card, 'id', ...CARD_FIELDS, 'closeReason', 'bin', 'holder', 'replacedBy'),
    platform: findCardPlatform(card.issuer),
    frozenBy: card.state === 'frozen' ? card.frozenBy : null,
    failReason: card.state === 'failed' ? toOpenReason(card) : '',
    pace: computeOpeningPace(card),
    failure: card.state === 'failed' ? await readOpeningFailure(deps, sql, card) : null,
    cardNo: formatCardNumber(card),
    expiry: card.expMonth === null || card.expYear === null ? '' : `${String(card.expMonth).padStart(2, '0')}/${String(card.expYear).slice(-2)}`,
    // The last day: the one before the instant from which the card no longer works.
    validUntil: card.validUntil ? new Date(card.validUntil.getTime() - 1).toISOString() : null,
    createdTime: card.createdAt.toISOString(),
    openedTime: card.openedAt?.toISOString() ?? null,
    available: formatUsd(has.owed > 0n ? subtractNano(0n, has.owed) : has.available),
    balance: formatUsd(subtractNano(has.posted, has.owed)),
    reserved: formatUsd(has.held),
    owed: formatUsd(has.owed),
    totalSpent: formatUsd(card.totalSpent),
    totalRecharged: formatUsd(card.totalRecharged),
    monthSpent: formatUsd(month?.spent ?? 0n),
    monthlyLimit: formatUsd(ceiling),
    monthResets: computeNextMonthStart(deps.clock.now()).toISOString(),
    refusals: {
      inRow: card.refusals,
      closesAt: rules.inRow,
      rate: rate.all ? Math.round((rate.refused / rate.all) * 1000) / 1000 : 0,
      rateClosesAt: rules.rate,
      rateCounted: rate.all >= rules.from,
    },
    needsFirstRecharge: !card.activated,
    billingAddress: card.addressKnown ? { ...address, line2: address.line2 ?? '' } : null,
    canChangeAddress: findIssuer(deps, card.issuer)?.setBilling !== undefined,
    warnings: await buildWarnings(deps, sql, { card, context: around }),
    goodFor: types.goodFor,
    notFor: types.notFor,
  }
}

/** First six digits and dots. */
export const formatCardNumber = ({ bin }: Pick<Card, 'bin'>): string => (bin ? `${bin.slice(0, 6)}••••••••••` : '')

async function buildWarnings(
  deps: Deps,
  sql: Sql,
  { card, context: { has, month, ceiling } }: { readonly card: Card; readonly context: CardContext },
): Promise<CardRow['warnings']> {
  if (card.state === 'requested' || card.state === 'opening' || card.state === 'failed') return []
  const found: CardRow['warnings'] = []
  const rules = await deps.settings.get(closingRules)
  const works = card.state === 'active' || card.state === 'frozen'
  if (works && card.refusals >= rules.warnAt) found.push({ name: 'refusals', facts: await buildRefusalFacts(sql, card, rules.inRow) })
  if (has.owed > 0n) found.push({ name: 'owed', facts: { amount: formatUsd(has.owed) } })
  if (works && card.mustChange) found.push({ name: 'must_change', facts: {} })
  const left = card.validUntil ? (card.validUntil.getTime() - deps.clock.now().getTime()) / 86_400_000 : Infinity
  if (works && left < (await deps.settings.get(expiringDays)))
    found.push({ name: 'expiring', facts: { until: new Date(card.validUntil!.getTime() - 1).toISOString() } })
  const spent = month?.spent ?? 0n
  if (works && spent > subtractNano(ceiling, parseUsd('10')) && spent > 0n)
    found.push({ name: 'month_nearly_spent', facts: { amount: formatUsd(maxNano(subtractNano(ceiling, spent), 0n)) } })
  const returned = card.warned['returned']
  if (returned) found.push({ name: 'returned', facts: { amount: returned } })
  const isRead = card.readAt !== null
  return isRead ? found.filter(({ name }) => name === 'owed' || name === 'must_change') : found
}

/** Number of refusals so far, number until the card is closed, and the sum missing in the last one. */
async function buildRefusalFacts(sql: Sql, card: Card, closesAt: number) {
  const counts = { count: String(card.refusals), left: String(Math.max(0, closesAt - card.refusals)) }
  const [last] = await selectBills(sql, { userId: card.userId, cardId: card.id, kind: 'purchase', state: 'fail' }, { limit: 1, offset: 0 })
  if (!last?.merchant || last.missing === null) return counts
  return { ...counts, merchant: last.merchant, missing: formatUsd(last.missing) }
}
