import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'
import type { Settings } from '#platform/server/settings.ts'
import { captchaKind, captchaScene } from '../contract.ts'
import type { CaptchaKind, RiskScene } from '../contract.ts'
import type { CaptchaRules } from './vendors/port.ts'

const choice = z.union([z.literal('off'), captchaKind])
const count = z.number().int().min(1).max(1_000_000)

export const captcha = setting('risk.captcha', choice, {
  fallback: 'altcha',
  about: 'Captcha of every scene: off, altcha (hidden proof of work), slide (puzzle), aliyun',
})
export const captchaByScene = setting('risk.captchaByScene', z.partialRecord(captchaScene, choice), {
  fallback: {},
  about: 'Another captcha for some scenes, by scene',
})
export const captchaLiveSeconds = setting('risk.captchaLiveSeconds', z.number().int().min(60).max(1200), {
  fallback: 600,
  about: 'Seconds that a challenge can be solved',
})
export const captchaEffort = setting('risk.captchaEffort', z.number().int().min(4).max(20_000), {
  fallback: 300,
  about: 'Key derivations that a hidden challenge takes on average',
})
export const slideTolerance = setting('risk.slideTolerance', z.number().int().min(2).max(12), { fallback: 5, about: 'Pixels that a puzzle piece may be off' })
export const slideTries = setting('risk.slideTries', z.number().int().min(1).max(5), { fallback: 3, about: 'Tries that a puzzle allows' })
export const challengesPerMinute = setting('risk.challengesPerMinute', count, { fallback: 120, about: 'Challenges a minute to one IP address' })
export const failedMovesPerHour = setting('risk.failedMovesPerHour', count, { fallback: 60, about: 'Misplaced puzzle pieces an hour from one IP address' })
export const markDays = setting('risk.markDays', z.number().int().min(30).max(1200), {
  fallback: 400,
  about: 'Days after which it is forgotten that two accounts had a payer, payout, browser or network in common',
})

export const riskSettings = [
  captcha,
  captchaByScene,
  captchaLiveSeconds,
  captchaEffort,
  slideTolerance,
  slideTries,
  challengesPerMinute,
  failedMovesPerHour,
  markDays,
]

/** Reads the captcha of a scene. */
export async function readCaptchaKind(settings: Settings, scene: RiskScene): Promise<CaptchaKind | 'off'> {
  return (await settings.get(captchaByScene))[scene] ?? (await settings.get(captcha))
}

export async function readCaptchaRules(settings: Settings): Promise<CaptchaRules> {
  return {
    liveSeconds: await settings.get(captchaLiveSeconds),
    effort: await settings.get(captchaEffort),
    tolerance: await settings.get(slideTolerance),
    tries: await settings.get(slideTries),
  }
}
