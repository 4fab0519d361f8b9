import type { ServiceSpec } from '#features/services/server/door.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

export const REGISTRATION = 'openai'
/** `ORDER_TYPE.OPENAI_ACCOUNT` of payments. */
const ACCOUNT_ORDER = 6
/** A night, in which nobody is at the desk, and an hour. */
const MINUTES = 15 * 60
const TELL_MINUTES = 10

/** Somebody at the desk registers an account for a member: charged when it is done, given back by every cause. */
export const registrationSpec: ServiceSpec = {
  name: REGISTRATION,
  orderType: ACCOUNT_ORDER,
  flag: () => 'enableChatGPT',
  prices: { account: '0.49' },
  first: 'registering',
  states: {
    registering: {
      phase: 'waiting',
      to: ['success', 'failed'],
      within: async () => MINUTES,
      late: { to: 'failed', cause: 'too_late' },
      tellAfter: TELL_MINUTES,
      desk: { ends: ['success', 'failed'], steps: ['reveal', 'register', 'check'] },
    },
    success: { phase: 'done', to: [] },
    failed: { phase: 'failed', to: [] },
  },
  causes: {
    ip_limit: { money: 'back' },
    mailbox_refused: { money: 'back' },
    account_exists: { money: 'back' },
    code_missing: { money: 'back' },
    too_late: { money: 'back' },
  },
  texts: { zh, en },
  path: '/openai-register',
  glance: ({ facts }) => String(facts['account'] ?? ''),
}
