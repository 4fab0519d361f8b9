import type { Deps, PageSources } from '#platform/server/feature.ts'
import { allowsSandbox } from '#platform/server/config.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import { deriveKey } from '#platform/server/sealing/seal.ts'
import { captchaScene } from '../contract.ts'
import type { CaptchaKind, RiskScene } from '../contract.ts'
import { readRiskConfig } from './config.ts'
import { createCaptchaStore } from './data.ts'
import { readCaptchaKind, readCaptchaRules } from './settings.ts'
import { captchaPort, captchaVendors } from './vendors/index.ts'
import type { OpenCaptcha } from './vendors/port.ts'

export type CaptchaSystem = Pick<Deps, 'db' | 'config' | 'settings' | 'clock' | 'secretKeys' | 'log'>

/** Alternatives always available besides the chosen captcha, for disabilities, unsupported browsers and outages of the vendor. */
export const CAPTCHA_WAYS = ['altcha', 'slide'] as const

/** Captcha of a scene. If its credentials are missing, the hidden challenge replaces it. */
export async function resolveCaptcha({ settings, config, log }: CaptchaSystem, scene: RiskScene): Promise<CaptchaKind | 'off'> {
  const kind = await readCaptchaKind(settings, scene)
  if (kind === 'off' || findCaptchaVendor(kind).offered(readRiskConfig(config))) return kind
  log.error({ kind, scene }, 'the chosen captcha has no credentials; the hidden challenge replaces it')
  return 'altcha'
}

export async function openCaptcha({ db, config, settings, clock, secretKeys }: CaptchaSystem, kind: CaptchaKind): Promise<OpenCaptcha> {
  const keys = secretKeys.map((key) => deriveKey(key, `risk.captcha.${kind}`))
  const opened = findCaptchaVendor(kind).open({
    config: readRiskConfig(config),
    clock,
    keys,
    store: createCaptchaStore(db),
    rules: await readCaptchaRules(settings),
  })
  // Our own captchas fail only through fault injection, where sandboxes are allowed
  const isOurs = CAPTCHA_WAYS.some((way) => way === kind)
  return isOurs && allowsSandbox(config, 'service') ? withFaults(captchaPort, opened, () => db) : opened
}

function findCaptchaVendor(kind: CaptchaKind) {
  return captchaVendors.find((vendor) => vendor.id === kind)!
}

/** Hosts that the pages may contact for the captchas in use; empty while all of them are our own. */
export async function listCaptchaSources({ settings, config }: Pick<Deps, 'settings' | 'config'>): Promise<PageSources> {
  const chosen = new Set(await Promise.all(captchaScene.options.map((scene) => readCaptchaKind(settings, scene))))
  const vendors = captchaVendors.filter((vendor) => chosen.has(vendor.id) && vendor.offered(readRiskConfig(config)))
  return Object.assign({}, ...vendors.map((vendor) => vendor.sources?.(readRiskConfig(config)) ?? {}))
}
