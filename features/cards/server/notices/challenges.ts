import type { Deps, Handler } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { findContact } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { cardsContract } from '../../contract.ts'
import { selectCardByRef } from '../cards/data.ts'
import { findIssuer } from '../vendors/index.ts'
import { cardMail } from '../mails.ts'
import type { Issuer } from '../vendors/port.ts'
import { centsToNano } from '../figures.ts'
import { selectFreshChallenges, insertCardChallenge } from './data-notices.ts'

/**
 * A code requested by a merchant's bank. It is read from the issuer on demand: for the mail, which stays sealed until it is sent, and for
 * the page. It is never stored in our rows.
 */
export async function receiveCardChallenge(
  deps: Deps,
  issuer: Issuer,
  { ref, cardRef }: { readonly ref: string; readonly cardRef: string },
): Promise<'done' | 'unknown_card'> {
  const card = await selectCardByRef(deps.db, issuer.name, cardRef)
  if (!card) return 'unknown_card'
  const challenge = await issuer.challenge(ref)
  if (!challenge || challenge.cardRef !== cardRef) return 'done'
  const contact = await findContact(deps.db, card.userId)
  const seconds = Math.floor((challenge.expiresAt.getTime() - deps.clock.now().getTime()) / 1000)
  await transact(deps.db, SYSTEM, async (tx) => {
    if (!(await insertCardChallenge(tx, issuer.name, { ref, cardId: card.id }))) return
    await tx.audit('card.challenge', `card:${card.id}`, { ref, merchant: challenge.merchant.name })
    if (!contact?.email || seconds <= 0) return
    const values = { code: challenge.code, merchant: challenge.merchant.name, amount: formatUsd(centsToNano(challenge.minor)), last4: card.last4 }
    await sendMail(deps, tx, {
      to: contact.email,
      template: cardMail('challenge'),
      values,
      lang: contact.lang,
      dedupe: `cards.challenge:${issuer.name}:${ref}`,
      goodForSeconds: seconds,
    })
  })
  return 'done'
}

export const challenges: Handler<typeof cardsContract.challenges> = async (ctx) => {
  const rows = await selectFreshChallenges(ctx.db, ctx.userId)
  const now = ctx.clock.now()
  const found = await Promise.all(
    rows.map(async (row) => {
      const challenge = await findIssuer(ctx, row.issuer)
        ?.challenge(row.ref)
        .catch(() => undefined)
      if (!challenge || challenge.expiresAt <= now) return []
      const { merchant, minor, code, expiresAt } = challenge
      return [
        {
          id: row.ref,
          cardId: row.cardId,
          last4: row.last4,
          merchant: merchant.name,
          amount: formatUsd(centsToNano(minor)),
          code,
          expiresTime: expiresAt.toISOString(),
        },
      ]
    }),
  )
  return { rowList: found.flat() }
}
