import { countEvent } from '#platform/server/metrics.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { fail } from '#platform/shared/errors.ts'
import { captchaKind } from '../../contract.ts'
import type { RiskScene } from '../../contract.ts'
import { resolveCaptcha, openCaptcha, CAPTCHA_WAYS } from '../captchas.ts'
import type { CaptchaSystem } from '../captchas.ts'

export interface HumanProof {
  readonly scene: RiskScene
  /** `captchaVerifyParam` as received; may be absent. */
  readonly param: string | undefined
  readonly ip: string
}

/**
 * Requires a captcha proof, unless the scene's captcha is off; throws CAPTCHA_REQUIRED (2500) if the proof is missing, wrong, used, expired
 * or of another scene. A valid proof is consumed even if the call fails later: call it before a transaction, not inside one. Source:
 * product.md 2.10, money.md A5.
 */
export async function requireHuman(deps: CaptchaSystem, { scene, param, ip }: HumanProof): Promise<void> {
  const chosen = await resolveCaptcha(deps, scene)
  if (chosen === 'off') return
  const [kindText = '', proof = ''] = splitOnce(param ?? '')
  const kind = captchaKind.safeParse(kindText)
  if (!kind.success || !proof) fail('CAPTCHA_REQUIRED')
  const own = kind.data === chosen
  if (!own && !CAPTCHA_WAYS.some((way) => way === kind.data)) fail('CAPTCHA_REQUIRED')
  const captcha = await openCaptcha(deps, kind.data)
  const verdict = await captcha.verify(scene, proof, own ? 'own' : 'way').catch((error: unknown) => logNoVerdict(deps, error))
  if (verdict === 'good') return
  countEvent(`captcha_${verdict}`)
  deps.log.info({ scene, kind: kind.data, verdict, ip }, 'captcha refused')
  fail('CAPTCHA_REQUIRED')
}

/** The vendor gave no verdict: the proof does not count, and the alternatives stay available. */
function logNoVerdict({ log }: CaptchaSystem, error: unknown): 'wrong' | 'down' {
  const { kind, message, ours } = asSupplierError(error)
  log[ours ? 'error' : 'warn']({ why: message, ours }, 'a captcha vendor gave no verdict')
  return kind === 'rejected' ? 'wrong' : 'down'
}

function splitOnce(text: string): string[] {
  const dot = text.indexOf('.')
  return dot < 0 ? [text] : [text.slice(0, dot), text.slice(dot + 1)]
}
