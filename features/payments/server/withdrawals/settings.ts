import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'
import { withdrawKeep } from '../settings.ts'

const dollars = z.string().regex(/^\d{1,7}(\.\d{1,2})?$/)

export const withdrawOpen = setting('payments.withdraw_open', z.boolean(), true, 'Whether balance can be withdrawn')

export const withdrawChannelFirst = setting(
  'payments.withdraw_channel_first',
  z.boolean(),
  true,
  'Whether withdrawn balance goes back to the payments it came from while their channels take them back; the rest goes by transfer',
)

export const withdrawMin = setting('payments.withdraw_min', dollars, '1', 'Smallest withdrawal in dollars')

export const withdrawLimits = setting(
  'payments.withdraw_limits',
  z.object({ day: dollars, month: dollars, everybodyDay: dollars }),
  { day: '1000', month: '5000', everybodyDay: '50000' },
  'Dollars that one user can withdraw in a day and a month, and all users together in a day (Shanghai)',
)

export const withdrawApprovalAbove = setting('payments.withdraw_approval_above', dollars, '200', 'Dollars above which a second person approves a withdrawal')

export const withdrawCoolOffHours = setting(
  'payments.withdraw_cool_off_hours',
  z.int().min(0).max(720),
  24,
  'Hours without payouts after a payout account was changed',
)

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)

export const withdrawPause = setting(
  'payments.withdraw_pause',
  z.object({ from: day, to: day }).nullable(),
  null,
  'Days without withdrawals, both included (Spring Festival); null for none',
)

export const withdrawHolidays = setting('payments.withdraw_holidays', z.array(day), [], 'Days that are no working days, besides Saturdays and Sundays')

export const withdrawalSettings = [
  withdrawOpen,
  withdrawChannelFirst,
  withdrawKeep,
  withdrawMin,
  withdrawLimits,
  withdrawApprovalAbove,
  withdrawCoolOffHours,
  withdrawPause,
  withdrawHolidays,
]
