import { loadScript, waitFor } from './load-script.ts'
import { offsets, Z_INDEX } from './port.ts'
import type { Boot, Widget } from './port.ts'

type Api = ((...args: unknown[]) => void) & { q?: unknown[][] }
const api = () => (window as { Intercom?: Api }).Intercom

/** Calls made before the script is there are kept in `q`, which it reads when it starts. */
function queue(): Api {
  const known = api()
  if (known) return known
  const waiting: Api = Object.assign((...args: unknown[]) => void waiting.q!.push(args), { q: [] as unknown[][] })
  ;(window as { Intercom?: Api }).Intercom = waiting
  return waiting
}

/** The user's hash is what keeps somebody else from speaking in their name: never without it. */
function identity({ user }: Boot, signedIn: boolean): Readonly<Record<string, string>> {
  if (signedIn && !user?.['user_hash']) throw new Error('Failed to get user hash')
  return user ?? {}
}

export const intercom: Widget = {
  load: async (boot, place) => {
    const who = identity(boot, place.signedIn)
    const { right, bottom } = offsets(place)
    queue()('boot', {
      ...boot.settings,
      ...who,
      language_override: place.lang,
      alignment: 'right',
      horizontal_padding: right,
      vertical_padding: bottom,
      z_index: Z_INDEX,
    })
    try {
      await loadScript(boot.script)
    } catch (error) {
      delete (window as { Intercom?: Api }).Intercom
      throw error
    }
    await waitFor(() => document.querySelector('.intercom-lightweight-app, #intercom-container, #intercom-frame') !== null, 'Intercom check timeout')
  },
  open: () => api()?.('show'),
  update: (boot) => api()?.('update', identity(boot, true)),
  shutdown: () => api()?.('shutdown'),
}
