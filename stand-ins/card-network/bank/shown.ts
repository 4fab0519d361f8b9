import { billingOf } from '../cards.ts'
import type { Company } from '../company.ts'
import type { Authorization, Card, Challenge, Dispute, Load, Local, Transaction } from '../model.ts'

/** Objects in API responses. Of a card number they contain at most the first six and last four digits. */
const localOf = (local: Local | undefined) => (local ? { local: { minor: local.minor.toString(), currency: local.currency } } : {})

export const showCard = (company: Company, card: Card) => {
  const { ref, state, reason, bin, last4, expMonth, expYear } = card
  return { ref, state, reason, bin, last4, expMonth, expYear, billing: billingOf(company, card) }
}

export const showLoad = ({ status, reason }: Load) => ({ status, reason })

export const showAuthorization = (found: Authorization) => ({
  ref: found.ref,
  card: found.card,
  status: found.status,
  approved: found.approved,
  ...(found.approved ? {} : { reason: found.reason }),
  held: found.heldMinor.toString(),
  approvedSum: found.approvedMinor.toString(),
  merchant: found.merchant,
  ...localOf(found.local),
  at: found.at,
  reversals: found.reversals,
})

export const showTransaction = ({ ref, card, authorization, kind, minor, merchant, local, at }: Transaction) => ({
  ref,
  card,
  authorization,
  kind,
  minor: minor.toString(),
  merchant,
  ...localOf(local),
  at,
})

export const showDispute = ({ ref, transaction, minor, status, credited }: Dispute) => ({ ref, transaction, minor: minor.toString(), status, credited })

export const showChallenge = ({ ref, card, code, merchant, minor, ends }: Challenge) => ({ ref, card, code, merchant, minor: minor.toString(), ends })
