import type { CaptchaScene } from '#platform/web/calls/captcha.ts'
import type { CaptchaChallenge } from '../contract.ts'
import { riskApi } from './risk-api.ts'
import { canSolve, solveAltcha } from './solve-altcha.ts'

export type CaptchaWay = 'altcha' | 'slide'
interface PreparedChallenge {
  readonly challenge: CaptchaChallenge
  /** The hidden challenge's answer, on its way. */
  readonly solved: Promise<string> | undefined
  readonly goodUntil: number
}

/** Timeout after which the page reports a network problem. */
const LOAD_MS = 8000
/** Margin for sending a proof before it expires. */
const MARGIN_S = 15

const prepared = new Map<CaptchaScene, Promise<PreparedChallenge>>()

/** Prefetches a scene's challenge and begins to solve it. Errors surface when it is needed. */
export function prepareChallenge(scene: CaptchaScene): void {
  if (prepared.has(scene)) return
  const ready = loadChallenge(scene)
  prepared.set(scene, ready)
  ready.catch(() => prepared.delete(scene))
}

/** The prepared challenge, once, if it is still good; else a new one. `kind` asks for another way through. */
export async function takePreparedChallenge(scene: CaptchaScene, kind?: CaptchaWay): Promise<PreparedChallenge> {
  const ahead = prepared.get(scene)
  prepared.delete(scene)
  if (ahead && !kind) {
    const ready = await ahead.catch(() => undefined)
    if (ready && ready.goodUntil > Date.now()) return ready
  }
  return loadChallenge(scene, kind)
}

export function forgetChallenge(scene: CaptchaScene): void {
  prepared.delete(scene)
}

async function loadChallenge(scene: CaptchaScene, kind?: CaptchaWay): Promise<PreparedChallenge> {
  const { challenge } = await riskApi.captchaChallenge({ scene, kind }, { timeoutMs: LOAD_MS })
  if (challenge.kind === 'altcha' && !canSolve()) return loadChallenge(scene, 'slide')
  const solved = challenge.kind === 'altcha' ? solveAltcha(challenge.challenge) : undefined
  solved?.catch(() => {})
  const seconds = 'expiresInSeconds' in challenge ? challenge.expiresInSeconds - MARGIN_S : 600
  return { challenge, solved, goodUntil: Date.now() + seconds * 1000 }
}
