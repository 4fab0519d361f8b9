import type { RegisteredRouter } from '@tanstack/react-router'
import { copyText } from '#platform/web/clipboard.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { runIfFeatureOn } from '#platform/web/state/flags.ts'
import { getCurrentLang, setLang, translate } from '#platform/web/i18n.ts'
import { getSessionToken } from '#platform/web/state/session.ts'
import { setTheme, THEMES } from '#platform/web/theme.ts'
import { toast } from '#ui/layers/toast.ts'
import { showDevPanel } from '../dev-panel/visibility.ts'
import { navLines } from '../zones/zones.ts'
import { contactSupport } from '../overlays/contact.ts'
import { layerTexts } from '../layer-texts.ts'
import { nextLang } from '#platform/shared/languages.ts'

type PaletteAction = (router: RegisteredRouter) => void

const navigateTo =
  (path: string, search: Readonly<Record<string, string>> = {}): PaletteAction =>
  (router) =>
    void router.navigate({ to: path, search })

/** Base URLs in the form that each vendor's SDK expects. */
const baseUrls = { openai: '/v1', anthropic: '', gemini: '' } as const
const copyBase =
  (vendor: keyof typeof baseUrls): PaletteAction =>
  () => {
    const url = location.origin + baseUrls[vendor]
    void copyText(url).then((done) => (done ? toast.success(translate(layerTexts, 'copiedUrl', { url })) : toast.warning(url)))
  }

/** Actions of the keyboard shortcuts and the palette, by id. */
const commandRuns: Readonly<Record<string, PaletteAction>> = {
  ...Object.fromEntries(navLines.map((line) => [line.id, navigateTo(line.path, line.search)])),
  home: navigateTo('/'),
  help: navigateTo('/help'),
  invite: navigateTo('/invite-record'),
  account: navigateTo('/account'),
  service: navigateTo('/service'),
  terms: navigateTo('/terms'),
  privacy: navigateTo('/privacy'),
  palette: () => openDialog('palette'),
  shortcuts: () => openDialog('shortcuts'),
  recharge: (router) => runIfSignedIn(router, () => openDialog('recharge')),
  newKey: (router) => runIfSignedIn(router, () => runIfFeatureOn('createKey', () => void openKeyDialog(router))),
  complaint: () => openDialog('complaint'),
  contact: () => contactSupport(),
  signIn: () => openDialog('auth', { mode: 'login' }),
  lang: () => setLang(nextLang(getCurrentLang())),
  copyOpenai: copyBase('openai'),
  copyAnthropic: copyBase('anthropic'),
  copyGemini: copyBase('gemini'),
  dev: () => showDevPanel(true),
  focusFilter,
  ...Object.fromEntries(THEMES.map((theme): [string, PaletteAction] => [`theme_${theme}`, () => setTheme(theme)])),
}

export function runPaletteCommand(id: string, router: RegisteredRouter): void {
  commandRuns[id]?.(router)
}

function runIfSignedIn(router: RegisteredRouter, run: () => void): void {
  if (getSessionToken()) run()
  else openDialog('auth', { mode: 'login', redirect: router.state.location.href })
}

async function openKeyDialog(router: RegisteredRouter): Promise<void> {
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
