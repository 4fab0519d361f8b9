import { onDialog, openDialog, type DialogName } from './dialogs.ts'
import { sessionToken } from './session.ts'

/**
 * A dialog in which somebody waits for a code stands there again after a reload: phones drop a page while one reads the
 * message in another app. By who may see it; their forms remember what was typed where that is harmless.
 */
const VISITORS: readonly string[] = ['auth']
const USERS: readonly string[] = ['email', 'mobile', 'password', 'payPassword']
const KEY = 'mx.dialog'
const LIFE_MS = 600_000

interface Kept {
  readonly name: DialogName
  readonly props: object
  readonly until: number
}

/** Call once, after the page is drawn. */
export function resumeDialogs(): void {
  const last = kept()
  const isFitting = last && (sessionToken() ? USERS : VISITORS).includes(last.name)
  if (isFitting && last.until > Date.now()) openDialog(last.name as 'auth', { ...last.props, resumed: true })
  onDialog((open) => {
    try {
      if (!open) sessionStorage.removeItem(KEY)
      else if ([...VISITORS, ...USERS].includes(open.name)) sessionStorage.setItem(KEY, JSON.stringify({ ...open, until: Date.now() + LIFE_MS }))
    } catch {
      // Then a reload closes it.
    }
  })
}

function kept(): Kept | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Kept | null) ?? undefined
  } catch {
    return undefined
  }
}
