import { z } from 'zod'
import type { Deps } from '#platform/server/feature.ts'
import { setting } from '#platform/server/settings.ts'
import type { Settings } from '#platform/server/settings.ts'

const count = z.number().int().min(1).max(1_000_000)

export const codeLiveSeconds = setting('account.codeLiveSeconds', z.number().int().min(60).max(600), 600, 'Seconds that a code is valid')
export const codeGuesses = setting('account.codeGuesses', z.number().int().min(1).max(5), 5, 'Guesses that a code allows')
export const codeResendSeconds = setting('account.codeResendSeconds', z.number().int().min(60).max(600), 60, 'Seconds before another code may be asked for')
export const codesPerTargetHour = setting('account.codesPerTargetHour', count, 5, 'Codes an hour to one address')
export const codesPerTargetDay = setting('account.codesPerTargetDay', count, 10, 'Codes a day to one address')
export const codesPerIpHour = setting('account.codesPerIpHour', count, 20, 'Codes an hour asked for from one IP address')
export const codesPerHour = setting('account.codesPerHour', count, 5_000, 'Codes an hour in all: the budget against bombing')

export const sessionDays = setting('account.sessionDays', z.number().int().min(1).max(90), 7, 'Days that an unused session lives')

/** A lock-out of a victim stays within 15 minutes (ASVS 6.1.1): hence the ceiling. */
export const loginWindowSeconds = setting('account.loginWindowSeconds', z.number().int().min(60).max(900), 900, 'Seconds over which failed logins are counted')
export const loginsPerPair = setting('account.loginsPerPair', count, 5, 'Failed logins to one account from one IP address')
export const loginsPerAccount = setting('account.loginsPerAccount', count, 20, 'Failed logins to one account from addresses it was never signed in from')
export const loginsPerIp = setting('account.loginsPerIp', count, 60, 'Failed logins from one IP address, to any account')
export const loginsInAll = setting('account.loginsInAll', count, 2_000, 'Failed logins in all, above which an alarm is raised; nobody is refused for it')

export const accountSettings = [
  codeLiveSeconds,
  codeGuesses,
  codeResendSeconds,
  codesPerTargetHour,
  codesPerTargetDay,
  codesPerIpHour,
  codesPerHour,
  sessionDays,
  loginWindowSeconds,
  loginsPerPair,
  loginsPerAccount,
  loginsPerIp,
  loginsInAll,
]

export interface CodeRules {
  readonly liveSeconds: number
  readonly guesses: number
  readonly resendSeconds: number
}

/** Read before a transaction begins: a reading inside it would wait for a second connection while holding the first. */
export async function codeRules(settings: Settings): Promise<CodeRules> {
  return { liveSeconds: await settings.get(codeLiveSeconds), guesses: await settings.get(codeGuesses), resendSeconds: await settings.get(codeResendSeconds) }
}

/** When a session that is used now ends. */
export async function sessionEnd({ settings, clock }: Pick<Deps, 'settings' | 'clock'>): Promise<Date> {
  return new Date(clock.now().getTime() + (await settings.get(sessionDays)) * 86_400_000)
}
