import { accountOf } from './cards.ts'
import { Refusal } from './company.ts'
import type { Company } from './company.ts'
import { DAY_MS } from './model.ts'
import type { Dispute } from './model.ts'
import { notify } from './post.ts'
import { transactionOf } from './transactions.ts'

const POT = 'disputes'
/** Unsubmitted ones are kept so long, counted from the capture. */
const SUBMIT_DAYS = 110
/** The merchant's time to answer; who does not loses. */
const ANSWER_DAYS = 30

export interface NewDispute {
  readonly transaction: string
  readonly minor: bigint
  readonly reason: string
  /** Chosen by the caller, if it must know it before. */
  readonly ref?: string
}

/** One for each capture. The money is credited for as long as it is not lost. */
export function openDispute(company: Company, { transaction, minor, reason, ref = company.makeRef('disp') }: NewDispute): Dispute {
  const taken = transactionOf(company, transaction)
  if (taken.kind !== 'capture') throw new Refusal('not_a_capture')
  if (company.store.byLink('dispute', transaction).length) throw new Refusal('already_disputed')
  if (minor <= 0n || minor > taken.minor) throw new Refusal('bad_sum')
  if (company.now() > taken.at + SUBMIT_DAYS * DAY_MS) throw new Refusal('too_late')
  const made: Dispute = {
    ref,
    card: taken.card,
    transaction,
    minor,
    status: 'unsubmitted',
    credited: false,
    why: reason,
    due: taken.at + SUBMIT_DAYS * DAY_MS,
  }
  company.store.insert('dispute', made, { at: company.now(), card: taken.card, link: transaction, visit: taken.visit, due: made.due })
  notify(company, 'dispute', 'created', made.ref, made.card)
  return made
}

export function disputeOf(company: Company, ref: string): Dispute {
  const found = company.store.find('dispute', ref)
  if (!found) throw new Refusal('no_such_dispute', 404)
  return found
}

export function submitDispute(company: Company, ref: string): Dispute {
  const found = disputeOf(company, ref)
  if (found.status === 'submitted') return found
  if (found.status !== 'unsubmitted') throw new Refusal('dispute_is_over')
  found.status = 'submitted'
  found.credited = true
  found.due = company.now() + ANSWER_DAYS * DAY_MS
  company.store.post(company.now(), POT, accountOf(found.card), found.minor, 'dispute_credit', ref)
  return keep(company, found)
}

/** Decides a submitted dispute, as the scheme. */
export function settleCardDispute(company: Company, ref: string, end: 'won' | 'lost'): Dispute {
  return company.store.atomic(() => {
    const found = disputeOf(company, ref)
    if (found.status !== 'submitted') throw new Refusal('not_submitted')
    found.status = end
    delete found.due
    if (end === 'lost') {
      found.credited = false
      company.store.post(company.now(), accountOf(found.card), POT, found.minor, 'dispute_lost', ref)
    }
    return keep(company, found)
  })
}

/** Ends a dispute at its deadline: an unsubmitted one expires, a submitted one is won because the merchant did not respond. */
export function endDispute(company: Company, ref: string): void {
  const found = disputeOf(company, ref)
  if (found.status === 'submitted') return void settleCardDispute(company, ref, 'won')
  delete found.due
  if (found.status === 'unsubmitted') found.status = 'expired'
  keep(company, found)
}

function keep(company: Company, dispute: Dispute): Dispute {
  company.store.update('dispute', dispute)
  notify(company, 'dispute', 'updated', dispute.ref, dispute.card)
  return dispute
}
