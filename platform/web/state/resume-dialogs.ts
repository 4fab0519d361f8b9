import { onDialog, openDialog, type DialogName } from './dialogs.ts'
import { getSessionToken } from './session.ts'

/**
 * Dialogs that reopen after a reload on the same page, by signed-in state: they wait for a code, and phones discard a page while the user reads the
 * message in another app. Not on another page, which the user opened on purpose. Their forms restore input that is harmless to keep.
 */
const VISITORS: readonly string[] = ['auth']
const USERS: readonly string[] = ['email', 'mobile', 'password', 'payPassword']
const KEY = 'mx.dialog'
const LIFE_MS = 600_000

interface StoredDialog {
  readonly name: DialogName
  readonly props: object
  readonly path: string
  readonly until: number
}

/** Call once, after the page is rendered. */
export function resumeDialogs(): void {
  const last = readStoredDialog()
  const isFitting = last?.path === location.pathname && (getSessionToken() ? USERS : VISITORS).includes(last.name)
  if (isFitting && last.until > Date.now()) openDialog(last.name as 'auth', { ...last.props, resumed: true })
  onDialog((open) => {
    try {
      if (!open) sessionStorage.removeItem(KEY)
      else if ([...VISITORS, ...USERS].includes(open.name)) storeDialog(open)
    } catch {
      // Then a reload closes it.
    }
  })
}

function storeDialog({ name, props }: Pick<StoredDialog, 'name' | 'props'>): void {
  const now: StoredDialog = { name, props, path: location.pathname, until: Date.now() + LIFE_MS }
  sessionStorage.setItem(KEY, JSON.stringify(now))
}

function readStoredDialog(): StoredDialog | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as StoredDialog | null) ?? undefined
  } catch {
    return undefined
  }
}
