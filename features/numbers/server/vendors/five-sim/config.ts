import { z } from 'zod'
import { rateEnv } from '../port.ts'

export const fiveSimEnv = {
  /** 5sim's API token. The account must be exclusive to this installation: numbers without an order here are given back. */
  NUMBERS_5SIM_TOKEN: z.string().min(16).optional(),
  /** Base URL of 5sim. */
  NUMBERS_5SIM_URL: z.url().default('https://5sim.net'),
  /** Value of one unit of its currency in dollars. */
  NUMBERS_5SIM_RATE: rateEnv,
} as const
