import type { ServiceSpec } from '#features/services/server/door.ts'
import { accountWords } from '../words.ts'

export const ACCOUNT_SERVICE = 'oversea'

/**
 * An e-mail account that comes with a package. An operator creates it and enters its address; the password is sent by the support chat and
 * is never stored.
 */
export const accountService: ServiceSpec = {
  name: ACCOUNT_SERVICE,
  prices: { fastemail: '0' },
  first: 'asked',
  states: {
    asked: { phase: 'waiting', to: ['ready', 'failed'], desk: { ends: ['ready', 'failed'], facts: ['address'], steps: ['account', 'check'] }, tellAfter: 60 },
    ready: { phase: 'done', to: [] },
    failed: { phase: 'failed', to: [] },
  },
  causes: { not_made: { money: 'back' } },
  texts: accountWords,
  path: '/browser',
}
