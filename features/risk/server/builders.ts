import { solveChallenge } from 'altcha-lib'
import type { Challenge } from 'altcha-lib/types'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { CaptchaKind, RiskScene } from '../contract.ts'
import { openCaptcha } from './captchas.ts'
import { captcha, captchaByScene } from './settings.ts'

/** Sets the captcha of every scene, as an operator would; unrelated tests set it to `off`. */
export async function chooseCaptcha(deps: Pick<Deps, 'db' | 'settings'>, kind: CaptchaKind | 'off'): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    await deps.settings.set(tx, captcha, kind)
    await deps.settings.set(tx, captchaByScene, {})
  })
}

/** Creates a `captchaVerifyParam` for one call: a hidden challenge of the scene, solved as by a browser. */
export async function aCaptchaParam(deps: Deps, scene: RiskScene): Promise<string> {
  const made = await (await openCaptcha(deps, 'altcha')).challenge(scene, 'way')
  if (made.kind !== 'altcha') throw new Error('not a hidden challenge')
  return solveCaptchaParam(made.challenge)
}

/** Solves a challenge as received in a response. */
export async function solveCaptchaParam(challenge: unknown): Promise<string> {
  const solution = await solveChallenge({ challenge: challenge as Challenge, deriveKey })
  return `altcha.${Buffer.from(JSON.stringify({ challenge, solution })).toString('base64url')}`
}
