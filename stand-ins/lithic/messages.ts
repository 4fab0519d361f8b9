import { createHmac } from 'node:crypto'
import type { Answer, Company, MessageFormat, NoticeFacts, SentReply } from '../card-network/company.ts'
import { disputeOf } from '../card-network/disputes.ts'
import type { DeclineCode } from '../card-network/model.ts'
import type { Oracle } from '../kit/server.ts'
import { showAuthorizationRequest, showLithicCard, showLithicDispute, showLithicTransaction } from './objects.ts'
import type { LithicFacts } from './objects.ts'
import { LITHIC_ASA, LITHIC_EVENT_SCHEDULE } from './rules.ts'

type Json = Record<string, any>

export interface LithicSecrets {
  /** Of the responder for authorisations: `GET /v1/auth_stream/secret`. */
  readonly asa: string
  /** Of the event subscription. */
  readonly events: string
}

/** Standard Webhooks, for events and for ASA requests: base64 of HMAC-SHA256 over `id.timestamp.body` under the decoded secret. */
export function signLithicMessage(
  secret: string,
  { id, at, body }: { readonly id: string; readonly at: number; readonly body: string },
): Record<string, string> {
  const mac = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(`${id}.${at}.${body}`)
    .digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${mac}` }
}

const DECLINES: Readonly<Record<string, DeclineCode>> = {
  AVS_INVALID: 'wrong_details',
  CARD_PAUSED: 'card_frozen',
  INSUFFICIENT_FUNDS: 'insufficient_funds',
  UNAUTHORIZED_MERCHANT: 'merchant_blocked',
  VELOCITY_EXCEEDED: 'monthly_limit',
  SUSPECTED_FRAUD: 'suspected_fraud',
}

export function createLithicFormat(facts: LithicFacts, secrets: LithicSecrets, oracle: Oracle | undefined): MessageFormat {
  return {
    schedule: LITHIC_EVENT_SCHEDULE.seconds,
    questionTries: LITHIC_ASA.tries,
    writeNotice: (company, notice) => {
      const payload = writePayload(company, facts, notice)
      if (payload) oracle?.checkSent(payload['event_type'], payload)
      return payload && JSON.stringify(payload)
    },
    writeQuestion: (company, authorization, { minor, local }) => {
      const body = showAuthorizationRequest(company, facts, { authorization, minor, local })
      oracle?.checkSent('ASA request', body)
      return { id: company.makeRef('evt'), body: JSON.stringify(body) }
    },
    sign: (company, { id, body, isQuestion, isForged }) => ({
      'content-type': 'application/json',
      ...signLithicMessage(isForged ? 'bm90IG91ciBrZXk=' : isQuestion ? secrets.asa : secrets.events, { id, at: Math.floor(company.wall() / 1000), body }),
    }),
    readAnswer: (reply, { minor, partialAllowed }) => {
      const answer = readAsaResponse(reply)
      if (!answer) return undefined
      oracle?.checkSent('ASA response', answer)
      if (answer['result'] !== 'APPROVED') return { approved: false, reason: DECLINES[answer['result']] ?? 'issuer_rule' }
      return readApproval(answer['approved_amount'], minor, partialAllowed)
    },
  }
}

/** An amount approves a part, where the terminal takes one (docs.lithic.com/docs/partial-approval). */
function readApproval(amount: unknown, minor: bigint, partialAllowed: boolean): Answer | undefined {
  if (amount === undefined) return { approved: true, minor }
  const named = Number.isSafeInteger(amount) ? BigInt(amount as number) : 0n
  return partialAllowed && named > 0n && named <= minor ? { approved: true, minor: named } : undefined
}

/** Anything but 200 with JSON declines as malformed or late. */
function readAsaResponse({ status, body }: SentReply): Json | undefined {
  if (status !== 200) return undefined
  try {
    const value = JSON.parse(body) as Json | null
    return typeof value?.['result'] === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function writePayload(company: Company, facts: LithicFacts, { subject, verb, ref, card }: NoticeFacts): Json | undefined {
  if (subject === 'card') {
    const replaces = facts.cards.get(ref)?.replaces
    if (verb === 'created') return { event_type: 'card.created', card_token: ref, ...(replaces ? { replacement_for: replaces } : {}) }
    const found = company.store.find('card', card)!
    return { event_type: 'card.updated', card_token: ref, previous_fields: {}, state: showLithicCard(company, facts, found, false)['state'] }
  }
  if (subject === 'dispute') return { event_type: 'dispute.updated', ...showLithicDispute(company, facts, disputeOf(company, ref)) }
  // codes of 3-D Secure are delivered by Lithic itself
  if (subject === 'challenge') return undefined
  return { event_type: 'card_transaction.updated', ...showLithicTransaction(company, ref) }
}
