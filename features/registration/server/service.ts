import type { ServiceSpec } from '#features/services/server/door.ts'
import { REGISTRATION_CAUSES } from '../contract.ts'
import { cancelSupplierJob, followSupplierJob, moveToSupplier } from './by-supplier.ts'
import { registrationServiceTexts } from './service-texts.ts'
import { supplierMinutes } from './settings.ts'

export const REGISTRATION_SERVICE = 'openai'
/** `ORDER_TYPE.OPENAI_ACCOUNT` of payments. */
const ACCOUNT_ORDER = 6
/** Timeout in minutes: the hours of a night in which the desk is closed, plus one. */
const MINUTES = 15 * 60
const NOTIFY_MINUTES = 10

/** An operator or a supplier registers an account for a member: charged on success, refunded on any failure. */
export const registrationSpec: ServiceSpec = {
  name: REGISTRATION_SERVICE,
  orderType: ACCOUNT_ORDER,
  flag: () => 'enableChatGPT',
  prices: { account: '0.49' },
  first: 'registering',
  states: {
    registering: {
      phase: 'waiting',
      to: ['sent', 'success', 'failed'],
      work: moveToSupplier,
      within: async () => MINUTES,
      late: { to: 'failed', cause: 'too_late' },
      tellAfter: NOTIFY_MINUTES,
      desk: { ends: ['success', 'failed'], steps: ['reveal', 'register', 'check'] },
    },
    sent: {
      phase: 'waiting',
      to: ['registering', 'success', 'failed'],
      work: followSupplierJob,
      within: (deps) => deps.settings.get(supplierMinutes),
      late: { to: 'failed', cause: 'too_late' },
      tellAfter: NOTIFY_MINUTES,
    },
    success: { phase: 'done', to: [] },
    failed: { phase: 'failed', to: [] },
  },
  causes: Object.fromEntries(REGISTRATION_CAUSES.map((cause) => [cause, { money: 'back' as const }])),
  giveBack: cancelSupplierJob,
  texts: registrationServiceTexts,
  path: '/openai-register',
  glance: ({ facts }) => String(facts['account'] ?? ''),
}
