import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'
import type { Setting } from '#platform/server/settings.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'
import { eachLangSchema } from '#platform/shared/contract.ts'
import type { ConvertedCurrency } from '../contract-currencies.ts'
import { MAX_METHOD_ID, PAY_METHODS } from '../contract-methods.ts'

const decimal = z.string().regex(/^\d{1,6}(\.\d{1,6})?$/)
const amounts = z.object({ min: decimal, max: decimal, presets: z.array(decimal).min(1).max(12) })
export type Amounts = z.output<typeof amounts>

/** Keys "orderType" or "orderType:channelType", which takes precedence. An order type without an entry cannot be ordered. */
export const amountsSetting = setting<Readonly<Record<string, Amounts>>>('payments.amounts', z.record(z.string().regex(/^\d{1,2}(:\d{1,2})?$/), amounts), {
  fallback: {
    10: { min: '5', max: '400', presets: ['5', '10', '20', '25', '40', '60'] },
  },
  about:
    'Smallest and largest amount in dollars and the presets, per order type ("10" is the API balance) or per order type and channel ("10:25"); those of a card stand in cards.recharge',
})

/** Users of Hong Kong and Macao (numbers 852, 853): one wallet and its amounts. */
export const hkMethod = setting('payments.hk_channel', z.int().min(1).max(MAX_METHOD_ID), {
  fallback: PAY_METHODS.alipayHk.id,
  about: 'The one method that users of Hong Kong and Macao pay with: 4 is AlipayHK',
})
export const hkAmounts = setting<Amounts>('payments.hk_amounts', amounts, {
  fallback: { min: '20', max: '400', presets: ['20', '40', '60', '80', '100', '120'] },
  about: 'Smallest and largest top-up in dollars and the presets of users of Hong Kong and Macao',
})

export const shownPresets = setting('payments.presets_shown', z.int().min(1).max(6), { fallback: 3, about: 'How many presets the amount step shows' })

/** Percent by channel number; `default` for the others. */
export const feePercents = setting<Readonly<Record<string, string>>>('payments.fee_percent', z.record(z.string(), z.string().regex(/^\d{1,2}(\.\d{1,4})?$/)), {
  fallback: { default: '3.5' },
  about: 'Fee in percent of the amount, by channel number; "default" for channels without an own entry',
})

const percent = z.string().regex(/^\d{1,2}(\.\d{1,4})?$/)
/** Quoted by the help article about top-ups. */
export const feeParts = setting(
  'payments.fee_parts',
  z.object({ provider: percent, conversion: percent, fraudCheck: z.string().regex(/^\d{1,2}(\.\d{1,2})?$/), own: percent }),
  {
    fallback: { provider: '3', conversion: '1.5', fraudCheck: '0.02', own: '0.5' },
    about:
      'What the usual fee is made of, as the help says: percent of the provider, of which for currency conversion; dollars of a fraud check; our own percent. Provider and own add up to the default of payments.fee_percent',
  },
)

/** Dollars by channel number. */
export const fixedFees = setting<Readonly<Record<string, string>>>('payments.fee_fixed', z.record(z.string(), z.string().regex(/^\d{1,2}(\.\d{1,2})?$/)), {
  fallback: { 2: '0.30' },
  about: 'Dollars that each payment costs beside the percentage, by channel number (2 is Stripe); "default" for channels without an own entry, else nothing',
})

const rateText = z.string().regex(/^[1-9]\d{0,3}\.\d{1,6}$/)
/** Units per dollar of each converted currency. */
export const rateSettings: Readonly<Record<ConvertedCurrency, Setting<string>>> = {
  CNY: setting('payments.rate_cny', rateText, { fallback: '7.1230', about: 'Yuan for one dollar that new orders freeze' }),
}

export const orderMinutes = setting('payments.order_minutes', z.int().min(1).max(1440), { fallback: 15, about: 'Minutes until an unpaid order expires' })

export const maxOpenOrders = setting('payments.max_open_orders', z.int().min(1).max(1000), {
  fallback: 20,
  about: 'Unpaid orders that one user may have at once',
})

export const payNotice = setting(
  'payments.pay_notice',
  z.object({
    h5From: z
      .string()
      .regex(/^\d{1,6}(\.\d{1,2})?$/)
      .nullable(),
    wechatOnComputers: z.boolean(),
  }),
  {
    fallback: { h5From: '50.00', wechatOnComputers: true },
    about: 'Which payments have /pay-notice read first: on a phone from this amount in dollars (null: none), and with WeChat on a computer',
  },
)

export const closedChannels = setting('payments.closed_channels', z.array(z.string().regex(/^\d{1,2}(:\d)?$/)), {
  fallback: [],
  about: 'Channels ("25") or methods ("25:2") that are shown but cannot be chosen',
})

/** As `closedChannels`. */
export const reviewedChannels = setting('payments.reviewed_channels', z.array(z.string().regex(/^\d{1,2}(:\d)?$/)), {
  fallback: [],
  about: 'Channels ("25") or methods ("25:2") that their company has under review: shown with that reason, and they cannot be chosen',
})

/** As `closedChannels`. Product rule 2.8: gradual release. */
export const gradualChannels = setting('payments.gradual_channels', z.array(z.string().regex(/^\d{1,2}(:\d)?$/)), {
  fallback: [],
  about: 'Channels ("25") or methods ("25:2") that are offered only to users of the gradual-release group',
})

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
export const rechargePause = setting(
  'payments.recharge_pause',
  z
    .object({ from: day, to: day })
    .refine(({ from, to }) => from <= to)
    .nullable(),
  {
    fallback: null,
    about: 'Days without recharging, both included, in Shanghai (a holiday of the channels); null for none. Orders that were placed before can still be paid',
  },
)

const maintenanceShape = z.object({
  isMaintain: z.boolean(),
  startTime: z.string(),
  endTime: z.string(),
  message: eachLangSchema(z.string()),
  closed: z.array(z.enum(['recharge', 'openCard', 'withdraw', 'revealCard'])),
})
export const maintenance = setting<z.output<typeof maintenanceShape>>('payments.maintenance', maintenanceShape, {
  fallback: { isMaintain: false, startTime: '', endTime: '', message: mapLangs(() => ''), closed: ['openCard', 'withdraw', 'revealCard'] },
  about: 'Maintenance notice, its window (ISO times, empty for open ends) and what it closes; recharging stays open unless named',
})

export const grantedDays = setting('payments.granted_days', z.int().min(0).max(3650), {
  fallback: 0,
  about: 'Days after which granted credit expires: a discount that was given with a top-up, rewards that were moved to the balance; 0 is never',
})

export const lateMoney = setting('payments.late_money', z.enum(['credit', 'refund']), {
  fallback: 'credit',
  about: 'Money that comes after an order has ended, or a second time: "credit" gives it to the balance, "refund" sends it back the way it came',
})

export const balancePassword = setting('payments.balance_password', z.boolean(), {
  fallback: true,
  about: 'Whether paying an order from the balance asks for the payment password',
})

export const userRefunds = setting('payments.user_refunds', z.enum(['off', 'ask', 'auto']), {
  fallback: 'ask',
  about: 'Refunds that users ask for: "off" refuses them, "ask" has an operator approve each, "auto" sends them at once',
})

export const disputeFee = setting('payments.dispute_fee', z.string().regex(/^\d{1,3}(\.\d{1,2})?$/), {
  fallback: '15.00',
  about: 'Dollars that a payer who loses a dispute pays beside the amount; taken from the balance, and owed where that is too little',
})

/** Percent by channel number. */
export const channelCosts = setting<Readonly<Record<string, string>>>(
  'payments.channel_cost_percent',
  z.record(z.string(), z.string().regex(/^\d{1,2}(\.\d{1,4})?$/)),
  {
    fallback: {},
    about:
      'What a channel keeps of a payment by contract, in percent, by channel number; the nightly comparison names every line that differs. Channels without an entry are not compared',
  },
)

/** Applies to refunds requested by users too; withdrawals list it among their settings. */
export const withdrawKeep = setting('payments.withdraw_keep', z.string().regex(/^\d{1,7}(\.\d{1,2})?$/), {
  fallback: '1',
  about: 'Dollars that always stay in the balance',
})

export const paymentSettings = [
  lateMoney,
  grantedDays,
  balancePassword,
  userRefunds,
  disputeFee,
  channelCosts,
  amountsSetting,
  hkMethod,
  hkAmounts,
  shownPresets,
  feePercents,
  feeParts,
  fixedFees,
  ...Object.values(rateSettings),
  orderMinutes,
  maxOpenOrders,
  payNotice,
  closedChannels,
  reviewedChannels,
  gradualChannels,
  rechargePause,
  maintenance,
]
