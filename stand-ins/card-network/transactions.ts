import { authorizationOf } from './authorizations.ts'
import { accountOf, cardOf } from './cards.ts'
import { Refusal } from './company.ts'
import type { Company } from './company.ts'
import { purchaseMagic } from './magic-inputs.ts'
import type { Local, Merchant, Transaction } from './model.ts'
import { notify } from './post.ts'

/** All merchants of the world, as far as the company settles with them. */
const MERCHANTS = 'merchants'

export interface Clearing {
  readonly minor: bigint
  /** More will come: the rest stays held. */
  readonly more?: boolean | undefined
  readonly local?: Local | undefined
}
export interface Unasked {
  readonly card: string
  readonly minor: bigint
  readonly merchant: Merchant
  readonly local?: Local | undefined
  readonly visit?: string | undefined
}

/**
 * Takes money under an authorisation: less, as much, or more than is held; after it expired, was closed, or declined. It always
 * succeeds, whatever the card's state; only what was reversed is gone.
 */
export function capture(company: Company, ref: string, { minor, more = false, local }: Clearing): Transaction {
  return company.store.atomic(() => {
    const found = authorizationOf(company, ref)
    if (found.status === 'reversed' || found.asking) throw new Refusal('not_open')
    const open = found.status === 'pending' && found.approved
    const before = found.heldMinor
    found.heldMinor = open && more && minor < before ? before - minor : 0n
    if (before > 0n) found.steps.push({ what: 'cleared', minor: before - found.heldMinor, at: company.now() })
    if (!open || !more) {
      found.status = 'closed'
      delete found.due
    }
    company.store.update('authorization', found)
    notify(company, 'authorization', 'updated', ref, found.card, purchaseMagic(minor))
    const { card, merchant, visit } = found
    return record(company, { kind: 'capture', card, authorization: ref, minor, merchant, local: local ?? found.local, visit })
  })
}

/** A merchant takes money without having asked. */
export function force(company: Company, { card, ...rest }: Unasked): Transaction {
  return company.store.atomic(() => record(company, { kind: 'capture', card: cardOf(company, card).ref, ...rest }))
}

/** Gives back what was captured, or a part of it. */
export function refund(company: Company, ref: string, minor?: bigint): Transaction {
  return company.store.atomic(() => {
    const taken = transactionOf(company, ref)
    const rest = taken.minor - taken.backMinor
    const given = minor ?? rest
    if (taken.kind !== 'capture' || given > rest) throw new Refusal('more_than_was_taken')
    taken.backMinor += given
    company.store.update('transaction', taken)
    const { card, merchant, authorization, visit } = taken
    return record(company, { kind: 'refund', card, authorization, minor: given, merchant, of: ref, visit })
  })
}

/** Gives money to a card, naming nothing. */
export function unlinkedRefund(company: Company, { card, ...rest }: Unasked): Transaction {
  return company.store.atomic(() => record(company, { kind: 'refund', card: cardOf(company, card).ref, ...rest }))
}

/** The merchant takes a refund back. */
export function reverseCardRefund(company: Company, ref: string): Transaction {
  return company.store.atomic(() => {
    const given = transactionOf(company, ref)
    if (given.kind !== 'refund' || given.backMinor > 0n) throw new Refusal('not_a_refund')
    given.backMinor = given.minor
    company.store.update('transaction', given)
    const taken = given.of ? company.store.find('transaction', given.of) : undefined
    if (taken) {
      taken.backMinor = taken.backMinor - given.minor
      company.store.update('transaction', taken)
    }
    const { card, merchant, authorization, minor, visit } = given
    return record(company, { kind: 'refund_reversal', card, authorization, minor, merchant, of: ref, visit })
  })
}

export function transactionOf(company: Company, ref: string): Transaction {
  const found = company.store.find('transaction', ref)
  if (!found) throw new Refusal('no_such_transaction', 404)
  return found
}

type Recorded = Pick<Transaction, 'kind' | 'card' | 'minor' | 'merchant'> & Partial<Pick<Transaction, 'authorization' | 'local' | 'of' | 'visit'>>

function record(company: Company, { kind, card, minor, merchant, authorization, local, of, visit }: Recorded): Transaction {
  if (minor <= 0n) throw new Refusal('bad_sum')
  const at = company.now()
  const made: Transaction = {
    ref: company.makeRef('txn'),
    card,
    ...(authorization ? { authorization } : {}),
    kind,
    minor,
    merchant,
    ...(local ? { local } : {}),
    at,
    ...(of ? { of } : {}),
    backMinor: 0n,
    ...(visit ? { visit } : {}),
  }
  company.store.insert('transaction', made, { at, card, link: authorization, visit })
  const [debit, credit] = kind === 'refund' ? [MERCHANTS, accountOf(card)] : [accountOf(card), MERCHANTS]
  company.store.post(at, debit, credit, minor, kind, made.ref)
  notify(company, 'transaction', 'created', made.ref, card, purchaseMagic(minor))
  return made
}
