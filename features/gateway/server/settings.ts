import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

/** Switches of the key page (product.md 2.4: each default on), and settings of the price page. */
export const createKeyFlag = setting('gateway.create-key', z.boolean(), true, 'Users may create API keys')
export const modifyKeyFlag = setting('gateway.modify-key', z.boolean(), true, 'Users may rename API keys')
export const deleteKeyFlag = setting('gateway.delete-key', z.boolean(), true, 'Users may delete API keys')
export const keysPerUser = setting('gateway.keys-per-user', z.int().min(1).max(10_000), 100, 'Live API keys of one user')

export const cheapestFirst = setting('gateway.cheapest-first', z.boolean(), false, 'Of upstreams of one priority the cheaper is asked first')

export const bookDriftMillionths = setting(
  'gateway.book-drift-millionths',
  z.int().min(0).max(1_000_000),
  1000,
  'Share of a vendor’s tokens of a day and model, in millionths, that may differ from ours before an alarm (1000 is 0.1 %)',
)
export const bookDriftTokens = setting('gateway.book-drift-tokens', z.int().min(1), 10_000, 'Tokens of a day and model that must differ before an alarm')

export const priceNoticeDays = setting(
  'gateway.price-notice-days',
  z.int().min(0).max(90),
  7,
  'Days before a customer’s own price may rise: the mail about it leaves when the rise is planned',
)

/** Far above honest use: one of our nodes serves some 4,000 requests a second in total. Limit over all processes; 0: no limit. */
export const accountRequestsMinute = setting(
  'gateway.account-requests-minute',
  z.int().min(0).max(10_000_000),
  30_000,
  'Model requests a minute of one account, over all its keys; 0: no limit',
)
export const accountAtOnce = setting(
  'gateway.account-at-once',
  z.int().min(0).max(1_000_000),
  1_000,
  'Model calls at once of one account, over all its keys; 0: no limit',
)
/** Limit over all processes; with a stolen key, the rest of the balance stays untouched. */
export const accountAtRisk = setting(
  'gateway.account-at-risk',
  z.int().min(0).max(10_000_000),
  1_000,
  'Dollars that calls under way of one account may hold at once; 0: no limit',
)

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
