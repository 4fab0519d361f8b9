import { createHash } from 'node:crypto'
import type Lithic from 'lithic'
import type { Card, NonPCICard } from 'lithic/resources/cards/cards.js'
import type { CardCall, HolderCall, IssuerCard, OpenReason, RevealCall, RevealFrame } from '../port.ts'
import { IssuerRefusal } from '../port.ts'
import { callLithic } from './client.ts'
import type { LithicAccount } from './config.ts'

const SUBSTATUS = { lost: 'LOST', stolen: 'COMPROMISED', risk: 'SUSPICIOUS_ACTIVITY', expired: 'EXPIRED' } as const
const STATES: Readonly<Record<NonPCICard['state'], IssuerCard['state']>> = {
  OPEN: 'active',
  PAUSED: 'frozen',
  CLOSED: 'closed',
  PENDING_ACTIVATION: 'opening',
  PENDING_FULFILLMENT: 'opening',
}

/** The account of a prepaid user. Lithic has no key for this call: an account made by an earlier try is found by our own number. */
export async function createLithicHolder(lithic: Lithic, call: HolderCall): Promise<{ holderRef: string }> {
  const { line1, line2, city, state, postalCode } = call.address
  const refused = findLithicHolderRefusal(call)
  if (refused) throw new IssuerRefusal(`${refused}_not_supported`, refused)
  const externalId = toUuid(call.key)
  const make = async () => {
    for await (const known of lithic.accountHolders.list({ external_id: externalId })) if (known.account_token) return { holderRef: known.account_token }
    const made = await lithic.accountHolders.create({
      workflow: 'KYC_EXEMPT',
      kyc_exemption_type: 'PREPAID_CARD_USER',
      external_id: externalId,
      first_name: call.firstName,
      last_name: call.lastName,
      email: call.email,
      phone_number: call.phone!,
      address: { address1: line1, ...(line2 ? { address2: line2 } : {}), city, state, postal_code: postalCode, country: 'USA' },
    })
    if (made.status === 'REJECTED') throw new IssuerRefusal('holder_not_accepted', 'document')
    return { holderRef: made.account_token }
  }
  return callLithic('create an account holder', make, { writes: true, refused: 'document' })
}

const POST_BOX = /\bP\.? ?O\.? ?BOX\b/i

/**
 * Refusal reason of a holder who cannot be KYC_EXEMPT, or undefined. Required: an address in the United States, no post office box, with a
 * two-letter state, and a phone number in E.164 (docs.lithic.com, "Create an individual or business account holder").
 */
export function findLithicHolderRefusal({ firstName, lastName, phone, address }: HolderCall): OpenReason | undefined {
  if (address.country !== 'US') return 'country'
  if (!phone || !/^\+[1-9]\d{6,14}$/.test(phone)) return 'phone'
  if (!firstName.trim() || !lastName.trim()) return 'name'
  const isWhole =
    address.line1.trim() &&
    !POST_BOX.test(address.line1) &&
    address.city.trim() &&
    /^[A-Z]{2}$/.test(address.state) &&
    /^\d{5}(-\d{4})?$/.test(address.postalCode)
  return isWhole ? undefined : 'address'
}

export async function createLithicCard(
  lithic: Lithic,
  { program }: LithicAccount,
  { call, now }: { readonly call: CardCall; readonly now: Date },
): Promise<IssuerCard> {
  const ends = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + call.months, 1))
  const make = () =>
    lithic.cards.create({
      'type': 'VIRTUAL',
      'account_token': call.holderRef,
      'memo': call.key,
      'state': 'OPEN',
      // 0 would be no limit at all
      'spend_limit': Math.max(1, Number(call.monthlyCeiling)),
      'spend_limit_duration': 'MONTHLY',
      'exp_month': String(ends.getUTCMonth() + 1).padStart(2, '0'),
      'exp_year': String(ends.getUTCFullYear()),
      ...(program ? { card_program_token: program } : {}),
      ...(call.replaces ? { replacement_for: call.replaces.cardRef, replacement_substatus: SUBSTATUS[call.replaces.why] } : {}),
      'Idempotency-Key': toUuid(call.key),
    })
  return toIssuerCard(await callLithic('create a card', make, { writes: true }))
}

export async function findLithicCardByKey(lithic: Lithic, key: string): Promise<IssuerCard | undefined> {
  return callLithic('list cards', async () => {
    for await (const card of lithic.cards.list({ memo: key })) if (card.memo === key) return toIssuerCard(card)
    return undefined
  })
}

export async function fetchLithicCard(lithic: Lithic, ref: string): Promise<IssuerCard> {
  return toIssuerCard(await callLithic('retrieve a card', () => lithic.cards.retrieve(ref)))
}

/** Setting the current state again changes nothing, so no key is needed. */
export async function setLithicCardState(lithic: Lithic, ref: string, state: 'active' | 'frozen' | 'closed'): Promise<IssuerCard> {
  const before = await fetchLithicCard(lithic, ref)
  if (before.state === state) return before
  if (before.state === 'closed') throw new IssuerRefusal('card_is_closed')
  const wanted = { active: 'OPEN', frozen: 'PAUSED', closed: 'CLOSED' } as const
  return toIssuerCard(await callLithic('update a card', () => lithic.cards.update(ref, { state: wanted[state] }), { writes: true }))
}

/** Maps a card. Lithic sends number and code to programs that may see them; neither is taken from the response. */
function toIssuerCard(made: Card | NonPCICard): IssuerCard {
  return {
    cardRef: made.token,
    state: STATES[made.state],
    bin: '',
    last4: made.last_four,
    expMonth: Number(made.exp_month),
    expYear: Number(made.exp_year),
  }
}

/** Lithic requires UUIDs as keys and as external ids. */
function toUuid(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

const FRAME_TTL_MS = 60_000

/** Builds the URL of Lithic's own page for a frame, valid for a minute unless `seconds` is given. */
export function revealLithicCard(lithic: Lithic, { cardRef, origin, theme, seconds }: RevealCall, now: Date): RevealFrame {
  const expiresAt = new Date(now.getTime() + (seconds === undefined ? FRAME_TTL_MS : seconds * 1000))
  const colour = theme === 'dark' ? '#ecf1f2' : '#131b1c'
  const css = `body{margin:0;color:${colour};font:600 14px/38px ui-monospace,Menlo,Consolas,monospace}`
  const url = lithic.cards.getEmbedURL({ token: cardRef, target_origin: origin, expiration: expiresAt.toISOString(), css })
  return { form: 'frame', url, expiresAt }
}
