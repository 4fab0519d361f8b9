import { aSupplierTools } from '#platform/testing/http.ts'
import type { Company, Send } from '#stand-ins/card-network/company.ts'
import { startStripeIssuing } from '#stand-ins/stripe/issuing/index.ts'
import { signIssuingEvent } from '#stand-ins/stripe/issuing/messages.ts'
import { createIssuingOracle } from '#stand-ins/stripe/issuing/oracle.ts'
import type { RawRequest } from '../vendors/port.ts'
import { issuerRegistry } from '../vendors/index.ts'
import { answerInProcess, changedBodies } from './played.ts'
import type { Hear, Played } from './played.ts'

interface StripePlayOptions {
  readonly decideWithinMs?: number
  /** Countries of cardholders that the programme allows; default: any. */
  readonly countries?: readonly string[]
  /** Replaces the hand-over in this process. */
  readonly send?: Send
}

/** The adapter of Stripe Issuing, connected to its stand-in. */
export async function aStripeIssuer({ decideWithinMs = 150, countries, send }: StripePlayOptions = {}): Promise<Played & { readonly company: Company }> {
  const sent: RawRequest[] = []
  let hear: Hear = () => undefined
  const stripe = await startStripeIssuing({
    oracle: await createIssuingOracle(),
    decideWithinMs,
    ...(countries ? { countries } : {}),
    send: send ?? ((_url, headers, body) => answerInProcess(issuer, { headers, body, sent, hear: (notice, raw) => hear(notice, raw) })),
  })
  const { company, server, webhookSecret } = stripe
  company.setEndpoint('http://platform.invalid/notify/card/stripe')
  const issuer = issuerRegistry.vendors
    .find(({ name }) => name === 'stripe')!
    .connect(
      {
        STRIPE_ISSUING_SECRET_KEY: stripe.secretKey,
        STRIPE_ISSUING_PUBLISHABLE_KEY: 'pk_test_of_the_stand_in',
        STRIPE_ISSUING_WEBHOOK_SECRETS: `${webhookSecret}, whsec_of_tomorrow`,
        STRIPE_ISSUING_API_BASE: stripe.url,
      },
      {
        ...aSupplierTools(),
        // files go to a separate host
        fetch: (input, init) => fetch(String(input).replace(/^https?:\/\/files\.stripe\.com/, stripe.url), init),
        now: () => new Date(company.wall()),
        noticeUrl: () => '',
        secrets: () => [Buffer.alloc(32)],
      },
    )!

  return {
    issuer,
    bank: stripe.desk,
    company,
    hear: (next) => {
      hear = next
    },
    sent,
    forgeries: (raw) => {
      const body = raw.body.toString('utf8')
      const header = String(raw.headers['stripe-signature'])
      const at = Number(/t=(\d+)/.exec(header)![1])
      const withHeader = (value: string): RawRequest => ({ ...raw, headers: { 'stripe-signature': value } })
      const withEvent = (over: object): RawRequest => {
        const changed = JSON.stringify({ ...(JSON.parse(body) as object), ...over })
        return { ...raw, body: Buffer.from(changed), headers: { 'stripe-signature': signIssuingEvent(webhookSecret, at, changed) } }
      }
      return {
        ...changedBodies(raw),
        'wrong secret': withHeader(signIssuingEvent('whsec_another_secret', at, body)),
        'stale': withHeader(signIssuingEvent(webhookSecret, at - 302, body)),
        'ahead': withHeader(signIssuingEvent(webhookSecret, at + 302, body)),
        'live event': withEvent({ livemode: true }),
        'of a connected account': withEvent({ account: 'acct_1' }),
        'no time': withHeader(header.replace(/t=\d+,/, '')),
        'another time': withHeader(header.replace(/t=\d+/, `t=${at + 1}`)),
        'another scheme': withHeader(header.replace('v1=', 'v0=')),
      }
    },
    misbehave: (fault) => server.misbehave(fault, 1000),
    behave: () => server.behave(),
    refOf: ({ ref }) => ref,
    asked: () => server.seen.map(({ url, body }) => `${url} ${body}`),
    close: () => stripe.close(),
  }
}
