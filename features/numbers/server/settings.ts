import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'
import { NUMBER_COUNTRIES, NUMBER_SERVICES } from '../words.ts'

const dollars = z.string().regex(/^\d{1,3}(\.\d{1,4})?$/)

export const numberMinutes = setting('numbers.minutes', z.int().min(2).max(60), { fallback: 25, about: 'Minutes that a number is waited for' })
export const includedUses = setting('numbers.included', z.object({ standard: z.int().min(0).max(1000), pro: z.int().min(0).max(1000) }), {
  fallback: { standard: 3, pro: 6 },
  about: 'Numbers that come with a card that works, by its best type',
})
export const packCount = setting('numbers.pack_count', z.int().min(1).max(100), {
  fallback: 3,
  about: 'Uses in a pack; its price is `numberpack.pack` of the price book',
})
export const packDays = setting('numbers.pack_days', z.int().min(1).max(3650), {
  fallback: 365,
  about: 'Days after which the unused rest of a pack returns to the balance',
})
export const maxNumberCost = setting('numbers.most_cost', dollars, {
  fallback: '0.45',
  about: 'Dollars that one number may cost us at a supplier; costlier ones are not rented',
})
export const offeredNumbers = setting('numbers.offered', z.partialRecord(z.enum(NUMBER_SERVICES), z.array(z.enum(NUMBER_COUNTRIES)).min(1)), {
  fallback: {
    openai: ['US', 'GB', 'ID'],
    claude: ['US', 'GB'],
    google: ['US', 'GB', 'BR'],
    telegram: ['US', 'GB', 'ID', 'BR'],
    whatsapp: ['US', 'GB', 'ID'],
    discord: ['US', 'GB', 'DE'],
    microsoft: ['US', 'GB', 'DE'],
    any: ['US', 'GB'],
  },
  about: 'Services that numbers are offered for, each with its countries, the usual one first',
})
export const cancelsAnHour = setting('numbers.cancels_an_hour', z.int().min(1).max(100), {
  fallback: 10,
  about: 'Numbers that one user may give back within an hour',
})

export const numberSettings = [numberMinutes, includedUses, packCount, packDays, maxNumberCost, offeredNumbers, cancelsAnHour]
