import { expire } from './authorizations.ts'
import { becomeActive } from './cards.ts'
import type { Company } from './company.ts'
import { endDispute } from './disputes.ts'
import { endLoad } from './loads.ts'
import { chargeAgain } from './subscriptions.ts'

/** Runs everything due by the company's clock, one at a time, each at its due time. */
export async function runDue(company: Company): Promise<void> {
  await runTo(company, company.now())
}

/** Moves the company's time forward and runs everything that becomes due on the way. */
export async function advance(company: Company, ms: number): Promise<void> {
  const target = company.now() + Math.max(0, ms)
  await runTo(company, target)
  company.setTime(target)
  company.wake()
}

async function runTo(company: Company, target: number): Promise<void> {
  for (;;) {
    const next = company.store.nextDue(target)
    if (!next) return
    company.setTime(next.due)
    await runOne(company, next)
  }
}

async function runOne(company: Company, { kind, ref }: NonNullable<ReturnType<Company['store']['nextDue']>>): Promise<void> {
  const { store } = company
  if (kind === 'card') store.atomic(() => becomeActive(company, ref))
  else if (kind === 'load') store.atomic(() => endLoad(company, ref))
  else if (kind === 'dispute') store.atomic(() => endDispute(company, ref))
  else if (kind === 'subscription') await chargeAgain(company, ref)
  else if (kind === 'authorization') {
    const found = store.find('authorization', ref)!
    if (found.status === 'pending' && !found.asking) return void expire(company, ref)
    // an increment awaits its decision: check again in 5 s
    found.due = company.now() + 5_000
    store.update('authorization', found)
  }
}
