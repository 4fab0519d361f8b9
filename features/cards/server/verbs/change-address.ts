import type { Ctx, Handler } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { createId } from '#platform/shared/ids.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import type { cardsContract } from '../../contract.ts'
import { findIssuer } from '../vendors/index.ts'
import type { IssuerAddress } from '../vendors/port.ts'
import { changeCard, lockOwnCard, requireOwnCard } from '../cards/data.ts'
import { buildCardRow } from '../views/card-view.ts'

type C = typeof cardsContract

/** Changes the address at the issuer first; the address that the issuer then holds is stored and shown. */
export const cardUpdate: Handler<C['cardUpdate']> = async (ctx, { id, ...wish }) => {
  const card = await requireOwnCard(ctx, id)
  if (card.state === 'closed' || card.state === 'closing') fail('CARD_CLOSED')
  const setBilling = findIssuer(ctx, card.issuer)?.setBilling
  if (!setBilling || card.cardRef === null || !card.addressKnown) return fail('CARD_ADDRESS_FIXED')
  const { line2, ...rest } = wish
  const held = await awaitIssuerAddress(
    ctx,
    id,
    setBilling(card.cardRef, { ...rest, ...(line2 ? { line2 } : {}), country: card.address.country }, createId('adr')),
  )
  return transact(ctx.db, ctx.actor, async (tx) => {
    const now = await changeCard(tx, await lockOwnCard(tx, id, ctx.userId), { change: { address: held, addressKnown: true } })
    await tx.audit('card.address_changed', `card:${id}`)
    return buildCardRow(ctx, tx, now)
  })
}

/** After an unclear response the card's job queries the issuer; until then no address is shown. */
async function awaitIssuerAddress(ctx: Ctx, id: string, asked: Promise<IssuerAddress>): Promise<IssuerAddress> {
  try {
    return await asked
  } catch (error) {
    const failed = asSupplierError(error)
    ctx.log.warn({ cardId: id, why: failed.message }, 'an issuer did not take a billing address')
    if (failed.kind === 'rejected') return fail('CARD_ADDRESS_FIXED')
    countEvent('cards.address_unknown')
    await transact(ctx.db, ctx.actor, async (tx) => {
      await changeCard(tx, await lockOwnCard(tx, id, ctx.userId), { change: { addressKnown: false }, options: { seconds: 0 } })
      await tx.audit('card.address_unclear', `card:${id}`)
    })
    return fail('CARD_ISSUER_AWAY')
  }
}
