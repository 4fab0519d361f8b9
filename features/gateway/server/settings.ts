import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

/** Switches of the key page (product.md 2.4: each default on), and settings of the price page. */
export const createKeyFlag = setting('gateway.create-key', z.boolean(), { fallback: true, about: 'Users may create API keys' })
export const modifyKeyFlag = setting('gateway.modify-key', z.boolean(), { fallback: true, about: 'Users may rename API keys' })
export const deleteKeyFlag = setting('gateway.delete-key', z.boolean(), { fallback: true, about: 'Users may delete API keys' })
export const keysPerUser = setting('gateway.keys-per-user', z.int().min(1).max(10_000), { fallback: 100, about: 'Live API keys of one user' })

export const cheapestFirst = setting('gateway.cheapest-first', z.boolean(), {
  fallback: false,
  about: 'Of upstreams of one priority the cheaper is asked first',
})

export const bookDriftMillionths = setting('gateway.book-drift-millionths', z.int().min(0).max(1_000_000), {
  fallback: 1000,
  about: 'Share of a vendor’s tokens of a day and model, in millionths, that may differ from ours before an alarm (1000 is 0.1 %)',
})
export const bookDriftTokens = setting('gateway.book-drift-tokens', z.int().min(1), {
  fallback: 10_000,
  about: 'Tokens of a day and model that must differ before an alarm',
})

export const priceNoticeDays = setting('gateway.price-notice-days', z.int().min(0).max(90), {
  fallback: 7,
  about: 'Days before a customer’s own price may rise: the mail about it leaves when the rise is planned',
})

/** Far above honest use: one of our nodes serves some 4,000 requests a second in total. Limit over all processes; 0: no limit. */
export const accountRequestsMinute = setting('gateway.account-requests-minute', z.int().min(0).max(10_000_000), {
  fallback: 30_000,
  about: 'Model requests a minute of one account, over all its keys; 0: no limit',
})
export const accountAtOnce = setting('gateway.account-at-once', z.int().min(0).max(1_000_000), {
  fallback: 1_000,
  about: 'Model calls at once of one account, over all its keys; 0: no limit',
})
/** Limit over all processes; with a stolen key, the rest of the balance stays untouched. */
export const accountAtRisk = setting('gateway.account-at-risk', z.int().min(0).max(10_000_000), {
  fallback: 1_000,
  about: 'Dollars that calls under way of one account may hold at once; 0: no limit',
})

export const gatewaySettings = [
  createKeyFlag,
  modifyKeyFlag,
  deleteKeyFlag,
  keysPerUser,
  cheapestFirst,
  bookDriftMillionths,
  bookDriftTokens,
  accountRequestsMinute,
  accountAtOnce,
  accountAtRisk,
  priceNoticeDays,
] as const
