import { z } from 'zod'
import type { Deps } from '#platform/server/feature.ts'
import { setting, type Settings } from '#platform/server/settings.ts'
import { createHash } from 'node:crypto'

const count = z.number().int().min(1).max(1_000_000)

export const codeLiveSeconds = setting('account.codeLiveSeconds', z.number().int().min(60).max(600), { fallback: 600, about: 'Seconds that a code is valid' })
export const codeGuesses = setting('account.codeGuesses', z.number().int().min(1).max(5), { fallback: 5, about: 'Guesses that a code allows' })
export const codeResendSeconds = setting('account.codeResendSeconds', z.number().int().min(60).max(600), {
  fallback: 60,
  about: 'Seconds before another code may be asked for',
})
export const codesPerTargetHour = setting('account.codesPerTargetHour', count, { fallback: 5, about: 'Codes an hour to one e-mail or mobile' })
export const codesPerTargetDay = setting('account.codesPerTargetDay', count, { fallback: 10, about: 'Codes a day to one e-mail or mobile' })
export const codesPerIpHour = setting('account.codesPerIpHour', count, { fallback: 20, about: 'Codes an hour asked for from one IP address' })
export const codesPerBlockHour = setting('account.codesPerBlockHour', count, {
  fallback: 100,
  about: 'Codes an hour asked for from one block of addresses (IPv4 /24, IPv6 /48)',
})
export const codesPerHour = setting('account.codesPerHour', count, {
  fallback: 5_000,
  about: 'Codes an hour in all, above which an alarm is raised and only who asks from a known address of the account is served',
})

export const sessionDays = setting('account.sessionDays', z.number().int().min(1).max(90), { fallback: 7, about: 'Days that an unused session lives' })
export const sessionMaxDays = setting('account.sessionMaxDays', z.number().int().min(1).max(365), {
  fallback: 30,
  about: 'Days after which a session ends however much it is used',
})
export const stepUpSeconds = setting('account.stepUpSeconds', z.number().int().min(60).max(3600), {
  fallback: 600,
  about: 'Seconds after a login or step-up in which ways to sign in can be changed, and API keys and webhooks made',
})

/** Upper bound, so that an attacker can lock a victim out for at most 15 minutes (ASVS 6.1.1). */
export const loginWindowSeconds = setting('account.loginWindowSeconds', z.number().int().min(60).max(900), {
  fallback: 900,
  about: 'Seconds over which failed logins are counted',
})
export const loginsPerPair = setting('account.loginsPerPair', count, { fallback: 5, about: 'Failed logins to one account from one IP address' })
export const loginsPerAccount = setting('account.loginsPerAccount', count, {
  fallback: 20,
  about: 'Failed logins to one account from addresses it was never signed in from',
})
export const loginsPerIp = setting('account.loginsPerIp', count, { fallback: 60, about: 'Failed logins from one IP address, to any account' })
export const codeGuessesPerIpHour = setting('account.codeGuessesPerIpHour', count, {
  fallback: 60,
  about: 'Wrong codes typed an hour from one IP address, for any account',
})
export const loginsInAll = setting('account.loginsInAll', count, {
  fallback: 2_000,
  about: 'Failed logins in all, above which an alarm is raised; no login is refused for it',
})

export const googlePerIpHour = setting('account.googlePerIpHour', count, {
  fallback: 120,
  about: 'Sign-ins with Google begun or ended an hour from one IP address',
})
export const mobileSignIn = setting('account.mobileSignIn', z.boolean(), {
  fallback: true,
  about: 'Whether codes go to mobiles and accounts are made by mobile',
})
export const agreementTicked = setting('account.agreementTicked', z.boolean(), {
  fallback: true,
  about: 'Whether the agreement box of the register form is ticked from the start',
})

export const payPasswordStreak = setting('account.payPasswordStreak', z.number().int().min(5).max(20), {
  fallback: 20,
  about: 'Wrong payment passwords in a row, resets included, after which only customer service can help',
})
export const exportsPerDay = setting('account.exportsPerDay', count, { fallback: 5, about: 'Data exports a day to one user' })
export const gradualPercent = setting('account.gradualPercent', z.number().int().min(0).max(100), {
  fallback: 0,
  about: 'Percent of users in the gradual-release group',
})
export const gradualUsers = setting('account.gradualUsers', z.array(z.string().max(60)).max(10_000), {
  fallback: [],
  about: 'Ids of users that are in the gradual-release group in any case',
})

export const accountSettings = [
  codeLiveSeconds,
  codeGuesses,
  codeResendSeconds,
  codesPerTargetHour,
  codesPerTargetDay,
  codesPerIpHour,
  codesPerBlockHour,
  codesPerHour,
  sessionDays,
  sessionMaxDays,
  stepUpSeconds,
  loginWindowSeconds,
  loginsPerPair,
  loginsPerAccount,
  loginsPerIp,
  codeGuessesPerIpHour,
  loginsInAll,
  googlePerIpHour,
  mobileSignIn,
  agreementTicked,
  payPasswordStreak,
  exportsPerDay,
  gradualPercent,
  gradualUsers,
]

export interface CodeRules {
  readonly liveSeconds: number
  readonly guesses: number
  /** Wrong guesses per hour from one address, at any code. */
  readonly guessesPerIpHour: number
  readonly resendSeconds: number
}

/** Call it before a transaction begins: inside, it would hold one connection while waiting for a second. */
export async function readCodeRules(settings: Settings): Promise<CodeRules> {
  return {
    liveSeconds: await settings.get(codeLiveSeconds),
    guesses: await settings.get(codeGuesses),
    guessesPerIpHour: await settings.get(codeGuessesPerIpHour),
    resendSeconds: await settings.get(codeResendSeconds),
  }
}

const DAY_MS = 86_400_000

/** Days until an unused session expires. */
export const readUnusedDays = async (settings: Settings): Promise<number> => Math.min(await settings.get(sessionDays), await settings.get(sessionMaxDays))

/** Expiry of a session that starts now and is not used. */
export async function computeSessionEnd({ settings, clock }: Pick<Deps, 'settings' | 'clock'>): Promise<Date> {
  return new Date(clock.now().getTime() + (await readUnusedDays(settings)) * DAY_MS)
}

/** Maximum lifetime of a session in milliseconds, however much it is used. */
export async function readSessionMaxMs(settings: Settings): Promise<number> {
  return (await settings.get(sessionMaxDays)) * DAY_MS
}

/**
 * Checks if the user is in the gradual-release group: named in the settings, or within the configured percentage by a stable hash. Features of
 * the group are offered only to its users. Visitors are never in it.
 */
export async function isInGradualGroup({ settings }: Pick<Deps, 'settings'>, userId: string): Promise<boolean> {
  if (userId === '') return false
  const percent = await settings.get(gradualPercent)
  const place = createHash('sha256').update(`account.gradual ${userId}`).digest().readUInt32BE(0) % 100
  return place < percent || (await settings.get(gradualUsers)).includes(userId)
}
