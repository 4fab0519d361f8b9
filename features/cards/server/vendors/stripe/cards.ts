import type Stripe from 'stripe'
import type { CardCall, HolderCall, IssuerCard, OpenReason, RevealCall, RevealFrame } from '../port.ts'
import { IssuerRefusal } from '../port.ts'
import { STRIPE_ISSUING_API_VERSION, callStripeIssuing } from './client.ts'
import type { StripeIssuingAccount } from './config.ts'

const KEY_METADATA = 'our_key'
/** Set while we keep a card frozen: an inactive card without it waits for its holder's review. */
const FROZEN_METADATA = 'frozen_by_us'
const REPLACED = { lost: 'lost', stolen: 'stolen', risk: 'stolen', expired: 'expired' } as const

export async function createStripeCardholder(stripe: Stripe, call: HolderCall, now: Date): Promise<{ holderRef: string }> {
  const wrong = findStripeCardholderRefusal(call, now)
  if (wrong) throw new IssuerRefusal(`${wrong}_not_supported`, wrong)
  const [year = 0, month = 0, day = 0] = call.birthDate.split('-').map(Number)
  const { line1, line2, city, state, postalCode, country } = call.address
  const make = () =>
    stripe.issuing.cardholders.create(
      {
        type: 'individual',
        name: `${call.firstName} ${call.lastName}`,
        email: call.email,
        ...(call.phone ? { phone_number: call.phone } : {}),
        individual: { first_name: call.firstName, last_name: call.lastName, dob: { year, month, day } },
        billing: { address: { line1, ...(line2 ? { line2 } : {}), city, ...(state ? { state } : {}), postal_code: postalCode, country } },
        metadata: { [KEY_METADATA]: call.key },
      },
      { idempotencyKey: `holder.${call.key}` },
    )
  const made = await callStripeIssuing('create a cardholder', make, { writes: true, refused: mapParamToReason })
  return { holderRef: made.id }
}

/** Maps the parameter of a Stripe error to a reason. */
const mapParamToReason = (param: string): OpenReason =>
  param.includes('country')
    ? 'country'
    : param.includes('address')
      ? 'address'
      : param.includes('phone')
        ? 'phone'
        : param.includes('name')
          ? 'name'
          : 'document'

/**
 * Documented limits of a cardholder (docs.stripe.com/api/issuing/cardholders/create): the printed name has at most 24 characters, names have
 * Latin letters, blanks, periods, commas, hyphens and apostrophes; the holder is at least 13 years old; address line, city, postal code and
 * country are required.
 */
export function findStripeCardholderRefusal({ firstName, lastName, phone, birthDate, address }: HolderCall, now: Date): OpenReason | undefined {
  const name = `${firstName} ${lastName}`
  if (!firstName.trim() || !lastName.trim() || name.length > 24 || /[^A-Za-z .,'-]/.test(name)) return 'name'
  if (!isOldEnough(birthDate, now)) return 'document'
  if (phone !== undefined && !/^\+[1-9]\d{6,14}$/.test(phone)) return 'phone'
  if (POST_BOX.test(address.line1)) return 'address'
  const required = [address.line1, address.city, address.postalCode, address.country]
  return required.every((text) => text.trim()) ? undefined : 'address'
}

const LEAST_AGE = 13
/** Addresses are streets (docs.stripe.com/issuing/connect/cardholders-controls). */
const POST_BOX = /\bP\.? ?O\.? ?BOX\b/i

function isOldEnough(birthDate: string, now: Date): boolean {
  const [year = 0, month = 0, day = 0] = birthDate.split('-').map(Number)
  return Date.UTC(year + LEAST_AGE, month - 1, day) <= now.getTime()
}

export async function createStripeCard(stripe: Stripe, call: CardCall, now: Date): Promise<IssuerCard> {
  const ends = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + call.months, 1))
  const make = () =>
    stripe.issuing.cards.create(
      {
        type: 'virtual',
        currency: 'usd',
        cardholder: call.holderRef,
        status: 'active',
        exp_month: ends.getUTCMonth() + 1,
        exp_year: ends.getUTCFullYear(),
        spending_controls: { spending_limits: [{ amount: Number(call.monthlyCeiling), interval: 'monthly' }] },
        ...(call.replaces ? { replacement_for: call.replaces.cardRef, replacement_reason: REPLACED[call.replaces.why] } : {}),
        metadata: { [KEY_METADATA]: call.key, type: call.type },
      },
      { idempotencyKey: `card.${call.key}` },
    )
  return toIssuerCard(await callStripeIssuing('create a card', make, { writes: true }))
}

/** Stripe cannot search cards by metadata, so they are read, newest first. */
export async function findStripeCardByKey(stripe: Stripe, key: string): Promise<IssuerCard | undefined> {
  return callStripeIssuing('list cards', async () => {
    for await (const card of stripe.issuing.cards.list({ limit: 100 })) if (card.metadata[KEY_METADATA] === key) return toIssuerCard(card)
    return undefined
  })
}

export async function fetchStripeCard(stripe: Stripe, ref: string): Promise<IssuerCard> {
  return toIssuerCard(await callStripeIssuing('retrieve a card', () => stripe.issuing.cards.retrieve(ref)))
}

export async function setStripeCardState(
  stripe: Stripe,
  ref: string,
  { state, key }: { readonly state: 'active' | 'frozen' | 'closed'; readonly key: string },
): Promise<IssuerCard> {
  const before = await fetchStripeCard(stripe, ref)
  if (before.state === state) return before
  if (before.state === 'closed') throw new IssuerRefusal('card_is_closed')
  const status = { active: 'active', frozen: 'inactive', closed: 'canceled' } as const
  const change = { status: status[state], metadata: { [FROZEN_METADATA]: state === 'frozen' ? '1' : '' } }
  const make = () => stripe.issuing.cards.update(ref, change, { idempotencyKey: `state.${key}.${state}` })
  return toIssuerCard(await callStripeIssuing('update a card', make, { writes: true }))
}

function toIssuerCard(made: Stripe.Issuing.Card): IssuerCard {
  const held = made.cardholder.requirements.disabled_reason
  const waits = made.status === 'inactive' && !made.metadata[FROZEN_METADATA] && held
  const rejected = held === 'rejected.listed' || held === 'listed'
  const states = { active: 'active', canceled: 'closed', inactive: waits ? (rejected ? 'failed' : 'opening') : 'frozen' } as const
  return {
    cardRef: made.id,
    state: states[made.status as keyof typeof states] ?? 'frozen',
    ...(waits ? { reason: held } : {}),
    ...toBilling(made.cardholder.billing.address),
    // the first six digits come only with the whole number, which we never request
    bin: '',
    last4: made.last4,
    expMonth: made.exp_month,
    expYear: made.exp_year,
  }
}

/** A cardholder's cards all have the cardholder's address. */
const toBilling = (address: Stripe.Address | null) =>
  address
    ? {
        billing: {
          line1: address.line1 ?? '',
          line2: address.line2 ?? '',
          city: address.city ?? '',
          state: address.state ?? '',
          postalCode: address.postal_code ?? '',
          country: address.country ?? '',
        },
      }
    : {}

const FRAME_TTL_MS = 60_000

/** An ephemeral key with which Stripe's own script, in the holder's browser, may show this one card. */
export async function revealStripeCard(
  stripe: Stripe,
  account: StripeIssuingAccount,
  { call: { cardRef, nonce }, now }: { readonly call: RevealCall; readonly now: Date },
): Promise<RevealFrame> {
  const frame = { form: 'elements', script: SCRIPT, publishableKey: account.publishableKey, cardRef } as const
  const ends = now.getTime() + FRAME_TTL_MS
  // the page calls twice: the first response loads the script that makes a nonce
  if (!nonce) return { ...frame, ephemeralKey: '', expiresAt: new Date(ends) }
  const key = await callStripeIssuing('create an ephemeral key', () =>
    stripe.ephemeralKeys.create({ issuing_card: cardRef, nonce }, { apiVersion: STRIPE_ISSUING_API_VERSION }),
  )
  if (!key.secret) throw new Error('Stripe gave no ephemeral key')
  return { ...frame, ephemeralKey: key.secret, expiresAt: new Date(Math.min(key.expires * 1000, ends)) }
}

const SCRIPT = 'https://js.stripe.com/endive/stripe.js'
