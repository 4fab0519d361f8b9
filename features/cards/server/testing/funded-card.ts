import type { Db } from '#platform/server/database/db.ts'
import type { Deps } from '#platform/server/feature.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readCardBalances, readPostedBalance, systemAccount, verifyLedger } from '#features/wallet/server/door.ts'
import { decideAuthorization } from '../authorisations/decide.ts'
import type { AuthorizationRequest } from '../vendors/port.ts'
import { insertCardNotice, takeDueNotices } from '../notices/data-notices.ts'
import { convergeAuthorization } from '../authorisations/converge.ts'
import { anActiveCard as buildCard, aRecharge } from '../builders.ts'
import { workNotice } from '../notices/work-notice.ts'
import { selectCardById } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { workCard } from '../lifecycle/work-cards.ts'
import { workMove } from '../money/work-moves.ts'
import type { BookIssuer } from './book-issuer.ts'

const DOLLAR = NANO_PER_USD

export interface FundedCard {
  readonly user: BuiltUser
  readonly card: Card
}

/** A member with an active card at the book issuer, and so many dollars on it. */
export async function aFundedCard(
  deps: Deps,
  db: Db,
  { issuer, options = {} }: { readonly issuer: BookIssuer; readonly options?: { dollars?: number; user?: BuiltUser; type?: 'standard' | 'pro' } },
): Promise<FundedCard> {
  const user = options.user ?? (await aUser(deps))
  const amount = BigInt(options.dollars ?? 0) * DOLLAR
  if (amount) await aFundedUser(db, { userId: user.userId, purchased: amount })
  const made = await issuer.createCard({ key: createId('key') })
  const card = await buildCard(deps, { userId: user.userId, issuer: issuer.name, made, ...(options.type ? { type: options.type } : {}) })
  if (amount) await workMove(deps, await aRecharge(deps, card, amount))
  return { user, card: (await selectCardById(db, card.id))! }
}

/** Answers the issuer's decision requests, with a timeout long enough for slow machines. */
export const createDecisionCaller = (deps: Deps, issuer: BookIssuer) => (notice: { eventId: string; asked: AuthorizationRequest }) =>
  decideAuthorization(deps, issuer, { eventId: notice.eventId, asked: notice.asked, deadlineMs: PATIENCE_MS })

/** Delivers the issuer's pending notices, in the order and as often as `pick` decides, then all that are left. */
export async function deliverNotices(
  deps: Deps,
  issuer: BookIssuer,
  order: (notices: BookIssuer['notices']) => BookIssuer['notices'] = (all) => all,
): Promise<void> {
  while (issuer.notices.length) {
    for (const notice of order(issuer.notices.splice(0))) {
      if (notice.kind === 'decide' || notice.kind === 'ignored') continue
      const fresh = await insertCardNotice(deps.db, { issuer: issuer.name, ...notice })
      if (fresh)
        await workNotice(deps, { issuer: issuer.name, eventId: notice.eventId, kind: notice.kind, ref: notice.ref, cardRef: notice.cardRef, checks: 0 })
    }
  }
}

/** Makes everything due that waits for a time: failed notices, holds kept for a capture. */
export async function advanceWaitingWork(deps: Deps, db: Db & { owner: Db }, issuer: BookIssuer): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await db.owner.query(`update cards_notices set next_check_at = clock_timestamp() where done_at is null`)
    for (const row of await takeDueNotices(db, 10_000)) await workNotice(deps, row)
    await db.owner.query(`update cards_authorizations set release_at = clock_timestamp() - interval '1 second' where release_at is not null`)
    await db.owner.query(`update cards_authorizations set decided_at = clock_timestamp() - interval '1 minute' where decided_at is not null`)
    const open = await db.query<{ ref: string }>(`select ref from cards_authorizations where next_check_at is not null`)
    for (const { ref } of open) if (issuer.auths.has(ref)) await convergeAuthorization(deps, issuer, ref)
  }
}

/** Runs a card's job until nothing is due. */
export async function settleCard(deps: Deps, db: Db, id: string): Promise<Card> {
  for (let round = 0; round < 12; round++) {
    await workCard(deps, id)
    for (const { id: move } of await db.query<{ id: string }>('select id from cards_moves where finished_at is null and (from_card = $1 or to_card = $1)', [
      id,
    ]))
      await workMove(deps, move)
  }
  return (await selectCardById(db, id))!
}

const cents = (amount: bigint) => Number(amount / (DOLLAR / 100n))

/** In cents. */
export async function readCardMoney(db: Db, cardId: string): Promise<{ posted: number; held: number; available: number; owed: number }> {
  const { posted, held, available, owed } = (await readCardBalances(db, [cardId])).get(cardId)!
  return { posted: cents(posted), held: cents(held), available: cents(available), owed: cents(owed) }
}

/** Checks the invariants of both books; returns the problems found. */
export async function auditBooks(db: Db, issuer: BookIssuer): Promise<string[]> {
  const problems = (await verifyLedger(db)).problems.map(({ atTable, rowId, problem }) => `${atTable} ${rowId}: ${problem}`)
  const ours = await readPostedBalance(db, systemAccount('issuer'))
  const lent = await db.query<{ n: bigint }>('select coalesce(sum(credited), 0)::bigint as n from cards_disputes')
  const theirs = issuer.spent() * (DOLLAR / 100n) - lent[0]!.n
  if (ours !== theirs) problems.push(`the issuer's account has ${ours}, its book ${theirs}`)
  const bills = await db.query<{ id: string; said: bigint; holding: bigint }>(
    `select c.id, coalesce((select sum(amount + fee) from cards_bills b where b.card_id = c.id and b.state = 'success'), 0)::bigint as said,
      coalesce((select -sum(amount + fee) from cards_bills b where b.card_id = c.id and b.state = 'processing' and b.kind not in ('recharge','moved_in')), 0)::bigint as holding
    from cards_cards c`,
  )
  const balances = await readCardBalances(
    db,
    bills.map(({ id }) => id),
  )
  for (const { id, said, holding } of bills) {
    const { posted, owed, held } = balances.get(id)!
    const stands = posted - owed
    if (said !== stands) problems.push(`the bills of ${id} come to ${said}, its accounts to ${stands}`)
    if (holding !== held) problems.push(`the bills of ${id} hold ${holding}, its account ${held}`)
  }
  return problems
}
