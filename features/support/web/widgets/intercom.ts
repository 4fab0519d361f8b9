import { loadScript, setLauncherLabels, pollUntil } from './load-script.ts'
import { computeOffsets } from './port.ts'
import type { Boot, Widget } from './port.ts'

type Api = ((...args: unknown[]) => void) & { q?: unknown[][] }
const api = () => (window as { Intercom?: Api }).Intercom

/** Calls made before the script is loaded are kept in `q`, which it reads when it starts. */
function queue(): Api {
  const known = api()
  if (known) return known
  const waiting: Api = Object.assign((...args: unknown[]) => void waiting.q!.push(args), { q: [] as unknown[][] })
  ;(window as { Intercom?: Api }).Intercom = waiting
  return waiting
}

/** Requires the signed hash of a signed-in user: without it, anyone could impersonate them. */
function buildIdentity({ user }: Boot, signedIn: boolean): Readonly<Record<string, string>> {
  if (signedIn && !user?.['user_hash']) throw new Error('Failed to get user hash')
  return user ?? {}
}

const ELEMENTS = '.intercom-lightweight-app, #intercom-container, #intercom-frame'
const PROBLEM = 'Intercom check timeout'
const isWidgetPresent = () => document.querySelector(ELEMENTS) !== null
let endWithin: Parameters<typeof pollUntil>[2]

export const intercom: Widget = {
  load: async (boot, place) => {
    const who = buildIdentity(boot, place.signedIn)
    const { right, bottom } = computeOffsets(boot, place)
    queue()('boot', {
      ...boot.settings,
      ...who,
      language_override: place.lang,
      alignment: 'right',
      horizontal_padding: right,
      vertical_padding: bottom,
      z_index: boot.place.zIndex,
    })
    try {
      await loadScript(boot.script)
    } catch (error) {
      delete (window as { Intercom?: Api }).Intercom
      throw error
    }
    const { lookMs, lookForMs, bootMs, bootForMs, shutdownForMs } = boot.times
    endWithin = { everyMs: lookMs, forMs: shutdownForMs }
    // the script replaces the queue once it has started
    await pollUntil(() => api()?.q === undefined, PROBLEM, { everyMs: bootMs, forMs: bootForMs })
    await pollUntil(isWidgetPresent, PROBLEM, { everyMs: lookMs, forMs: lookForMs })
    void setLauncherLabels('.intercom-lightweight-app-launcher, .intercom-launcher', boot)
  },
  open: () => api()?.('show'),
  update: (boot) => api()?.('update', buildIdentity(boot, true)),
  shutdown: () => {
    api()?.('shutdown')
    // leftover elements would show the previous user's conversation to the next one
    void pollUntil(() => !isWidgetPresent(), PROBLEM, endWithin).catch(() => document.querySelectorAll(ELEMENTS).forEach((one) => one.remove()))
  },
}
