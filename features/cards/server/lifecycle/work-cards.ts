import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { readCardBalances } from '#features/wallet/server/door.ts'
import { clearWait, recordWait } from '#platform/server/suppliers/waits.ts'
import { asSupplierError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import { readCardholder } from '#features/identity/server/door.ts'
import { computeBackoffSeconds } from '../backoff.ts'
import { countOpenAuths } from '../authorisations/data.ts'
import { findIssuer } from '../vendors/index.ts'
import { selectOpenMoves } from '../money/data.ts'
import { startUnload } from '../money/start-move.ts'
import { sweepClosed } from '../money/sweep.ts'
import { openCard } from '../opening/open-card.ts'
import { returnDeposit } from '../opening/deposit.ts'
import { buildHolderCall } from '../opening/choose-issuer.ts'
import type { IssuerAddress, Issuer } from '../vendors/port.ts'
import { selectCardById, changeCard, lockCard, unscheduleCard, scheduleCard, takeDueCards } from '../cards/data.ts'
import type { Card } from '../cards/data.ts'
import { syncCard } from './sync-card.ts'

/** Longest pause between two queries about a card, in seconds. */
const LONGEST_PAUSE_SECONDS = 900

const BATCH = 20

/** Job: works off every due card, one by one. */
export async function workCards(deps: Deps): Promise<void> {
  for (const id of await takeDueCards(deps.db, BATCH)) {
    await workCard(deps, id).catch(async (error: unknown) => {
      deps.log.error({ err: error, cardId: id }, 'a card could not be moved on')
      countEvent('cards.card_failed')
    })
  }
}

/** Advances one card as far as possible now. Safe to call at any time, by any number of processes. */
export async function workCard(deps: Deps, id: string): Promise<void> {
  const card = await selectCardById(deps.db, id)
  if (!card) return
  if (card.state === 'requested' || card.state === 'opening') return openCard(deps, card)
  if (card.cardRef === null) return unscheduleCard(deps.db, id)
  if (card.issuerState !== card.issuerWanted && card.issuerState !== 'closed' && !(await pushStateToIssuer(deps, card)))
    return scheduleCard(deps.db, id, computeBackoffSeconds(card.checks, LONGEST_PAUSE_SECONDS))
  if (card.state === 'closing') return continueClosing(deps, card)
  if (!card.addressKnown && !(await readAddress(deps, card))) return scheduleCard(deps.db, id, computeBackoffSeconds(card.checks, LONGEST_PAUSE_SECONDS))
  await unscheduleCard(deps.db, id)
}

const formatWaitSubject = ({ id }: Card): string => `card:${id}`

/** Sends a freeze, an unfreeze or a closure to the issuer. Returns true once the issuer has it. */
async function pushStateToIssuer(deps: Deps, card: Card): Promise<boolean> {
  const issuer = findIssuer(deps, card.issuer)
  if (!issuer) {
    countEvent('cards.issuer_gone')
    return false
  }
  crashPoint('cards.state-before-call')
  try {
    const said = await issuer.setCardState(card.cardRef!, card.issuerWanted, `${card.id}:${card.issuerWanted}:${card.now.getTime()}`)
    // Closed by the issuer: there is nothing to send, and the remaining money is treated like that of any closed card.
    if (said.state === 'closed' && card.issuerWanted !== 'closed') return await recordIssuerClosure(deps, issuer, card)
    if (said.state !== card.issuerWanted) return false
  } catch (error) {
    countEvent('cards.state_unknown')
    const { message, reason, detail } = asSupplierError(error)
    deps.log.warn({ cardId: card.id, why: message }, 'an issuer gave no clear answer about a card')
    // Retry without limit, even after a refusal: a card that stays open at the issuer can be spent
    await recordWait(
      deps.db,
      { subject: formatWaitSubject(card), port: 'cards.issuer', supplier: card.issuer, operation: 'setCardState' },
      unknownError(reason, detail),
    )
    return false
  }
  crashPoint('cards.state-after-call')
  await clearWait(deps.db, formatWaitSubject(card))
  await transact(deps.db, SYSTEM, async (tx) => {
    const now = await lockCard(tx, card.id)
    await changeCard(tx, now, { change: { issuerState: card.issuerWanted, checks: 0 }, options: now.issuerWanted === card.issuerWanted ? {} : { seconds: 0 } })
    await tx.audit('card.issuer_told', `card:${card.id}`, { state: card.issuerWanted })
  })
  return true
}

/** Reads the billing address that the issuer holds. True also if its answers hold none. */
async function readAddress(deps: Deps, card: Card): Promise<boolean> {
  const issuer = findIssuer(deps, card.issuer)
  if (!issuer || (card.state !== 'active' && card.state !== 'frozen')) return true
  try {
    const { billing } = await issuer.card(card.cardRef!)
    const address = billing ?? (await buildSentAddress(deps, issuer, card))
    if (!address) return true
    await transact(deps.db, SYSTEM, async (tx) => {
      await changeCard(tx, await lockCard(tx, card.id), { change: { address, addressKnown: true, checks: 0 } })
      await tx.audit('card.address_read', `card:${card.id}`)
    })
    return true
  } catch (error) {
    deps.log.warn({ cardId: card.id, why: asSupplierError(error).message }, 'an issuer did not say which address it holds')
    return false
  }
}

/** Address sent to the issuer with the holder; for issuers whose answers hold none. */
async function buildSentAddress(deps: Deps, issuer: Issuer, { userId }: Card): Promise<IssuerAddress | undefined> {
  const holder = await readCardholder(deps, userId)
  if (!holder) return undefined
  const { address, billing } = await buildHolderCall(deps, issuer, { key: '', holder })
  return billing ?? address
}

async function recordIssuerClosure(deps: Deps, issuer: Issuer, card: Card): Promise<true> {
  if (card.state !== 'closing') await syncCard(deps, issuer, card.cardRef!)
  else
    await transact(deps.db, SYSTEM, async (tx) => {
      await changeCard(tx, await lockCard(tx, card.id), { change: { issuerState: 'closed', checks: 0 }, options: { seconds: 0 } })
      await tx.audit('card.closed_by_issuer', `card:${card.id}`)
    })
  return true
}

/** Closes a card once no money is held or left on it. Free money leaves at once, held money when its authorisation ends. */
async function continueClosing(deps: Deps, { id }: Card): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    const card = await lockCard(tx, id)
    if (card.state !== 'closing') return
    await tx.audit('card.closing', `card:${id}`)
    const { available, held, posted } = (await readCardBalances(tx, [id])).get(id)!
    if (available > 0n) {
      if (card.issuerState === 'closed') {
        await sweepClosed(tx, card)
        return void (await changeCard(tx, card, { change: {}, options: { seconds: 0 } }))
      }
      const heir = card.replacedBy
      await startUnload(tx, card, { kind: heir ? 'moved' : 'returned', amount: available, to: heir ?? undefined })
      return void (await changeCard(tx, card, { change: {}, options: { seconds: 5 } }))
    }
    if (held > 0n || posted > 0n || (await countOpenAuths(tx, id)) > 0 || (await selectOpenMoves(tx, id)).length > 0)
      return void (await changeCard(tx, card, { change: {}, options: { seconds: computeBackoffSeconds(card.checks, LONGEST_PAUSE_SECONDS) } }))
    if (card.issuerState !== 'closed') return void (await changeCard(tx, card, { change: { issuerWanted: 'closed', checks: 0 }, options: { seconds: 0 } }))
    await finishClosing(deps, tx, card)
    crashPoint('cards.close-before-commit')
  })
}

async function finishClosing(deps: Deps, tx: Tx, card: Card): Promise<void> {
  await changeCard(tx, card, { change: { state: 'closed', closedAt: deps.clock.now() }, options: { seconds: null, reason: card.closeReason ?? '' } })
  const deposit = await returnDeposit(tx, card.userId)
  await tx.emit('card.closed', { cardId: card.id, userId: card.userId, last4: card.last4, why: card.closeReason, deposit: formatUsd(deposit) })
}
