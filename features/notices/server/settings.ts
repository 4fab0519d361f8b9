import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

export const keepDays = setting('notices.keepDays', z.number().int().min(1).max(3650), {
  fallback: 30,
  about: 'Days that the record of a sent notice (without its content) is kept',
})
export const resendDays = setting('notices.resendDays', z.number().int().min(0).max(90), {
  fallback: 14,
  about: 'Days that a sent mail without a secret stays sealed, so that operators can send it again; 0 keeps none',
})
export const resendsADay = setting('notices.resendsADay', z.number().int().min(0).max(20), {
  fallback: 3,
  about: 'How often one mail is sent again on a Shanghai day',
})
export const keepSandboxDays = setting('notices.keepSandboxDays', z.number().int().min(1).max(365), {
  fallback: 7,
  about: 'Days that a mail or text message stays in the sandbox',
})

const vendors = z.array(z.enum(['aliyun', 'twilio'])).max(4)

/** Carriers without credentials are skipped; the attempt after a failed one uses the next carrier. */
export const smsRoutes = setting('notices.smsRoutes', z.object({ 86: vendors, 852: vendors, 853: vendors }), {
  fallback: { 86: ['aliyun'], 852: ['twilio', 'aliyun'], 853: ['twilio', 'aliyun'] },
  about: 'Who carries text messages to each region, first choice first',
})
export const smsPerHour = setting('notices.smsPerHour', z.number().int().min(0).max(1_000_000), {
  fallback: 2000,
  about: 'Text messages an hour in all; above it codes by phone are refused and an alarm is raised',
})

export const noticesSettings = [keepDays, resendDays, resendsADay, keepSandboxDays, smsRoutes, smsPerHour]
