import { site } from '../site.ts'

/** Sites besides this one whose API the developer panel can choose. */
export const API_TARGETS = ['production', 'china'] as const
export type ApiTarget = (typeof API_TARGETS)[number]

/** Names the site to this server, which passes the call on (platform/server/http/other-api.ts). */
export const TARGET_HEADER = 'x-api-target'
const KEY = 'mx.api'

/** Origins that the operator set; none in production. */
export function getTargetUrls(): Readonly<Partial<Record<ApiTarget, string>>> {
  if (site.stage === 'production') return {}
  return { ...(site.productionUrl ? { production: site.productionUrl } : {}), ...(site.chinaUrl ? { china: site.chinaUrl } : {}) }
}

function readChosenTarget(): ApiTarget | undefined {
  try {
    const name = sessionStorage.getItem(KEY)
    return API_TARGETS.find((one) => one === name && getTargetUrls()[one] !== undefined)
  } catch {
    return undefined
  }
}

/** Site whose API this tab calls; undefined: its own. Fixed until the next load of the page. */
export const apiTarget = readChosenTarget()

/** Selects the API for this tab and reloads the page, which discards data of the other API. */
export function chooseApi(target: ApiTarget | undefined): void {
  if (target) sessionStorage.setItem(KEY, target)
  else sessionStorage.removeItem(KEY)
  location.reload()
}
