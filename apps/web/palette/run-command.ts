import type { RegisteredRouter } from '@tanstack/react-router'
import { copyText } from '#platform/web/clipboard.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { whenOn } from '#platform/web/state/flags.ts'
import { currentLang, setLang, translate } from '#platform/web/i18n.ts'
import { sessionToken } from '#platform/web/state/session.ts'
import { setTheme, THEMES } from '#platform/web/theme.ts'
import { toast } from '#ui/layers/toast.ts'
import { showDevPanel } from '../dev-panel/shown.ts'
import { lines } from '../zones/zones.ts'
import { contactSupport } from '../overlays/contact.ts'
import { layerTexts } from '../layer-texts.ts'

type Run = (router: RegisteredRouter) => void

const go =
  (path: string, search: Readonly<Record<string, string>> = {}): Run =>
  (router) =>
    void router.navigate({ to: path, search })

/** Base URLs as each vendor's SDK wants them. */
const baseUrls = { openai: '/v1', anthropic: '', gemini: '' } as const
const copyBase =
  (vendor: keyof typeof baseUrls): Run =>
  () => {
    const url = location.origin + baseUrls[vendor]
    void copyText(url).then((done) => (done ? toast.success(translate(layerTexts, 'copiedUrl', { url })) : toast.warning(url)))
  }

/** Actions of the keyboard shortcuts and the palette, by id. */
const runs: Readonly<Record<string, Run>> = {
  ...Object.fromEntries(lines.map((line) => [line.id, go(line.path, line.search)])),
  home: go('/'),
  help: go('/help'),
  invite: go('/invite-record'),
  account: go('/account'),
  service: go('/service'),
  terms: go('/terms'),
  privacy: go('/privacy'),
  palette: () => openDialog('palette'),
  shortcuts: () => openDialog('shortcuts'),
  recharge: (router) => forUser(router, () => openDialog('recharge')),
  newKey: (router) => forUser(router, () => whenOn('createKey', () => void createKey(router))),
  complaint: () => openDialog('complaint'),
  contact: () => contactSupport(),
  signIn: () => openDialog('auth', { mode: 'login' }),
  lang: () => setLang(currentLang() === 'zh' ? 'en' : 'zh'),
  copyOpenai: copyBase('openai'),
  copyAnthropic: copyBase('anthropic'),
  copyGemini: copyBase('gemini'),
  dev: () => showDevPanel(true),
  focusFilter,
  ...Object.fromEntries(THEMES.map((theme): [string, Run] => [`theme_${theme}`, () => setTheme(theme)])),
}

export function runCommand(id: string, router: RegisteredRouter): void {
  runs[id]?.(router)
}

function forUser(router: RegisteredRouter, run: () => void): void {
  if (sessionToken()) run()
  else openDialog('auth', { mode: 'login', redirect: router.state.location.href })
}

async function createKey(router: RegisteredRouter): Promise<void> {
  const { openCreateKey } = await import('#features/gateway/web/index.tsx')
  await router.navigate({ to: '/api', search: {} })
  openCreateKey()
}

/** The first search field of the page, else its first filter. */
function focusFilter(): void {
  const main = document.getElementById('main')
  const field = main?.querySelector<HTMLElement>('input[type="search"], [role="searchbox"], [data-filter]')
  field?.focus()
  if (field instanceof HTMLInputElement) field.select()
}
