import { z } from 'zod'
import { rateEnv } from '../port.ts'

export const fiveSimEnv = {
  /** 5sim's API token. The account must be this installation’s alone: what nobody here ordered is given back. */
  NUMBERS_5SIM_TOKEN: z.string().min(16).optional(),
  /** Where 5sim answers. */
  NUMBERS_5SIM_URL: z.url().default('https://5sim.net'),
  /** What one unit of its money is in dollars. */
  NUMBERS_5SIM_RATE: rateEnv,
} as const
