import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { bestCard } from '#features/cards/server/door.ts'
import type { Again, Learned, Quota, ServiceSpec } from '#features/services/server/door.ts'
import { receiversNow } from '../data.ts'
import { freeBoxes, passwordMinutes } from '../settings.ts'
import { mailboxServiceTexts } from './service-texts.ts'

export const MAILBOX = 'email'
/** `ORDER_TYPE.EMAIL` of payments. */
const EMAIL_ORDER = 11
/** A mail server that restarts is back by then. */
const GENERATE_MINUTES = 2
const AGAIN_S = 3

/** Creates a mailbox once a process receives mail: no charge for an address that rejects it. */
async function generate(deps: Deps): Promise<Learned | Again> {
  return (await receiversNow(deps.db)).length ? { to: 'fresh' } : { seconds: AGAIN_S }
}

/** Free mailboxes come with a card, because accounts cost nothing. */
async function quotaOf(deps: Deps, sql: Sql, userId: string): Promise<Quota> {
  return { allowed: (await bestCard(sql, userId)) ? await deps.settings.get(freeBoxes) : 0, period: '' }
}

/** A mailbox: created, given a password within 15 minutes, then charged; wiped at its end. */
export const mailboxSpec: ServiceSpec = {
  name: MAILBOX,
  orderType: EMAIL_ORDER,
  prices: { box: '0.49' },
  first: 'generating',
  states: {
    generating: {
      phase: 'waiting',
      to: ['fresh', 'failed', 'closed'],
      work: generate,
      within: async () => GENERATE_MINUTES,
      late: { to: 'failed', cause: 'no_server' },
    },
    fresh: {
      phase: 'waiting',
      to: ['success', 'failed', 'closed'],
      within: (deps) => deps.settings.get(passwordMinutes),
      late: { to: 'failed', cause: 'no_password' },
      tellAfter: 180,
    },
    success: { phase: 'using', to: ['ended'], expires: { to: 'ended', cause: 'time_up' } },
    ended: { phase: 'done', to: [] },
    failed: { phase: 'failed', to: [] },
    closed: { phase: 'failed', to: [] },
  },
  causes: {
    no_server: { money: 'back' },
    no_password: { money: 'back' },
    given_up: { money: 'back' },
    time_up: { money: 'keep' },
    closed: { money: 'keep' },
  },
  quota: quotaOf,
  texts: mailboxServiceTexts,
  path: '/email',
  glance: ({ facts }) => String(facts['address'] ?? ''),
  endsWithAccount: true,
}
