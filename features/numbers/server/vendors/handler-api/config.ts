import { z } from 'zod'
import { rateEnv } from '../port.ts'
import type { NumberSupplierConfig } from '../port.ts'

export const handlerApiEnv = {
  /** URL of a supplier with the handler_api.php protocol: https://…/stubs/handler_api.php. */
  NUMBERS_HANDLER_API_URL: z.url().optional(),
  /** Its API key. The account must be exclusive to this installation: numbers without an order here are given back. */
  NUMBERS_HANDLER_API_KEY: z.string().min(8).optional(),
  /** Value of one unit of its currency in dollars. */
  NUMBERS_HANDLER_API_RATE: rateEnv,
} as const

export interface HandlerApiAccount {
  readonly url: string
  readonly key: string
  readonly rate: string
}

export function readHandlerApiAccount(config: NumberSupplierConfig): HandlerApiAccount | undefined {
  const url = config['NUMBERS_HANDLER_API_URL'] as string | undefined
  const key = config['NUMBERS_HANDLER_API_KEY'] as string | undefined
  if (!url && !key) return undefined
  if (!url || !key) throw new Error('numbers over handler_api need NUMBERS_HANDLER_API_URL and NUMBERS_HANDLER_API_KEY')
  return { url, key, rate: (config['NUMBERS_HANDLER_API_RATE'] as string | undefined) ?? '1' }
}
