import { crashPoint } from '#platform/server/crash.ts'
import type { Ctx, Handler, TxCtx } from '#platform/server/feature.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { requirePayPassword } from '#features/account/server/door.ts'
import { readCardBalances } from '#features/wallet/server/door.ts'
import type { cardsContract } from '../../contract.ts'
import { countOpenAuths } from '../authorisations/data.ts'
import { selectOpenMoves } from '../money/data.ts'
import { changeCard, lockOwnCard, selectNewestReplacement } from '../cards/data.ts'
import { buildCardRow } from '../views/card-view.ts'

type C = typeof cardsContract

/** Closes a card permanently. New charges are refused at once; held sums stay until they are settled, the rest goes to the balance. */
async function close(ctx: TxCtx, { id, reason }: InputOf<C['closeCard']>) {
  const tx = ctx.tx
  const card = await lockOwnCard(tx, id, ctx.userId)
  if (card.state === 'closed' || card.state === 'closing') fail('CARD_CLOSED')
  if (card.state === 'requested' || card.state === 'opening') fail('CARD_BUSY')
  const next = await selectNewestReplacement(tx, id)
  if (next && (next.state === 'requested' || next.state === 'opening')) fail('CARD_BUSY')
  const isMade = card.cardRef !== null
  const change = { close_reason: reason, issuer_wanted: 'frozen' as const, checks: 0 }
  const now = isMade
    ? await changeCard(tx, card, { change: { state: 'closing', ...change }, options: { seconds: 0, reason } })
    : await changeCard(tx, card, { change: { state: 'closed', closedAt: ctx.clock.now(), ...change }, options: { seconds: null, reason } })
  await tx.audit('card.closed_by_user', `card:${id}`, { reason })
  crashPoint('cards.end-before-commit')
  return buildCardRow(ctx, tx, now)
}

export const closeCard: Handler<C['closeCard']> = Object.assign(close, {
  before: (ctx: Ctx, { payPassword }: InputOf<C['closeCard']>) => requirePayPassword(ctx, ctx.userId, payPassword),
})

/** Hides a card from the list; its bills stay. */
export const expiredCardDelete: Handler<C['expiredCardDelete']> = async (ctx, { id }) => {
  const tx = ctx.tx
  const card = await lockOwnCard(tx, id, ctx.userId)
  if (card.state !== 'closed') fail('CARD_BUSY')
  const { owed, posted } = (await readCardBalances(tx, [id])).get(id)!
  if (owed > 0n || posted > 0n || (await countOpenAuths(tx, id)) > 0 || (await selectOpenMoves(tx, id)).length > 0) fail('CARD_HAS_OPEN_CHARGES')
  await changeCard(tx, card, { change: { hiddenAt: ctx.clock.now() } })
  await tx.audit('card.taken_off_list', `card:${id}`)
  return {}
}

export const warning: Handler<C['warning']> = async (ctx, { idList }) => {
  await transact(ctx.db, ctx.actor, async (tx) => {
    for (const id of [...new Set(idList)].toSorted()) {
      const card = await lockOwnCard(tx, id, ctx.userId).catch(() => undefined)
      if (card) await changeCard(tx, card, { change: { readAt: ctx.clock.now() } })
    }
    await tx.audit('card.warnings_read', `user:${ctx.userId}`)
  })
  return {}
}
