import { z } from 'zod'
import { defineContract, emptyReply, pageInput, definePage, usdText } from '#platform/shared/contract.ts'
import { payPasswordErrors } from '#features/account/errors.ts'
import { cardId, cardPayPassword } from '#features/cards/contract-card.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { upgradeErrors } from './errors.ts'
import { MAX_SEATS, UPGRADE_SERVICES } from './plans.ts'
import { UPGRADE_CAUSES, UPGRADE_STATES } from './words.ts'

export const upgradeId = z.string().regex(/^upg_[0-9a-z]{16}$/)
const time = z.string().nullable()
const planId = z.string().regex(/^[a-z][a-z-]{1,30}$/)
const account = z.string().trim().max(100)
const link = z.string().trim().max(4000)

const upgradePlanRow = z.object({
  id: planId,
  service: z.enum(UPGRADE_SERVICES),
  name: z.string(),
  /** Price per month, and per seat for a team. */
  price: usdText,
  months: z.union([z.literal(1), z.literal(12)]),
  /** Minimum seats of a team plan; null for a single plan. */
  team: z.number().nullable(),
})
export type UpgradePlanRow = z.output<typeof upgradePlanRow>

export const upgradeRow = z.object({
  id: upgradeId,
  service: z.enum(UPGRADE_SERVICES),
  plan: planId,
  planName: z.string(),
  seats: z.number(),
  account: z.string(),
  /** Shortened link; complete only in the member's own draft. */
  link: z.string(),
  shortLink: z.string(),
  state: z.enum(UPGRADE_STATES),
  cause: z.enum(UPGRADE_CAUSES).or(z.literal('')),
  /** `A020`; '' for a draft. */
  ticket: z.string(),
  last4: z.string(),
  /** The merchant's amount, the card's fee, and their total, which is held on the card. */
  amount: usdText,
  fee: usdText,
  total: usdText,
  /** Part of the hold captured by the merchant, or by us for a supplier; and the part released. */
  taken: usdText,
  back: usdText,
  queuedTime: time,
  finishedTime: time,
  /** Deadline for a new link or for an operator. */
  deadlineTime: time,
  /** Earliest time at which the account may be tried again. */
  retryTime: time,
  /** Time at which an operator saw the card number for this order. */
  shownTime: time,
  /** An operator is working on it. */
  inHand: z.boolean(),
  steps: z.array(z.object({ at: z.string(), state: z.string() })),
})
export type UpgradeRow = z.output<typeof upgradeRow>

const queue = z.object({
  ahead: z.number(),
  /** Next tickets ahead, at most six. */
  tickets: z.array(z.string()),
  /** Estimate from recent orders; null if there are too few. */
  minutes: z.number().nullable(),
  readyTime: time,
  /** Operators who are working on an order. */
  working: z.number(),
  isOpen: z.boolean(),
  opensTime: z.string(),
  hours: z.object({ from: z.number(), to: z.number() }),
  /** Number of orders behind the estimates below. */
  counted: z.number(),
  half: z.number().nullable(),
  most: z.number().nullable(),
})
export type UpgradeQueue = z.output<typeof queue>

const choice = z.object({
  id: cardId,
  type: z.enum(['standard', 'pro']),
  last4: z.string(),
  available: usdText,
  /** Problem that prevents payment; null if there is none. `full`: the card has the maximum number of accounts of the service. */
  problem: z.enum(['not_active', 'must_change', 'card_type', 'no_frame', 'in_debt', 'month', 'short', 'full']).nullable(),
  missing: usdText,
  /**
   * How to top up the missing amount: the maximum per recharge, and the number of recharges; null if nothing is missing or no recharge is
   * possible.
   */
  recharges: z.object({ most: usdText, count: z.number() }).nullable(),
  /** Accounts of the service recently bound to the card, without this one. */
  accounts: z.number(),
})
export type CardChoice = z.output<typeof choice>

const password = ['PAY_PASSWORD_NOT_SET', 'PAY_PASSWORD_WRONG', 'PAY_PASSWORD_LOCKED', 'PAY_PASSWORD_BLOCKED'] as const
const starts = ['SERVICE_UNKNOWN', 'SERVICE_PAUSED', 'SERVICE_TOO_MANY', 'UPGRADE_UNKNOWN', 'UPGRADE_MAIL', 'UPGRADE_LINK', 'UPGRADE_SEATS'] as const

/** One-click upgrades. Paths: product.md 2.7; others follow its style. */
export const upgradeContract = defineContract({ ...payPasswordErrors, ...serviceErrors, ...upgradeErrors })({
  openAIPlus: {
    method: 'POST',
    path: '/common/openAIPlus',
    access: 'public',
    summary: 'Plans with their prices, whether upgrades are open, and how long they take lately',
    input: z.object({}),
    reply: z.object({
      plans: z.array(upgradePlanRow),
      /** Reason why upgrades are closed; null if open, '' while a switch is off. */
      paused: z.string().nullable(),
      limits: z.object({
        ...{ accounts: z.number(), days: z.number(), riskHours: z.number(), linkHours: z.number(), mostSeats: z.number() },
        /** Opening hours of the desk in Beijing time, such as `10:00`. */
        ...{ opens: z.string(), closes: z.string() },
      }),
      /** Hosts of payment pages, by service. */
      hosts: z.record(z.string(), z.array(z.string())),
    }),
    errors: [],
  },
  bindTask: {
    method: 'POST',
    path: '/reward/bindTask',
    access: 'user',
    summary: 'Keeps the fields filled in so far; the draft continues in any other browser. Given fields are checked',
    input: z.object({
      plan: planId,
      seats: z.number().int().min(1).max(MAX_SEATS).default(1),
      account: account.default(''),
      link: link.default(''),
    }),
    reply: upgradeRow,
    errors: [...starts, 'UPGRADE_WAIT', 'UPGRADE_TWICE'],
    flag: 'oneClickUpgrade',
  },
  bindTaskCardCheck: {
    method: 'POST',
    path: '/reward/bindTask/cardCheck',
    access: 'user',
    summary: 'The cards that could pay for a draft, each with what is in its way, and what it comes to',
    input: z.object({ id: upgradeId }),
    reply: z.object({
      cards: z.array(choice),
      amount: usdText,
      fee: usdText,
      total: usdText,
      rate: z.string(),
      totalCny: z.string(),
      most: z.number(),
      days: z.number(),
    }),
    errors: ['UPGRADE_UNKNOWN', 'SERVICE_UNKNOWN'],
  },
  bindQueue: {
    method: 'POST',
    path: '/reward/bindQueue',
    access: 'user',
    idempotency: 'optional',
    summary: 'Puts a draft into the queue: the payment password lends the card for this one task, and its sum is kept on it',
    input: z.object({ id: upgradeId, cardId, total: usdText, payPassword: cardPayPassword }),
    reply: upgradeRow,
    errors: [...starts, ...password, 'UPGRADE_WAIT', 'UPGRADE_TWICE', 'UPGRADE_CARD', 'UPGRADE_CARD_FULL', 'UPGRADE_PRICE', 'UPGRADE_NOT_NOW'],
    flag: 'oneClickUpgrade',
  },
  openaiQueue: {
    method: 'POST',
    path: '/reward/openaiQueue',
    access: 'user',
    summary: 'The queue as it stands for an order of the user, or for a new one',
    input: z.object({ id: upgradeId.optional() }),
    reply: queue,
    errors: [],
  },
  upgradeStatus: {
    method: 'GET',
    path: '/reward/status',
    access: 'user',
    summary: 'One order; without an id the one in progress, else the draft, else the last',
    input: z.object({ id: upgradeId.optional() }),
    reply: z.object({ order: upgradeRow.nullable() }),
    errors: ['UPGRADE_UNKNOWN'],
  },
  upgradeRelink: {
    method: 'POST',
    path: '/reward/bindTask/link',
    access: 'user',
    idempotency: 'optional',
    summary: 'A new link instead of an expired one: nothing is paid again, and the payment password lends the card again',
    input: z.object({ id: upgradeId, link, payPassword: cardPayPassword }),
    reply: upgradeRow,
    errors: ['UPGRADE_UNKNOWN', 'UPGRADE_LINK', 'UPGRADE_NOT_NOW', 'UPGRADE_TWICE', ...password],
  },
  upgradeLeave: {
    method: 'POST',
    path: '/reward/bindTask/leave',
    access: 'user',
    summary: 'Leaves the queue while no operator has the order in hand: the kept sum is free at once',
    input: z.object({ id: upgradeId }),
    reply: upgradeRow,
    errors: ['UPGRADE_UNKNOWN', 'UPGRADE_NOT_NOW'],
  },
  upgradeForget: {
    method: 'POST',
    path: '/reward/bindTask/forget',
    access: 'user',
    summary: 'Throws a draft away',
    input: z.object({ id: upgradeId }),
    reply: emptyReply,
    errors: ['UPGRADE_UNKNOWN'],
  },
  upgradeList: {
    method: 'POST',
    path: '/reward/bindTask/list',
    access: 'user',
    summary: 'All upgrades that were ordered, newest first',
    input: pageInput,
    reply: definePage(upgradeRow),
    errors: [],
  },
})
