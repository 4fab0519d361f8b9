import { z } from 'zod'
import type { ConfigOf, PlatformConfig } from '#platform/server/config.ts'

export const riskConfig = {
  /** Aliyun Captcha 2.0: the scene's id, the instance's prefix, and an access key that may call it. Not offered if absent. */
  ALIYUN_CAPTCHA_SCENE_ID: z.string().optional(),
  ALIYUN_CAPTCHA_PREFIX: z.string().optional(),
  ALIYUN_CAPTCHA_ACCESS_KEY_ID: z.string().optional(),
  ALIYUN_CAPTCHA_ACCESS_KEY_SECRET: z.string().optional(),
  /** cn: mainland instances; sgp: instances outside the mainland. */
  ALIYUN_CAPTCHA_REGION: z.enum(['cn', 'sgp']).default('cn'),
  /** Overrides the endpoint, which is otherwise derived from the region. */
  ALIYUN_CAPTCHA_ENDPOINT: z.url().optional(),
} as const

export type RiskConfig = PlatformConfig & ConfigOf<typeof riskConfig>

/** The joined configuration with this feature's part typed; its values were checked at start. */
export function readRiskConfig(config: PlatformConfig & Readonly<Record<string, unknown>>): RiskConfig {
  return config as RiskConfig
}
