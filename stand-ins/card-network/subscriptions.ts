import { authorize } from './authorizations.ts'
import { Refusal } from './company.ts'
import type { Company } from './company.ts'
import type { Authorization, Subscription } from './model.ts'
import { capture } from './transactions.ts'

/** Declined in so many months running, the merchant gives up. */
const PATIENCE = 2

/** The same day of the next month, or its last one. */
export function nextMonth(at: number): number {
  const day = new Date(at)
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 2, 0)).getUTCDate()
  return new Date(at).setUTCMonth(day.getUTCMonth() + 1, Math.min(day.getUTCDate(), last))
}

/** Charges each month from the first payment on. */
export function subscribe(company: Company, visit: string, first: Authorization): Subscription {
  const made: Subscription = {
    ref: company.makeRef('sub'),
    card: first.card,
    visit,
    minor: first.approvedMinor,
    merchant: first.merchant,
    ...(first.local ? { local: first.local } : {}),
    state: 'running',
    declined: 0,
    due: nextMonth(company.now()),
  }
  company.store.insert('subscription', made, { at: company.now(), card: made.card, visit, due: made.due })
  return made
}

export function stopSubscription(company: Company, ref: string): Subscription {
  const found = company.store.find('subscription', ref)
  if (!found) throw new Refusal('no_such_subscription', 404)
  found.state = 'stopped'
  delete found.due
  company.store.update('subscription', found)
  return found
}

export async function chargeAgain(company: Company, ref: string): Promise<void> {
  const found = company.store.find('subscription', ref)!
  found.due = nextMonth(found.due!)
  company.store.update('subscription', found)
  const { card, minor, merchant, local, visit } = found
  const made = await authorize(company, { card, minor, merchant, local, visit })
  if (made.approved) capture(company, made.ref, { minor: made.approvedMinor })
  const now = company.store.find('subscription', ref)!
  now.declined = made.approved ? 0 : now.declined + 1
  if (now.declined >= PATIENCE) {
    now.state = 'stopped'
    delete now.due
  }
  company.store.update('subscription', now)
}
