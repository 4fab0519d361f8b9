import { z } from 'zod'
import { usdAmount, usdText } from '#platform/shared/contract.ts'

/** An id (`gpt-6-luna`), all models of a vendor (`openai/*`), or a prefix of ids (`claude-*`). */
export const modelPattern = z
  .string()
  .trim()
  .max(120)
  .regex(/^(?:[a-z0-9][\w.:@-]*\/)?[\w.:@-]*\*?$/i)
  .refine((text) => /[\w*]/.test(text) && text !== '*')
/** An address or a network in CIDR form, IPv4 or IPv6. */
export const network = z
  .string()
  .trim()
  .pipe(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))

/** Limits of a key; null or empty means unlimited. A minute is a sliding 60 s window; days and months follow Shanghai time. */
export const keyLimits = z.object({
  expiresAt: z.iso.datetime({ offset: true }).nullable().default(null),
  models: z.array(modelPattern).max(50).default([]),
  networks: z.array(network).max(50).default([]),
  requestsPerMinute: z.int().min(1).max(1_000_000).nullable().default(null),
  tokensPerMinute: z.int().min(1).max(10_000_000_000).nullable().default(null),
  concurrency: z.int().min(1).max(100_000).nullable().default(null),
  dayBudget: usdAmount.nullable().default(null),
  monthBudget: usdAmount.nullable().default(null),
  /** Policy for a stream whose client disconnects: abort it, or read it to its end and bill all of it. */
  onDisconnect: z.enum(['abort', 'drain']).default('abort'),
})
export type KeyLimitsInput = z.output<typeof keyLimits>

/** Limits as shown in lists; amounts are exact decimal strings. */
export const keyLimitsView = keyLimits.extend({ dayBudget: usdText.nullable(), monthBudget: usdText.nullable() })
export type KeyLimitsView = z.output<typeof keyLimitsView>

/** Spending of a key against its budgets. Open calls count with the most they may cost. Null for keys without counted limits. */
export const keyUse = z.object({ dayAmount: usdText, monthAmount: usdText, heldAmount: usdText, openCalls: z.number() }).nullable()
