import { createHmac } from 'node:crypto'
import { authorizationOf } from '../../card-network/authorizations.ts'
import { cardOf } from '../../card-network/cards.ts'
import type { Answer, Company, MessageFormat, Question, SentReply } from '../../card-network/company.ts'
import { disputeOf } from '../../card-network/disputes.ts'
import { isDeclineCode } from '../../card-network/model.ts'
import { transactionOf } from '../../card-network/transactions.ts'
import type { Oracle } from '../../kit/server.ts'
import { ISSUING_API_VERSION, showIssuingAuthorization, showIssuingCard, showIssuingDispute, showIssuingTransaction } from './objects.ts'
import type { IssuingFacts } from './objects.ts'
import { ISSUING_EVENT_SCHEDULE } from './rules.ts'

type Form = Record<string, any>

/** `t=<seconds>,v1=<hex of HMAC-SHA256 over time, dot and the raw bytes>` (docs.stripe.com/webhooks/signature). */
export const signIssuingEvent = (secret: string, at: number, body: string): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`

export function createIssuingFormat(facts: IssuingFacts, secret: string, oracle: Oracle | undefined): MessageFormat {
  const asked = new Map<string, string>()
  const writeEvent = (company: Company, id: string, type: string, object: Form): string => {
    const event = {
      id,
      object: 'event',
      api_version: ISSUING_API_VERSION,
      created: Math.floor(company.now() / 1000),
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: null,
      type,
    }
    oracle?.checkSent(type, event)
    return JSON.stringify(event)
  }
  return {
    schedule: ISSUING_EVENT_SCHEDULE.seconds,
    writeNotice: (company, { id, subject, verb, ref }) => {
      // codes of 3-D Secure are delivered by Stripe itself
      if (subject === 'challenge') return undefined
      const show = {
        authorization: () => showIssuingAuthorization(company, facts, authorizationOf(company, ref)),
        transaction: () => showIssuingTransaction(company, transactionOf(company, ref)),
        card: () => showIssuingCard(company, facts, cardOf(company, ref)),
        dispute: () => showIssuingDispute(company, facts, disputeOf(company, ref)),
      }
      return writeEvent(company, id, `issuing_${subject}.${verb}`, show[subject]())
    },
    writeQuestion: (company, authorization, question) => {
      const id = company.makeRef('evt')
      asked.set(id, authorization.ref)
      return { id, body: writeEvent(company, id, 'issuing_authorization.request', showIssuingAuthorization(company, facts, authorization, question)) }
    },
    sign: (company, { body, isForged }) => ({
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signIssuingEvent(isForged ? 'whsec_not_our_key' : secret, Math.floor(company.wall() / 1000), body),
    }),
    readAnswer: (reply, question, id) => {
      const said = readDecision(reply)
      if (!said) return undefined
      oracle?.checkSent('issuing_authorization.request answer', said)
      if (said['metadata']) facts.metadata.set(asked.get(id) ?? '', said['metadata'])
      return toAnswer(said, question)
    },
  }
}

/** 200 with `Stripe-Version` and JSON; anything else is an error of the webhook (docs.stripe.com/issuing/controls/real-time-authorizations). */
function readDecision({ status, headers, body }: SentReply): Form | undefined {
  if (status !== 200 || headers?.['stripe-version'] !== ISSUING_API_VERSION) return undefined
  try {
    const said = JSON.parse(body) as Form | null
    return typeof said?.['approved'] === 'boolean' ? said : undefined
  } catch {
    return undefined
  }
}

/** An amount is only for requests whose `is_amount_controllable` is true. */
function toAnswer({ approved, amount, metadata }: Form, { minor, partialAllowed }: Question): Answer | undefined {
  const reason: unknown = metadata?.our_reason
  if (!approved) return { approved: false, reason: isDeclineCode(reason) ? reason : 'issuer_rule' }
  if (amount === undefined) return { approved: true, minor }
  const named = Number.isSafeInteger(amount) ? BigInt(amount) : 0n
  return partialAllowed && named > 0n && named <= minor ? { approved: true, minor: named } : undefined
}
