import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { lockOrderByNo, findLatestRefund } from '#features/payments/server/door.ts'
import { retryCardOpening, selectCardById, lockCard } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { findIssuer } from '../vendors/index.ts'
import { selectCardIdByOrder, resetIssuerHolder } from './data.ts'
import { buildAttemptKey } from './open-card.ts'
import { rejectOpening } from './reject-opening.ts'

const input = z.object({ orderNo: z.string().min(1).max(60) })
type Named = z.output<typeof input>

/** The issuer's result for the card's key. */
export type IssuerQueryResult = 'a card' | 'no card' | 'no answer'

/** The card that an order paid for. */
async function requireOrderedCard(sql: Sql, { orderNo }: Named): Promise<Card> {
  const id = await selectCardIdByOrder(sql, orderNo)
  return (id === undefined ? undefined : await selectCardById(sql, id)) ?? fail('CARD_NOT_FOUND')
}

async function queryIssuer(deps: Deps, named: Named): Promise<IssuerQueryResult> {
  const card = await requireOrderedCard(deps.db, named)
  try {
    const issuer = findIssuer(deps, card.issuer)
    if (!issuer) return 'no answer'
    const known = card.cardRef === null ? await issuer.cardByKey(buildAttemptKey(card)) : await issuer.card(card.cardRef)
    return known && known.state !== 'failed' ? 'a card' : 'no card'
  } catch (error) {
    deps.log.warn({ cardId: card.id, why: asSupplierError(error).message }, 'an issuer did not answer an operator about a card')
    return 'no answer'
  }
}

const subject = async (_deps: Deps, { orderNo }: Named) => `order:${orderNo}`
const weigh = async ({ db }: Deps, named: Named) => ({ userId: (await requireOrderedCard(db, named)).userId })

async function look({ tx }: CommandExecution, named: Named) {
  const card = await requireOrderedCard(tx, named)
  const back = await findLatestRefund(tx, named.orderNo)
  return {
    ...{ state: card.state, attempt: card.attempt, lastCall: card.stuck, reason: card.failReason },
    moneyBack: back ? `${formatUsd(back.amount)} to the ${back.goesTo}${back.isDone ? '' : ', on its way'}` : '',
  }
}

/** Locks a card whose opening has not ended: requested, sent, or failed without a refund yet. Locks the order before the card. */
async function lockUnfinishedCard({ tx }: CommandExecution, named: Named): Promise<Card> {
  const { id } = await requireOrderedCard(tx, named)
  const order = await lockOrderByNo(tx, named.orderNo)
  const card = await lockCard(tx, id)
  if (!['requested', 'opening', 'failed'].includes(card.state) || order === 'refunding' || order === 'refunded') fail('CARD_BUSY')
  if (card.state === 'failed' && (await findLatestRefund(tx, named.orderNo))) fail('CARD_BUSY')
  return card
}

// The order's own money goes back to its payer or becomes the card: no operator can choose the sum or the recipient.
const common = { permission: 'payments.repair', money: 'own', input, subject, weigh, look, gather: queryIssuer, bulk: true } as const

/** Commands for paid openings without an outcome. Both query the issuer first: an existing card is neither made twice nor refunded. */
export const openingCommands = [
  defineCommand({
    ...common,
    name: 'card.retry-opening',
    summary: 'Asks the issuer again for a card that is paid and not there, under a new key; refused while the issuer may have one',
    run: async (act, named) => {
      const card = await lockUnfinishedCard(act, named)
      if (act.gathered === 'no answer') fail('CARD_ISSUER_AWAY')
      // An existing card is found by the key under which it was made.
      if (act.gathered === 'a card') return { issuer: 'a card', attempt: card.attempt }
      await resetIssuerHolder(act.tx, card.issuer, card.userId)
      const now = await retryCardOpening(act.tx, card, `operator: ${act.reason}`)
      await act.tx.audit('card.retried', `card:${card.id}`, { attempt: now.attempt, reason: act.reason })
      return { issuer: 'no card', attempt: now.attempt }
    },
  }),
  defineCommand({
    ...common,
    permission: 'payments.refund',
    name: 'card.end-opening',
    summary: 'Ends an opening that is paid and not there: all of its money goes back; refused while the issuer may have a card',
    run: async (act, named) => {
      const card = await lockUnfinishedCard(act, named)
      if (act.gathered !== 'no card') fail(act.gathered === 'a card' ? 'CARD_BUSY' : 'CARD_ISSUER_AWAY')
      await rejectOpening(act.deps, act.tx, { card, rejection: { reason: 'withdrawn', detail: act.reason, byIssuer: false }, isBack: false })
      return { issuer: 'no card' }
    },
  }),
] as const
