import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'
import { withdrawKeep } from '../settings.ts'

const dollars = z.string().regex(/^\d{1,7}(\.\d{1,2})?$/)

export const withdrawOpen = setting('payments.withdraw_open', z.boolean(), { fallback: true, about: 'Whether balance can be withdrawn' })

export const withdrawChannelFirst = setting('payments.withdraw_channel_first', z.boolean(), {
  fallback: true,
  about: 'Whether withdrawn balance goes back to the payments it came from while their channels take them back; the rest goes by transfer',
})

export const withdrawMin = setting('payments.withdraw_min', dollars, { fallback: '1', about: 'Smallest withdrawal in dollars' })

export const withdrawLimits = setting('payments.withdraw_limits', z.object({ day: dollars, month: dollars, everybodyDay: dollars }), {
  fallback: { day: '1000', month: '5000', everybodyDay: '50000' },
  about: 'Dollars that one user can withdraw in a day and a month, and all users together in a day (Shanghai)',
})

export const withdrawApprovalAbove = setting('payments.withdraw_approval_above', dollars, {
  fallback: '200',
  about: 'Dollars above which a second person approves a withdrawal',
})

export const withdrawCoolOffHours = setting('payments.withdraw_cool_off_hours', z.int().min(0).max(720), {
  fallback: 24,
  about: 'Hours without payouts after a payout account was changed',
})

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)

export const withdrawPause = setting('payments.withdraw_pause', z.object({ from: day, to: day }).nullable(), {
  fallback: null,
  about: 'Days without withdrawals, both included (Spring Festival); null for none',
})

export const withdrawHolidays = setting('payments.withdraw_holidays', z.array(day), {
  fallback: [],
  about: 'Days that are no working days, besides Saturdays and Sundays',
})

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
