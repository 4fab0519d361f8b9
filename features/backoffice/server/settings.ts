import { isIP, isIPv6 } from 'node:net'
import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

const network = z.string().refine((text) => {
  const [address = '', bits = '0', ...rest] = text.split('/')
  return isIP(address) > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv6(address) ? 128 : 32) && rest.length === 0
})
export const networks = setting('backoffice.networks', z.array(network).max(200), {
  fallback: [],
  about: 'Networks from which operators may come, as 203.0.113.0/24; all of them when empty',
})
export const revealsPerDay = setting('backoffice.revealsPerDay', z.int().min(1).max(10_000), {
  fallback: 50,
  about: 'Contacts of customers that one operator may reveal a day; a view of an account counts as one',
})

export const digestMail = setting('backoffice.digestMail', z.union([z.literal(''), z.email()]), {
  fallback: '',
  about: 'Mailbox away from the platform that is sent the head of the audit chain every day; none when empty',
})

export const alarmEscalateMinutes = setting('backoffice.alarmEscalateMinutes', z.int().min(1).max(1440), {
  fallback: 30,
  about: 'Minutes after which a serious alarm that no operator has taken rings in quiet hours too',
})

export const balanceFloors = setting('backoffice.balanceFloors', z.record(z.string().min(1).max(90), z.string().regex(/^\d{1,9}(\.\d{1,9})?$/)), {
  fallback: { '*': '10' },
  about:
    'Least balance at a supplier or channel before an alarm, in its own currency: by source (numbers:five-sim), by source and currency (payments:stripe USD), or * for all others',
})

export const certificateHosts = setting('backoffice.certificateHosts', z.array(z.string().regex(/^[a-z0-9.-]{1,240}(:\d{1,5})?$/)).max(50), {
  fallback: [],
  about: 'Names besides our own addresses whose certificates are watched, as api.example.com or mail.example.com:465',
})

const dollars = z.string().regex(/^\d{1,7}(\.\d{1,2})?$/)

export const moneyPerDay = setting('backoffice.moneyPerDay', z.record(z.string().min(1).max(40), dollars), {
  fallback: { owner: '2000', finance: '500', risk: '500', support: '100' },
  about:
    'Dollars that one operator may move in a day (Shanghai) by all commands together that move money, by role; beyond them a second person decides, and a role that is not named moves nothing alone',
})

export const youngAccountDays = setting('backoffice.youngAccountDays', z.int().min(0).max(365), {
  fallback: 30,
  about: 'Age of an account in days below which a second person lets its first withdrawal leave, where a person decides at all; 0 for none',
})

export const backofficeSettings = [
  moneyPerDay,
  youngAccountDays,
  networks,
  revealsPerDay,
  digestMail,
  alarmEscalateMinutes,
  balanceFloors,
  certificateHosts,
] as const
