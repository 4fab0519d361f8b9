import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

const file = z.object({
  url: z.url({ protocol: /^https$/ }),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  version: z.string().regex(/^\d+(\.\d+){0,3}$/),
  bytes: z.int().min(1),
})
export const browserFiles = setting('browser.files', z.object({ windows: file.nullable(), macos: file.nullable() }), {
  fallback: { windows: null, macos: null },
  about: 'Where the accelerated browser is downloaded, with the hash of each file; without any it is not offered',
})
export const trialDays = setting('browser.trial_days', z.int().min(1).max(90), { fallback: 7, about: 'Days that the trial of the accelerated browser lasts' })
export const trialsPerDay = setting('browser.trials_per_day', z.int().min(0).max(100_000), {
  fallback: 200,
  about: 'Trials of the accelerated browser given a day of Beijing in all: what trials can cost at most',
})
export const packageDays = setting('browser.package_days', z.int().min(1).max(366), {
  fallback: 30,
  about: 'Days that a package of the accelerated browser lasts',
})
export const singleHours = setting('browser.single_hours', z.int().min(1).max(168), {
  fallback: 24,
  about: 'Hours that a single use of the accelerated browser lasts',
})
export const sessionMinutes = setting('browser.session_minutes', z.int().min(5).max(1440), {
  fallback: 60,
  about: 'Minutes after which the client needs new credentials at the proxy',
})
export const accountsIncluded = setting('browser.accounts', z.int().min(0).max(10), {
  fallback: 1,
  about: 'E-mail accounts that come with a package of the accelerated browser',
})

export const browserSettings = [browserFiles, trialDays, trialsPerDay, packageDays, singleHours, sessionMinutes, accountsIncluded]
