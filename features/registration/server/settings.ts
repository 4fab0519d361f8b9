import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'
import { REGISTRATION_FAULTS } from './vendors/port.ts'

export const chosenSupplier = setting('registration.supplier', z.enum(['desk', 'http', 'sandbox']), {
  fallback: 'desk',
  about: 'Who registers accounts: our own desk, the supplier that is connected (http), or the sandbox',
})
export const supplierMinutes = setting('registration.supplier_minutes', z.int().min(1).max(1440), {
  fallback: 30,
  about: 'Minutes after which a registration that the supplier has not done is given back',
})
export const sandboxFault = setting('registration.sandbox_fault', z.enum(REGISTRATION_FAULTS), {
  fallback: 'none',
  about:
    'How the sandbox supplier misbehaves: takes its time, loses its answer, is heard twice, is down, answers in plain text, comes after the end, has no time, or fails by one of its reasons',
})
export const retryHours = setting('registration.retry_hours', z.int().min(0).max(168), {
  fallback: 24,
  about: 'Hours for which the sealed password of a failed registration is kept, so that the member can try again without typing it',
})
export const registrationSettings = [chosenSupplier, supplierMinutes, retryHours, sandboxFault]
