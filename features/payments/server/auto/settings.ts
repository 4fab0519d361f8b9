import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

const dollars = z.string().regex(/^\d{1,6}(\.\d{1,2})?$/)

export const autoOpen = setting('payments.auto_recharge', z.boolean(), {
  fallback: true,
  about: 'Whether auto recharge is offered; false also keeps every automatic charge back',
})

const defaults = z.object({ threshold: dollars, amount: dollars, dayMost: dollars, monthMost: dollars })
export const autoDefaults = setting<z.output<typeof defaults>>('payments.auto_defaults', defaults, {
  fallback: { threshold: '5', amount: '10', dayMost: '35', monthMost: '200' },
  about: 'What the form of auto recharge begins with, in dollars: below which balance, how much, and the ceilings of a day and a month',
})

const bounds = z.object({ thresholdMin: dollars, thresholdMax: dollars, amountMax: dollars, dayMax: dollars, monthMax: dollars })
export const autoBounds = setting<z.output<typeof bounds>>('payments.auto_bounds', bounds, {
  fallback: { thresholdMin: '1', thresholdMax: '100', amountMax: '200', dayMax: '500', monthMax: '3000' },
  about: 'What a user may choose for auto recharge, in dollars; the amount is also bound by the channel',
})

export const autoPerDay = setting('payments.auto_per_day', z.int().min(1).max(50), {
  fallback: 3,
  about: 'Automatic charges that one user may have on a day, refused ones included',
})

export const autoLeadMinutes = setting('payments.auto_lead_minutes', z.int().min(0).max(1440), {
  fallback: 5,
  about: 'Minutes between the mail that announces an automatic charge and the charge; a channel that wants more gets more',
})

export const autoSettings = [autoOpen, autoDefaults, autoBounds, autoPerDay, autoLeadMinutes]
