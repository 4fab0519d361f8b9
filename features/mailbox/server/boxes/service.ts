import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { findBestCardType } from '#features/cards/server/door.ts'
import type { TaskRecheck, TaskTransition, ServiceQuota, ServiceSpec } from '#features/services/server/door.ts'
import { listReceiverPorts } from '../data.ts'
import { freeBoxes, passwordMinutes } from '../settings.ts'
import { mailboxServiceTexts } from './service-texts.ts'

export const MAILBOX_SERVICE = 'email'
/** `ORDER_TYPE.EMAIL` of payments. */
const EMAIL_ORDER = 11
/** Long enough for a mail server to restart. */
const GENERATE_MINUTES = 2
const RETRY_SECONDS = 3

/** Creates a mailbox once a process receives mail: no charge for an address that rejects it. */
async function createMailbox(deps: Deps): Promise<TaskTransition | TaskRecheck> {
  return (await listReceiverPorts(deps.db)).length ? { to: 'fresh' } : { seconds: RETRY_SECONDS }
}

/** Free mailboxes come with a card, because accounts cost nothing. */
async function readQuota(deps: Deps, sql: Sql, userId: string): Promise<ServiceQuota> {
  return { allowed: (await findBestCardType(sql, userId)) ? await deps.settings.get(freeBoxes) : 0, period: '' }
}

/** A mailbox: created, given a password within 15 minutes, then charged; wiped at its end. */
export const mailboxSpec: ServiceSpec = {
  name: MAILBOX_SERVICE,
  orderType: EMAIL_ORDER,
  prices: { box: '0.49' },
  first: 'generating',
  states: {
    generating: {
      phase: 'waiting',
      to: ['fresh', 'failed', 'closed'],
      work: createMailbox,
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
  quota: readQuota,
  texts: mailboxServiceTexts,
  path: '/email',
  glance: ({ facts }) => String(facts['address'] ?? ''),
  endsWithAccount: true,
}
