import { loadScript, setLauncherLabels, pollUntil } from './load-script.ts'
import type { Boot, Widget } from './port.ts'
import { LANGUAGES } from '#platform/shared/languages.ts'

interface Live {
  readonly hasLoaded?: boolean
  toggle(state: 'open' | 'close'): void
  setUser(identifier: string, user: Readonly<Record<string, string>>): void
  reset(): void
}
interface Page {
  chatwootSettings?: object
  chatwootSDK?: { run(options: object): void }
  $chatwoot?: Live
}
const page = window as Page
const PROBLEM = 'Chatwoot check timeout'

function setUser({ user }: Boot): void {
  if (!user) return
  const { identifier = '', ...rest } = user
  if (!rest['identifier_hash']) throw new Error('Failed to get user hash')
  page.$chatwoot?.setUser(identifier, rest)
}

export const chatwoot: Widget = {
  load: async (boot, { lang }) => {
    page.chatwootSettings = { position: 'right', type: 'standard', locale: LANGUAGES[lang].tag.replace('-', '_'), darkMode: 'auto' }
    await loadScript(boot.script)
    page.chatwootSDK?.run(boot.settings)
    const { lookMs, lookForMs, bootMs, bootForMs } = boot.times
    await pollUntil(() => page.$chatwoot !== undefined, PROBLEM, { everyMs: bootMs, forMs: bootForMs })
    await pollUntil(() => document.querySelector('.woot-widget-holder') !== null, PROBLEM, { everyMs: lookMs, forMs: lookForMs })
    void setLauncherLabels('.woot-widget-bubble', boot)
    setUser(boot)
  },
  open: () => page.$chatwoot?.toggle('open'),
  update: setUser,
  shutdown: () => page.$chatwoot?.reset(),
}
