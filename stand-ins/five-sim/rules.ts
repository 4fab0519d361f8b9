/** 5sim refuses in plain text. The same texts come with status 200 or 400. Source of all rows:
 * https://5sim.net/docs; the text of 429 is assumed. */
export const FIVE_SIM_REFUSALS = {
  'no free phones': { status: 200, when: 'buy: the operator has no number of the product left' },
  'not enough user balance': { status: 400, when: 'buy: the balance is below the price' },
  'not enough rating': { status: 400, when: 'buy: as many orders are open as the account has points of rating' },
  'select country': { status: 400, when: 'buy: the country is missing' },
  'select operator': { status: 400, when: 'buy: the operator is missing' },
  'bad country': { status: 400, when: 'buy: no country has that name' },
  'bad operator': { status: 400, when: 'buy: the country has no operator of that name' },
  'no product': { status: 400, when: 'buy: the country does not have the product' },
  'server offline': { status: 500, when: 'buy: the operator does not answer' },
  'order not found': { status: 404, when: 'check, finish, cancel, ban: the account has no order of that id' },
  'order expired': { status: 400, when: 'finish, cancel, ban: the order has ended' },
  'order has sms': { status: 400, when: 'cancel, ban: a message has arrived, so the number is paid' },
  'unauthorized': { status: 401, when: 'every path below /v1/user: the token is missing or unknown' },
  'too many requests': { status: 429, when: 'above 100 requests a second of one account' },
} as const
export type FiveSimRefusal = keyof typeof FIVE_SIM_REFUSALS

/** Statuses of an order; only the first two still receive messages. */
export const FIVE_SIM_STATUSES = ['PENDING', 'RECEIVED', 'CANCELED', 'TIMEOUT', 'FINISHED', 'BANNED'] as const

/**
 * Names of countries and products in its paths, from its lists of both (`/v1/guest/countries`, `/v1/guest/products/any/any`). Assumed: those that
 * our adapter sends.
 */
export const FIVE_SIM_COUNTRIES: readonly string[] = ['usa', 'england', 'germany', 'brazil', 'indonesia']
export const FIVE_SIM_PRODUCTS: readonly string[] = ['openai', 'claudeai', 'google', 'telegram', 'whatsapp', 'discord', 'microsoft', 'other']

/** Lifetime of an order of an activation: `expires` less `created_at` in the examples of https://5sim.net/docs. */
export const FIVE_SIM_ORDER_MINUTES = 15
/** Rating of a full account: at most this many open orders at once. Source: github.com/ErikPelli/fivesim, README, "Rating System". */
export const FIVE_SIM_RATING = 96
