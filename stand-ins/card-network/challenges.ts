import { randomInt, timingSafeEqual } from 'node:crypto'
import { cardOf } from './cards.ts'
import { Refusal } from './company.ts'
import type { Company } from './company.ts'
import type { Challenge, Merchant } from './model.ts'
import { notify } from './post.ts'

const LIFE_MS = 10 * 60_000
export const TRIES = 3

export interface NewChallenge {
  readonly card: string
  readonly merchant: Merchant
  readonly minor: bigint
  /** Purchase that continues after the right code. */
  readonly purchase: string
  readonly visit?: string | undefined
}

/** Requires a code from the holder before a payment continues. The notice names the challenge; the code is fetched. */
export function challenge(company: Company, call: NewChallenge): Challenge {
  return company.store.atomic(() => {
    const card = cardOf(company, call.card)
    if (card.state !== 'active') throw new Refusal('card_is_not_active')
    const made: Challenge = {
      ref: company.makeRef('chal'),
      card: card.ref,
      code: String(randomInt(1_000_000)).padStart(6, '0'),
      merchant: call.merchant,
      minor: call.minor,
      ends: company.now() + LIFE_MS,
      tries: 0,
      state: 'open',
      purchase: call.purchase,
      ...(call.visit ? { visit: call.visit } : {}),
    }
    company.store.insert('challenge', made, { at: company.now(), card: card.ref, visit: call.visit })
    notify(company, 'challenge', 'created', made.ref, card.ref)
    return made
  })
}

export function challengeOf(company: Company, ref: string): Challenge {
  const found = company.store.find('challenge', ref)
  if (!found) throw new Refusal('no_such_challenge', 404)
  return found
}

export const isOpen = (company: Company, { state, ends }: Challenge): boolean => state === 'open' && company.now() < ends

/** Good once; three wrong codes end it. */
export function answerChallenge(company: Company, ref: string, typed: string): Challenge {
  return company.store.atomic(() => {
    const found = challengeOf(company, ref)
    if (!isOpen(company, found)) return found
    const [given, wanted] = [Buffer.from(typed.trim()), Buffer.from(found.code)]
    found.tries++
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) found.state = 'passed'
    else if (found.tries >= TRIES) found.state = 'failed'
    company.store.update('challenge', found)
    return found
  })
}
